/** @file Renders emoji: application emoji are images from the server, all others are text. */

import { h } from "./dom.js";

/** An application emoji in text. Its name is the alternative text. */
export function customEmoji(id, name) {
  return h("img", {
    class: "emoji",
    src: `/emojis/${encodeURIComponent(id)}.png`,
    alt: `:${name}:`,
    title: `:${name}:`,
    draggable: "false",
  });
}

/**
 * The emoji of a button or option. Next to a label it is decorative, alone it is the label.
 *
 * @param {{id?: string, name?: string}|null|undefined} emoji
 * @param {boolean} alone
 */
export function componentEmoji(emoji, alone = false) {
  if (!emoji) return null;
  if (!emoji.id) return h("span", { class: "emoji", "aria-hidden": alone ? null : "true" }, emoji.name);
  const image = customEmoji(emoji.id, emoji.name);
  image.removeAttribute("title");
  if (!alone) image.alt = "";
  return image;
}
