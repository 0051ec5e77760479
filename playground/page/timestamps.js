/** @file Renders Discord's timestamps `<t:…>` in the browser's time zone, and keeps relative ones up to date. */

import { h } from "./dom.js";

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};

const SPANS = [
  ["year", 365 * 86400],
  ["month", 30 * 86400],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/**
 * @param {number} unix  seconds since 1970
 * @param {string} style  a letter of STYLES, or R for "in 5 minutes"
 * @param {number} now  seconds since 1970, for R
 */
export function formatMoment(unix, style, now = Date.now() / 1000) {
  const moment = new Date(unix * 1000);
  if (Number.isNaN(moment.getTime())) return "Invalid date";
  return style === "R"
    ? formatRelative(unix - now)
    : new Intl.DateTimeFormat(undefined, STYLES[style]).format(moment);
}

function formatRelative(seconds) {
  const [unit, length] = SPANS.find(([, span]) => Math.abs(seconds) >= span) ?? SPANS.at(-1);
  return new Intl.RelativeTimeFormat().format(Math.trunc(seconds / length), unit);
}

/** A `<time>` element. `keepTime` updates relative ones. */
export function momentElement(unix, style) {
  const title = formatMoment(unix, "F");
  return h("time", { class: "moment", title, "data-unix": unix, "data-style": style }, formatMoment(unix, style));
}

/** The time of a message: without a date if it was sent today. */
export function formatSent(iso) {
  const sent = new Date(iso);
  const style = sent.toDateString() === new Date().toDateString() ? "t" : "s";
  return formatMoment(sent.getTime() / 1000, style);
}

/** Updates the relative times on the page every second. */
export function keepTime(root = document) {
  return setInterval(() => {
    for (const time of root.querySelectorAll('time[data-style="R"]')) {
      const words = formatMoment(Number(time.dataset.unix), "R");
      if (time.textContent !== words) time.textContent = words;
    }
  }, 1000);
}
