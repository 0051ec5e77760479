/**
 * @file The players around the table.
 *
 * @typedef {import("./types.js").Seat} Seat
 * @typedef {import("./types.js").Table} Table
 */

import { fan, openHand } from "./cards.js";
import { timeLeft } from "./clock.js";
import { h, icon } from "./dom.js";
import { count, say } from "./texts.js";

/** Seats are numbered counter-clockwise. So the next one sits at the right of the viewer. */
const PLACES = { 3: ["bottom", "right", "left"], 4: ["bottom", "right", "top", "left"] };

/**
 * The side of the table at which a seat is shown. The viewer sits at the bottom.
 *
 * @param {{size: number, you: number | null}} table
 * @param {number} seat
 * @returns {string}
 */
export function placeOf({ size, you }, seat) {
  const places = size === 3 ? PLACES[3] : PLACES[4];
  return places[(seat - (you ?? 0) + size) % size];
}

/**
 * A player with the cards left as backs, the total, and what the player does.
 *
 * @param {Table} table
 * @param {number} number
 */
export function seatElement(table, number) {
  const seat = table.seats[number];
  const place = placeOf(table, number);
  const classes = ["seat", `at-${place}`, seat.is_turn && "turn", seat.passed && "passed", seat.is_you && "you"];
  return h(
    "li",
    { class: classes.filter(Boolean).join(" "), "data-key": `seat-${number}`, "data-seat": String(number) },
    seat.is_turn && h("span", { class: "pointer", "data-key": "pointer" }, icon("point")),
    seat.cards?.length ? openHand(seat.cards, "tiny") : seat.is_you ? null : closedHand(seat),
    h("span", { class: "name", "data-key": "name" }, name(seat)),
    facts(seat),
    marks(table, seat),
  );
}

/**
 * A name, with the sign of an AI player.
 *
 * @param {{name: string, is_ai: boolean}} seat
 * @param {string} [key]
 */
export function name(seat, key = "bdi") {
  return h("bdi", { "data-key": key }, seat.is_ai ? `🤖 ${seat.name}` : seat.name);
}

/** @param {Seat} seat */
function closedHand(seat) {
  const left = count("cards", seat.cards_left);
  return h(
    "span",
    { class: "held", role: "img", "aria-label": left, "data-key": "held" },
    fan(seat.cards_left),
    h("span", { class: "left" }, String(seat.cards_left)),
  );
}

/** @param {Seat} seat */
function facts(seat) {
  const shown = [seat.is_you && count("cards", seat.cards_left), count("points", seat.total)];
  return h("span", { class: "facts", "data-key": "facts" }, shown.filter(Boolean).join(" · "));
}

/**
 * What the seat does, with a sign and words, and the time left.
 *
 * @param {Table} table
 * @param {Seat} seat
 */
function marks(table, seat) {
  const isOwnTurn = seat.is_you && seat.is_turn; // the line above the hand says the rest
  const until = seat.is_turn && table.status === "playing" ? table.turn?.until : null;
  const shown = [
    seat.last_card && h("span", { class: "mark alarm", "data-key": "last" }, say("last_card")),
    !isOwnTurn && seat.note && h("span", { class: "mark", "data-key": "note" }, seat.note),
    until && h("span", { class: "mark time", "data-key": "time", "data-until": String(until) }, timeLeft(until)),
  ];
  return h("span", { class: "marks", "data-key": "marks" }, shown);
}
