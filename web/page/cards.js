/**
 * @file Draws cards. Each shows its number, its color, and the color's shape and letter, as the app's emoji do, so that
 * they differ with any kind of color vision. `bot/pictures/faces.py` draws the same faces.
 *
 * @typedef {import("./types.js").Card} Card
 * @typedef {import("./types.js").Color} Color
 */

import { h, svg } from "./dom.js";

/** Shapes in a square of 30. @type {Object<string, string>} */
const SHAPES = {
  green: "M15 1L30 29H0z",
  yellow: "M15 1a14 14 0 100 28 14 14 0 000-28z",
  red: "M15 0L30 15 15 30 0 15z",
};
/** @type {Object<string, string>} */
const LETTERS = { green: "G", yellow: "Y", red: "R" };
/** Drawings, 100 wide and 80 high. */
const PHOENIX =
  "M46 41.6 40 24 26 9.6 2 1.6 6 17.6 0 19.2 8 33.6 4 36.8 20 49.6 38 56zM54 41.6 60 24 74 9.6 98 1.6 94 17.6 100 " +
  "19.2 92 33.6 96 36.8 80 49.6 62 56zM42 24 50 14.4 58 24 62 52.8 50 64 38 52.8zM50 4.8 54.5 6.1 57.8 9.6 59 14.4 " +
  "57.8 19.2 54.5 22.7 50 24 45.5 22.7 42.2 19.2 41 14.4 42.2 9.6 45.5 6.1zM56 9.6 72 16 56 19.2zM42 56 30 80 45 72 " +
  "50 80 55 72 70 80 58 56z";
const DRAGON =
  "M2 40.6 10 31.2 30 26.5 44 17.2 40 1.6 56 12.5 66 0 70 14 86 7.8 82 23.4 100 26.5 88 37.4 100 48.4 86 53 94 68.6 " +
  "76 65.5 72 78 60 67.1 46 76.4 44 62.4 30 57.7 8 60.8 14 54.6 36 48.4 30 46.8 4 48.4z";
const DRAGON_EYES =
  "M56 28.1 59 28.7 61.2 30.4 62 32.8 61.2 35.1 59 36.8 56 37.4 53 36.8 50.8 35.1 50 32.8 50.8 30.4 53 28.7zM6 39 12 " +
  "35.1 12 39.8z";

/**
 * Names for the cards of a hand: equal copies have different ones.
 *
 * @param {Card[]} cards
 */
export function keysOf(cards) {
  const ids = cards.map(({ id }) => id);
  return ids.map((id, place) => `${id}.${ids.slice(0, place).filter((other) => other === id).length}`);
}

/**
 * The face of a card, hidden from screen readers: what holds it carries the label.
 *
 * @param {Card} card
 */
export function face(card) {
  const content = card.color === "multi" ? multicolored() : [...figure(card), ...sign(card.color)];
  return svg(
    "svg",
    { class: `face ${card.color}`, viewBox: "0 0 100 140", "aria-hidden": "true", focusable: "false" },
    svg("rect", { class: "edge", x: 1, y: 1, width: 98, height: 138, rx: 13 }),
    svg("rect", { class: "paper", x: 6, y: 6, width: 88, height: 128, rx: 9 }),
    content,
  );
}

/** The number, the Phoenix or the Dragon. @param {Card} card */
function figure({ number }) {
  const at = { transform: "translate(14 18) scale(.72)" };
  if (number === "P") return [svg("path", { class: "ink", d: PHOENIX, ...at })];
  if (number === "D") {
    return [svg("path", { class: "ink", d: DRAGON, ...at }), svg("path", { class: "paper", d: DRAGON_EYES, ...at })];
  }
  const narrow = number.length > 1 ? { textLength: 62, lengthAdjust: "spacingAndGlyphs" } : {};
  return [svg("text", { class: "ink", x: number.length > 1 ? 12 : 15, y: 71, "font-size": 72, ...narrow }, number)];
}

