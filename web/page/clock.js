/** @file The time left in a turn, by the server's clock. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Milliseconds that the server's clock is ahead of this machine's. */
let ahead = 0;

/** @param {number} now  the server's time in UTC milliseconds */
export function setClock(now) {
  ahead = now - Date.now();
}

/**
 * The time left until a moment; below an hour in minutes and seconds, otherwise in hours or days.
 *
 * @param {number} until  UTC milliseconds
 */
export function timeLeft(until) {
  const left = Math.max(0, until - Date.now() - ahead);
  if (left >= HOUR) return longTime(left / HOUR);
  const seconds = String(Math.floor((left % MINUTE) / 1000)).padStart(2, "0");
  return `⏳ ${Math.floor(left / MINUTE)}:${seconds}`;
}

/** @param {number} hours */
function longTime(hours) {
  const [value, unit] = hours < 48 ? [hours, "hour"] : [hours / 24, "day"];
  const format = { style: "unit", unit, unitDisplay: "long" };
  const language = document.documentElement.lang || "en";
  const number = new Intl.NumberFormat(language, /** @type {Intl.NumberFormatOptions} */ (format));
  return `⏳ ${number.format(Math.round(value))}`;
}

/** Keeps all shown times right. */
export function keepTime() {
  setInterval(() => {
    for (const element of document.querySelectorAll("[data-until]")) {
      const text = timeLeft(Number(/** @type {HTMLElement} */ (element).dataset.until));
      if (element.textContent !== text) element.textContent = text;
    }
  }, 500);
}
