/** @file The page's address keeps who is shown, where, and how: a link shows somebody else the same. */

import { channelsOf } from "./world.js";

/** This many people are shown unless the address says otherwise. */
const CUSTOMARY = 4;

/**
 * @param {import("./world.js").World} world
 * @returns {{people: string[], channel: string, theme: string|null}} only people and a channel that exist
 */
export function readAddress(world, search = location.search) {
  const query = new URLSearchParams(search);
  const known = new Set(world.people.map((user) => user.id));
  const asked = [...new Set((query.get("people") ?? "").split(","))].filter((id) => known.has(id));
  const people = asked.length ? asked : [...known].slice(0, CUSTOMARY);
  const channels = channelsOf(world).map((channel) => channel.id);
  const channel = channels.includes(query.get("channel")) ? query.get("channel") : channels[0];
  return { people, channel, theme: query.get("theme") };
}

/** Replaces the address without a step in the history. Commas stay readable. */
export function writeAddress({ people, channel, theme }) {
  const parts = [`people=${people.join(",")}`, `channel=${channel}`, theme && `theme=${theme}`];
  history.replaceState(null, "", `?${parts.filter(Boolean).join("&")}`);
}
