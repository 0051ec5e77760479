/**
 * @file Keeps people, channel and theme in the page's URL, so that it can be shared. `7@direct` is a person who looks at
 * another place than the channel of all phones.
 */

import { channelsOf } from "./world.js";

/** The id of a person's direct messages. */
export const DIRECT = "direct";

/** The number of people shown by default. */
const DEFAULT_COUNT = 4;

/**
 * @param {import("./world.js").World} world
 * @returns {{people: string[], places: Map<string, string>, channel: string, theme: string|null}} only people and
 *   channels that exist; `places` has the channel of each person who looks elsewhere
 */
export function readAddress(world, search = location.search) {
  const query = new URLSearchParams(search);
  const known = new Set(world.people.map((user) => user.id));
  const pairs = (query.get("people") ?? "").split(",").map((part) => part.split("@"));
  const requested = [...new Set(pairs.map(([id]) => id))].filter((id) => known.has(id));
  const people = requested.length ? requested : [...known].slice(0, DEFAULT_COUNT);
  const channels = channelsOf(world).map((channel) => channel.id);
  const places = new Map(pairs.filter(([, place]) => [DIRECT, ...channels].includes(place)));
  const channel = channels.includes(query.get("channel")) ? query.get("channel") : channels[0];
  return { people, places, channel, theme: query.get("theme") };
}

/** Replaces the URL without a history entry. Commas stay readable. */
export function writeAddress({ people, places, channel, theme }) {
  const shown = people.map((id) => (places.has(id) ? `${id}@${places.get(id)}` : id));
  const parts = [`people=${shown.join(",")}`, `channel=${channel}`, theme && `theme=${theme}`];
  history.replaceState(null, "", `?${parts.filter(Boolean).join("&")}`);
}
