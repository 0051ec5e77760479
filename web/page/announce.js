/**
 * @file The live region: what happens at the table, for screen readers. Sentences that arrive together are read
 * together, and only new ones.
 */

import { h } from "./dom.js";

/** Milliseconds in which sentences are collected. */
const PAUSE = 250;

const region = h("p", { class: "unseen", "aria-live": "polite", role: "log" });
/** @type {string[]} */
let waiting = [];
let timer = 0;

/** Adds the region to the page. */
export function startAnnouncing() {
  document.body.append(region);
}

/** @param {string} sentence */
export function announce(sentence) {
  if (!sentence) return;
  waiting.push(sentence);
  timer ||= window.setTimeout(tell, PAUSE);
}

function tell() {
  region.replaceChildren(...waiting.map((sentence) => h("span", {}, `${sentence} `)));
  waiting = [];
  timer = 0;
}
