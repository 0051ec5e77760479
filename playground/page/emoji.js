/** @file Emoji: an application's own are pictures the server holds, all others are text. */

import { h } from "./dom.js";

/** An application emoji in running text, written out for those who copy or hear it. */
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
 * The emoji of a button or an option: beside a label it adds nothing to say, alone it is the label.
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
