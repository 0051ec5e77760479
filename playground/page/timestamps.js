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

const CLOCK = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Seconds that the playground's time is ahead of the machine's. */
let ahead = 0;

export function setAhead(seconds) {
  ahead = seconds;
  tick();
}

/** The playground's time in seconds since 1970. */
function now() {
  return Date.now() / 1000 + ahead;
}

/**
 * @param {number} unix  seconds since 1970
 * @param {string} style  a letter of STYLES, or R for "in 5 minutes"
 */
export function formatMoment(unix, style) {
  const moment = new Date(unix * 1000);
  if (Number.isNaN(moment.getTime())) return "Invalid date";
  return style === "R"
    ? formatRelative(unix - now())
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
  const style = sent.toDateString() === new Date(now() * 1000).toDateString() ? "t" : "s";
  return formatMoment(sent.getTime() / 1000, style);
}

/** The element of the clock, which `keepTime` updates. */
export function clockElement() {
  return h("time", { class: "clock" });
}

/** Updates the clock and the relative times on the page every second. */
export function keepTime() {
  tick();
  return setInterval(tick, 1000);
}

function tick() {
  for (const time of document.querySelectorAll('time[data-style="R"]')) {
    write(time, formatMoment(Number(time.dataset.unix), "R"));
  }
  for (const clock of document.querySelectorAll("time.clock")) write(clock, CLOCK.format(now() * 1000));
}

function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}
