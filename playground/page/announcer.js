/**
 * @file What a screen reader says when a message arrives. One voice for the whole page: a message that four phones show
 * is read once, and edits, which come with every card, are not read at all.
 */

import { h } from "./dom.js";

/** Beyond this many characters a message is for the eyes, or for reading where it stands. */
const LONGEST = 400;

export const announcer = h("p", { class: "unseen", "aria-live": "polite" });

let last = null;

/** @param {HTMLElement} item  a message of a log, new there */
export function announce(item) {
  if (item.dataset.message === last) return;
  last = item.dataset.message;
  const parts = [...item.querySelectorAll(".author, .prose")];
  announcer.textContent = parts
    .map((part) => part.textContent.trim())
    .join(": ")
    .slice(0, LONGEST);
}
