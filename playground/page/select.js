/** @file The choices, defaults and limits of select menus in messages and modals. */

import { nameOf } from "./avatar.js";

const STRING = 3;
export const USER = 5;
const ROLE = 6;
const MENTIONABLE = 7;
const CHANNEL = 8;

export const SELECTS = new Set([STRING, USER, ROLE, MENTIONABLE, CHANNEL]);

const PLACEHOLDERS = {
  [STRING]: "Make a selection",
  [USER]: "Select a user",
  [ROLE]: "Select a role",
  [MENTIONABLE]: "Select a user or role",
  [CHANNEL]: "Select a channel",
};

/**
 * @typedef {Object} Choice
 * @property {string} value
 * @property {string} label
 * @property {string|null} [description]
 * @property {Object|null} [emoji]
 * @property {import("./scene.js").User} [user]  shown with their avatar
 */

/**
 * @param {Object} component
 * @param {import("./scene.js").Scene} scene
 * @returns {Choice[]}
 */
export function choicesOf(component, scene) {
  const users = () =>
    scene.people.map((user) => ({ value: user.id, label: nameOf(user), description: user.username, user }));
  const roles = () => scene.roles.map((role) => ({ value: role.id, label: `@${role.name}` }));
  switch (component.type) {
    case STRING:
      return component.options;
    case USER:
      return users();
    case ROLE:
      return roles();
    case MENTIONABLE:
      return [...users(), ...roles()];
    default:
      return channelsFor(component, scene).map((channel) => ({ value: channel.id, label: `#${channel.name}` }));
  }
}

function channelsFor(component, scene) {
  const types = component.channel_types ?? [];
  return scene.channels.filter((channel) => !types.length || types.includes(channel.type ?? 0));
}

/** @returns {string[]} the default values */
export function defaultsOf(component) {
  if (component.type !== STRING) return (component.default_values ?? []).map((entry) => entry.id);
  return component.options.filter((option) => option.default).map((option) => option.value);
}

export function placeholderOf(component) {
  return component.placeholder || PLACEHOLDERS[component.type];
}

/** The minimum and maximum number of values. */
export function boundsOf(component) {
  return { min: component.min_values ?? 1, max: component.max_values ?? 1 };
}
