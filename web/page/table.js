/**
 * @file The felt: players around, the direction of play, and in the middle the play to beat with the cycle's earlier
 * plays beneath, or the exchange.
 *
 * @typedef {import("./types.js").Play} Play
 * @typedef {import("./types.js").Table} Table
 */

import { definitions, labels, row } from "./cards.js";
import { h, svg } from "./dom.js";
import { name, seatElement } from "./seats.js";
import { say } from "./texts.js";

/** Pixels of an earlier play beneath the play to beat, as in the style sheets: a name, or its cards, and a gap. */
const NAME = 78;
const CARD = 32;
const CARD_STEP = 20;
const GAP = 10;
/** Pixels within the narrowest felt, and between the plays and its sides. */
const NARROWEST = 320;
const SIDES = 12;

/** @param {Table} table */
export function feltElement(table) {
  const seats = table.seats.map((_, seat) => seatElement(table, seat));
  return h(
    "section",
    { class: `felt seats-${table.seats.length}${table.you === null ? " watched" : ""}`, "aria-label": say("at_table"), "data-key": "felt" },
    definitions(),
    direction(table),
    h("ul", { class: "seats", "data-key": "seats" }, order(table).map((seat) => seats[seat])),
    middle(table),
  );
}

/** The seats in the order of play, the viewer last: so they are read as they act. @param {Table} table */
function order({ you, seats, direction }) {
  const first = you ?? 0;
  return seats.map((_, step) => (first + direction * (step + 1) + 2 * seats.length) % seats.length);
}

/** A ring of arrows, new with each move: it turns a little in the direction of play. @param {Table} table */
function direction({ direction: way, length }) {
  const arrow = "M60 6A54 54 0 0 0 13.2 33M13.2 33l-3-10M13.2 33l10-3";
  const arrows = [0, 120, 240].map((angle) => svg("path", { d: arrow, transform: `rotate(${angle} 60 60)` }));
  const name = way === 1 ? "direction" : "direction mirrored";
  return svg("svg", { class: name, viewBox: "0 0 120 120", "aria-hidden": "true", "data-key": `ring-${length}` }, arrows);
}

/** @param {Table} table */
function middle(table) {
  const isBefore = table.seats.reduce((sum, seat) => sum + seat.cards_left, 0) === 16 * table.seats.length;
  const shown = table.exchange && isBefore && !table.plays.length ? exchange(table) : trick(table);
  return h("div", { class: "middle", "data-key": "middle" }, shown);
}

/** @param {Table} table */
function trick(table) {
  const plays = table.plays.map((play, place) => ({ play, place })).reverse();
  if (!plays.length) return null;
  const width = (document.querySelector(".felt")?.clientWidth || NARROWEST) - SIDES;
  const needed = Math.max(NAME, CARD + CARD_STEP * (plays[0].play.cards.length - 1)) + GAP;
  const earlier = Math.floor((width + GAP) / needed);
  const shown = plays.slice(0, earlier + 1).map(({ play, place }) => playElement(table, play, place, plays.length));
  return h("ol", { class: "trick", "data-key": "trick" }, shown);
}

/**
 * @param {Table} table
 * @param {Play} play
 * @param {number} place  its place in the cycle
 * @param {number} number of plays in the cycle
 */
function playElement(table, play, place, number) {
  const isLast = place === number - 1;
  const size = isLast ? `large of-${play.cards.length}` : "small";
  const names = { "data-key": `play-${place}`, "data-seat": String(play.seat) };
  return h(
    "li",
    { class: isLast ? "play to-beat" : "play", ...names },
    row(play.cards, `${play.text}: ${labels(play.cards)}`, size),
    h("span", { class: "caption", "data-key": "caption" }, isLast && h("b", {}, play.text), who(table, play.seat)),
  );
}

/**
 * @param {Table} table
 * @param {number} seat
 */
function who(table, seat) {
  return name(table.seats[seat], "who");
}

/** The cards that change hands before the first play. @param {Table} table */
export function exchange(table) {
  const moves = (table.exchange ?? []).map(({ from, to, card }, place) => {
    const shown = row([card], card.label, "medium");
    const names = [who(table, from), h("span", { class: "arrow", "aria-hidden": "true" }, "→"), who(table, to)];
    return h("li", { "data-key": `move-${place}`, "data-from": String(from) }, shown, h("span", {}, names));
  });
  return h(
    "div",
    { class: "exchange", "data-key": "exchange" },
    h("p", {}, say("exchange")),
    h("ul", {}, moves),
  );
}
