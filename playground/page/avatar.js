/** @file Avatars: a user's initials on a color derived from their id. */

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

/** The golden angle gives consecutive numbers very different hues. */
function hue(id) {
  let sum = 0;
  for (const digit of String(id)) sum = (sum * 31 + digit.charCodeAt(0)) % 100_003;
  return Math.round((sum * 137.5) % 360);
}

/** An avatar. It always accompanies a name, so it is hidden from screen readers. */
export function avatar(user) {
  const shape = user.bot ? "avatar app" : "avatar";
  return h(
    "span",
    { class: shape, style: `--hue: ${hue(user.id)}`, "aria-hidden": "true" },
    initials(nameOf(user)),
  );
}
