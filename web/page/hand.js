/**
 * @file The viewer's hand: a fan of cards, each a button at least 44 pixels wide, in as many rows as that needs.
 *
 * @typedef {import("./types.js").Card} Card
 */

import { face, keysOf } from "./cards.js";
import { h } from "./dom.js";
import { say } from "./texts.js";

/** Pixels of a card that a finger can reach. */
const REACH = 44;
/** Cards of a hand after the deal. */
const WHOLE = 16;
const COLORS = ["green", "yellow", "red", "multi"];
const SPECIAL = { P: 11, D: 12 };

/**
 * @typedef {Object} Look
 * @property {string[]} selected  keys of cards
 * @property {number[] | null} playable  null if no card is dim
 * @property {number} width   pixels of the hand
 * @property {string} at      the key of the card that the Tab key reaches
 */

/**
 * @param {Card[]} cards  in the order in which they are shown
 * @param {Look} look
 */
export function handElement(cards, look) {
  const rows = rowsFor(cards.length, look.width);
  const perRow = Math.ceil(cards.length / rows);
  const keys = keysOf(cards);
  const reached = keys.includes(look.at) ? look.at : keys[0];
  const shown = cards.map((card, place) => {
    const row = Math.floor(place / perRow);
    const inRow = row === rows - 1 ? cards.length - row * perRow : perRow;
    const element = cardElement(card, keys[place], look, keys[place] === reached);
    return lay(element, row, (place % perRow) - (inRow - 1) / 2);
  });
  const style = { "--rows": String(rows), "--gaps": String(Math.max(perRow - 1, 1)), "--ends": sag((perRow - 1) / 2) };
  return h("div", { class: "hand", role: "group", "aria-label": say("my_hand"), style, "data-key": "hand" }, shown);
}

/**
 * The rows of a hand. The card that is to be given back needs no row of its own.
 *
 * @param {number} cards
 * @param {number} width
 */
function rowsFor(cards, width) {
  const most = Math.max(4, Math.floor(width / REACH));
  return Math.max(1, Math.ceil(Math.min(cards, WHOLE) / most));
}

/**
 * @param {Card} card
 * @param {string} key
 * @param {Look} look
 * @param {boolean} isReached
 */
function cardElement(card, key, { selected, playable }, isReached) {
  const isDim = playable !== null && !playable.includes(card.id);
  const state = { "aria-pressed": String(selected.includes(key)), tabindex: isReached ? "0" : "-1" };
  const classes = `card${isDim ? " dim" : ""}${isReached ? " home" : ""}`;
  const names = { "data-do": "card", "data-key": key, "data-card": String(card.id) };
  const words = isDim ? { "aria-description": say("dim") } : {};
  const picture = h("span", { role: "img", "aria-label": card.label }, face(card));
  return h("button", { type: "button", class: classes, ...names, ...state, ...words }, picture);
}

/**
 * @param {HTMLElement} element
 * @param {number} row
 * @param {number} offset  cards from the middle of the row
 */
function lay(element, row, offset) {
  element.style.setProperty("--row", String(row));
  element.style.setProperty("--offset", String(offset));
  element.style.setProperty("--drop", sag(offset));
  return element;
}

/** How far a card of the fan hangs down. @param {number} offset */
function sag(offset) {
  return `${(0.22 * offset ** 2).toFixed(1)}px`;
}

/**
 * The cards sorted by number, or by color and then by number.
 *
 * @param {Card[]} cards
 * @param {string} order
 */
export function sorted(cards, order) {
  const byColor = order === "color";
  return [...cards].sort((one, other) => {
    const colors = COLORS.indexOf(one.color) - COLORS.indexOf(other.color);
    const numbers = rank(one) - rank(other);
    return (byColor ? colors || numbers : numbers || colors) || one.id - other.id;
  });
}

/** @param {Card} card */
function rank({ number }) {
  return number === "P" || number === "D" ? SPECIAL[number] : Number(number);
}

/**
 * Moves the focus to the next card in a direction.
 *
 * @param {HTMLElement} card
 * @param {string} key  an arrow key, Home or End
 * @returns {HTMLElement | null}
 */
export function neighbor(card, key) {
  const cards = /** @type {HTMLElement[]} */ ([...(card.parentElement?.children ?? [])]);
  const at = cards.indexOf(card);
  if (key === "Home") return cards[0];
  if (key === "End") return cards[cards.length - 1];
  if (key === "ArrowLeft") return cards[at - 1] ?? null;
  if (key === "ArrowRight") return cards[at + 1] ?? null;
  return inOtherRow(cards, card, key === "ArrowUp" ? -1 : 1);
}

/**
 * @param {HTMLElement[]} cards
 * @param {HTMLElement} card
 * @param {number} step
 */
function inOtherRow(cards, card, step) {
  const row = Number(card.style.getPropertyValue("--row")) + step;
  const offset = Number(card.style.getPropertyValue("--offset"));
  /** @param {HTMLElement} other */
  const distance = (other) => Math.abs(Number(other.style.getPropertyValue("--offset")) - offset);
  const others = cards.filter((other) => Number(other.style.getPropertyValue("--row")) === row);
  return others.sort((one, other) => distance(one) - distance(other))[0] ?? null;
}
