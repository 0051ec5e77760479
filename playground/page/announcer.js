/**
 * @file Announces new messages to screen readers. There is one live region for the whole page, so a message on four
 * phones is read once. Edits aren't read.
 */

import { h } from "./dom.js";

/** Announcements are cut to this many characters. */
const LONGEST = 400;

export const announcer = h("p", { class: "sr-only", "aria-live": "polite" });

let last = null;

/** @param {HTMLElement} item  a new message in a log */
export function announce(item) {
  if (item.dataset.message === last) return;
  last = item.dataset.message;
  const parts = [...item.querySelectorAll(".author, .prose")];
  announcer.textContent = parts
    .map((part) => part.textContent.trim())
    .join(": ")
    .slice(0, LONGEST);
}
