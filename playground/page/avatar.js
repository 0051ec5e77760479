/** @file A person's picture: initials on a color that stays the same wherever that person appears. */

import { h } from "./dom.js";

/** The name Discord shows. @param {{id: string, username: string, global_name?: string|null}} user */
export function nameOf(user) {
  return user.global_name || user.username;
}

function initials(name) {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...word][0] ?? "?")
    .join("")
    .toUpperCase();
}

/** The golden angle spreads names that follow one another far over the circle of hues. */
function hue(id) {
  let sum = 0;
  for (const digit of String(id)) sum = (sum * 31 + digit.charCodeAt(0)) % 100_003;
  return Math.round((sum * 137.5) % 360);
}

/** Decoration beside a name, so a screen reader passes it by. */
export function avatar(user) {
  const shape = user.bot ? "avatar app" : "avatar";
  return h(
    "span",
    { class: shape, style: `--hue: ${hue(user.id)}`, "aria-hidden": "true" },
    initials(nameOf(user)),
  );
}
