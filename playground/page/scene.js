/**
 * @file The state of a phone: what the person sees, and their pending interactions.
 *
 * The types are Discord's API objects, with the fields used here.
 *
 * @typedef {{id: string, username: string, global_name?: string|null, bot?: boolean, locale?: string}} User
 * @typedef {{id: string, name: string, type?: number}} Channel
 * @typedef {Object} Message
 * @property {string} id
 * @property {User} author
 * @property {string} content
 * @property {string} timestamp
 * @property {string|null} [edited_timestamp]
 * @property {number} [type]
 * @property {number} [flags]
 * @property {Object[]} [components]
 * @property {Object[]} [embeds]
 * @property {Object[]} [attachments]
 * @property {User[]} [mentions]
 * @property {{user: User, name?: string}} [interaction_metadata]
 * @property {Message|null} [referenced_message]
 */

import { DIRECT } from "./address.js";
import { nameOf } from "./avatar.js";
import { findComponent } from "./components.js";
import { USER } from "./select.js";

/** Discord's message flags. */
export const EPHEMERAL = 1 << 6;
export const LOADING = 1 << 7;
export const COMPONENTS_V2 = 1 << 15;

/** Compares ids by time. They are decimal strings, so longer ones are newer. */
export function compareIds(one, other) {
  return one.length - other.length || (one < other ? -1 : Number(one > other));
}

export class Scene {
  /** @param {{me: User, guild: Object|null, channel: Channel, channels: Channel[], people: User[], commands: Object[], messages: Message[]}} hello */
  constructor(hello) {
    Object.assign(this, { me: hello.me, guild: hello.guild, channel: hello.channel, places: hello.channels });
    this.people = hello.people;
    this.commands = hello.commands;
    /** @type {Map<string, Message>} */
    this.messages = new Map();
    /** The authors and mentioned users of messages, including apps. @type {Map<string, User>} */
    this.otherUsers = new Map();
    /** Messages that notified this person. @type {Set<string>} */
    this.notified = new Set();
    /** The component with a pending interaction, by message. @type {Map<string, string>} */
    this.busy = new Map();
    /** The failure of the last interaction, by message. @type {Map<string, string>} */
    this.failed = new Map();
    /** Chosen values by message and custom id, until the next edit. @type {Map<string, Map<string, string[]>>} */
    this.picks = new Map();
    for (const message of hello.messages) this.put(message);
  }

  /** Copies the state that the server doesn't send from an older scene. */
  inherit(older) {
    for (const field of ["notified", "busy", "failed", "picks"]) this[field] = older[field];
  }

  /**
   * Adds or updates a message. An edit resets its select menus to the app's defaults, as on Discord
   * (https://github.com/discord/discord-api-docs/issues/3441), except menus of users whose id stays the same
   * (https://github.com/discord/discord-api-docs/issues/7536).
   */
  put(message) {
    this.messages.set(message.id, message);
    this.#resetPicks(message);
    this.failed.delete(message.id);
    for (const user of [message.author, ...(message.mentions ?? [])]) this.otherUsers.set(user.id, user);
  }

  #resetPicks(message) {
    for (const customId of this.picks.get(message.id)?.keys() ?? []) {
      const component = findComponent(message, customId);
      if (component?.type !== USER || component.default_values?.length) this.picks.get(message.id).delete(customId);
    }
  }

  drop(id) {
    for (const known of [this.messages, this.notified, this.busy, this.failed, this.picks]) known.delete(id);
  }

  pick(id, customId, values) {
    if (!this.picks.has(id)) this.picks.set(id, new Map());
    this.picks.get(id).set(customId, values);
  }

  picked(id, customId) {
    return this.picks.get(id)?.get(customId) ?? null;
  }

  /** True if the message notified or mentions this person. */
  pingsMe(message) {
    return this.notified.has(message.id) || (message.mentions ?? []).some((user) => user.id === this.me.id);
  }

  userName(id) {
    const user = this.people.find((person) => person.id === id) ?? this.otherUsers.get(id);
    return user ? nameOf(user) : "unknown-user";
  }

  /** The places without the direct messages. */
  get channels() {
    return this.places.filter((place) => place.id !== DIRECT);
  }

  channelName(id) {
    return this.channels.find((channel) => channel.id === id)?.name ?? "unknown";
  }

  roleName(id) {
    return this.roles.find((role) => role.id === id)?.name ?? "deleted-role";
  }

  get roles() {
    return this.guild?.roles ?? [];
  }
}