/** The shape and the letter of a color, and the shape once more, large and pale. @param {Color} color */
function sign(color) {
  return [
    svg("path", { class: "ink pale", d: SHAPES[color], transform: "translate(44 76) scale(1.7)" }),
    svg("path", { class: "ink", d: SHAPES[color], transform: "translate(14 93)" }),
    svg("text", { class: "ink", x: 52, y: 123, "font-size": 40 }, LETTERS[color]),
  ];
}

/** Three stripes with their shapes; 1 and M on a dark plate. */
function multicolored() {
  return Object.entries(SHAPES)
    .flatMap(([color, shape], place) => [
      svg("path", { class: `paper ${color}`, d: stripe(place) }),
      svg("path", { class: `ink ${color}`, d: shape, transform: `translate(${10 + place * 28} 98) scale(.8)` }),
    ])
    .concat([
      svg("rect", { class: "plate", x: 11, y: 14, width: 78, height: 68, rx: 9 }),
      svg("text", { class: "plate-ink", x: 15, y: 70, "font-size": 60 }, "1"),
      svg("text", { class: "plate-ink", x: 47, y: 70, "font-size": 42 }, "M"),
    ]);
}

/** A third of the paper, with the round corners of its side. @param {number} place */
function stripe(place) {
  if (place === 0) return "M15 6H36V134H15a9 9 0 01-9-9V15a9 9 0 019-9z";
  return place === 1 ? "M36 6H65V134H36z" : "M65 6H85a9 9 0 019 9V125a9 9 0 01-9 9H65z";
}

/**
 * Cards that are only looked at, overlapping, with one label for all.
 *
 * @param {Card[]} cards
 * @param {string} label  empty if they are beside their words
 * @param {string} size  the class that sets their width
 */
export function row(cards, label, size) {
  const shown = cards.map((card) => h("span", { class: "card", "data-card": String(card.id) }, face(card)));
  const style = { "--gaps": String(Math.max(cards.length - 1, 1)) };
  const words = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return h("span", { class: `cards ${size}`, ...words, style }, shown);
}

/**
 * A whole hand that is only looked at, in two rows if it's long.
 *
 * @param {Card[]} cards
 * @param {string} size
 */
export function openHand(cards, size) {
  const half = cards.length > 8 ? Math.ceil(cards.length / 2) : cards.length;
  const rows = [cards.slice(0, half), cards.slice(half)].filter(({ length }) => length);
  return h("span", { class: "open", "data-key": "open" }, rows.map((each) => row(each, labels(each), size)));
}

/** The labels of cards as a list. @param {Card[]} cards */
export function labels(cards) {
  return cards.map(({ label }) => label).join(", ");
}

/**
 * A fan of backs, for a hand that isn't open.
 *
 * @param {number} number
 */
export function fan(number) {
  const spread = Math.min(4, 48 / Math.max(number, 1));
  const backs = Array.from({ length: number }, (_, place) => {
    const angle = (place - (number - 1) / 2) * spread;
    return svg("g", { transform: `rotate(${angle.toFixed(1)} 60 150)` }, svg("use", { href: "#back" }));
  });
  return svg("svg", { class: "fan", viewBox: "0 0 120 66", "aria-hidden": "true", focusable: "false" }, backs);
}

/** The drawing that all fans use. */
export function definitions() {
  return svg(
    "svg",
    { class: "definitions", "aria-hidden": "true", focusable: "false" },
    svg(
      "g",
      { id: "back" },
      svg("rect", { class: "back-edge", x: 42, y: 6, width: 36, height: 50, rx: 5 }),
      svg("rect", { class: "back-paper", x: 45, y: 9, width: 30, height: 44, rx: 3 }),
      svg("path", { class: "lattice", d: "M60 13L72 31 60 49 48 31z" }),
    ),
  );
}
