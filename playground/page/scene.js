/**
 * @file What one person sees and what is under way for that person: all a phone draws comes from here.
 *
 * Shapes are those of Discord's API; only the fields used here are named.
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

import { nameOf } from "./avatar.js";

/** Message flags, as Discord numbers them. */
export const EPHEMERAL = 1 << 6;
export const LOADING = 1 << 7;
export const COMPONENTS_V2 = 1 << 15;

/** Discord's ids grow with time: a longer one is younger, among equals the order of the digits decides. */
export function compareIds(one, other) {
  return one.length - other.length || (one < other ? -1 : Number(one > other));
}

export class Scene {
  /** @param {{me: User, guild: Object|null, channel: Channel, channels: Channel[], people: User[], commands: Object[], messages: Message[]}} hello */
  constructor(hello) {
    Object.assign(this, { me: hello.me, guild: hello.guild, channel: hello.channel, channels: hello.channels });
    this.people = hello.people;
    this.commands = hello.commands;
    /** @type {Map<string, Message>} */
    this.messages = new Map();
    /** Users met in messages but not among the people: the apps. @type {Map<string, User>} */
    this.met = new Map();
    /** Messages that pinged this person. @type {Set<string>} */
    this.notified = new Set();
    /** The component a click of which is under way, by message. @type {Map<string, string>} */
    this.busy = new Map();
    /** What went wrong with the last click, by message. @type {Map<string, string>} */
    this.failed = new Map();
    /** What was chosen in a menu and not yet overruled by an edit, by message: custom id to values. @type {Map<string, Map<string, string[]>>} */
    this.picks = new Map();
    for (const message of hello.messages) this.put(message);
  }

  /** Takes over from an older snapshot what the server does not know: what this person has seen happen. */
  inherit(older) {
    for (const field of ["notified", "busy", "failed", "picks"]) this[field] = older[field];
  }

  /**
   * An edit makes every menu of the message show the app's defaults again, as Discord does
   * (https://github.com/discord/discord-api-docs/issues/3441).
   */
  put(message) {
    this.messages.set(message.id, message);
    this.picks.delete(message.id);
    this.failed.delete(message.id);
    for (const user of [message.author, ...(message.mentions ?? [])]) this.met.set(user.id, user);
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

  /** Whether this message addresses the person who reads it. */
  pingsMe(message) {
    return this.notified.has(message.id) || (message.mentions ?? []).some((user) => user.id === this.me.id);
  }

  userName(id) {
    const user = this.people.find((person) => person.id === id) ?? this.met.get(id);
    return user ? nameOf(user) : "unknown-user";
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
