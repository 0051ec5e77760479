/** @file Keeps people, channel and theme in the page's URL, so that it can be shared. */

import { channelsOf } from "./world.js";

/** The number of people shown by default. */
const DEFAULT_COUNT = 4;

/**
 * @param {import("./world.js").World} world
 * @returns {{people: string[], channel: string, theme: string|null}} only people and a channel that exist
 */
export function readAddress(world, search = location.search) {
  const query = new URLSearchParams(search);
  const known = new Set(world.people.map((user) => user.id));
  const requested = [...new Set((query.get("people") ?? "").split(","))].filter((id) => known.has(id));
  const people = requested.length ? requested : [...known].slice(0, DEFAULT_COUNT);
  const channels = channelsOf(world).map((channel) => channel.id);
  const channel = channels.includes(query.get("channel")) ? query.get("channel") : channels[0];
  return { people, channel, theme: query.get("theme") };
}

/** Replaces the URL without a history entry. Commas stay readable. */
export function writeAddress({ people, channel, theme }) {
  const parts = [`people=${people.join(",")}`, `channel=${channel}`, theme && `theme=${theme}`];
  history.replaceState(null, "", `?${parts.filter(Boolean).join("&")}`);
}
