/**
 * @file The buttons below the hand. Each has its place and keeps it: what can't be done now is disabled. An aid that the
 * table doesn't have is left out.
 *
 * @typedef {import("./types.js").Choice} Choice
 * @typedef {import("./types.js").Table} Table
 */

import { labels, row } from "./cards.js";
import { button, h } from "./dom.js";
import { count, say } from "./texts.js";

/**
 * @typedef {Object} State
 * @property {number} selected       number of selected cards
 * @property {Choice | undefined} chosen  the legal play that is selected
 * @property {boolean} says          "Last card!" is said with the play
 * @property {boolean} isBusy        a move isn't answered yet
 * @property {boolean} isThinking    a hint isn't answered yet
 */

/**
 * @param {Table} table
 * @param {State} state
 */
export function barElement(table, state) {
  return h(
    "div",
    { class: "bar", "data-key": "bar" },
    h("div", { class: "more", "data-key": "more" }, moreButtons(table, state)),
    h("div", { class: "moves", "data-key": "moves" }, moveButtons(table, state)),
  );
}

/**
 * @param {Table} table
 * @param {State} state
 */
function moreButtons(table, { selected, chosen, says, isThinking }) {
  const can = new Set(table.can);
  const leavesOne = !can.has("declare") && chosen?.last_card === true;
  const pressed = { "aria-pressed": leavesOne ? String(says) : null };
  return [
    table.allows.includes("hint") && button("hint", say("hint"), { disabled: !can.has("hint") || isThinking }),
    button("why", say("why"), { disabled: !can.has("why") || !selected }),
    button("declare", say("declare"), { disabled: !can.has("declare") && !leavesOne, class: "alarm", ...pressed }),
    table.allows.includes("undo") && button("undo", say("undo"), { disabled: !can.has("undo") }),
  ];
}

/**
 * @param {Table} table
 * @param {State} state
 */
function moveButtons(table, state) {
  const can = new Set(table.can);
  const isPassBest = can.has("pass") && !table.choices.length;
  const back = ["come_back", "resume"].find((action) => can.has(action));
  return [
    button("pass", say("pass"), { disabled: !can.has("pass") || state.isBusy, class: isPassBest ? "primary" : null }),
    back ? button(back, say(back), { class: "primary", "data-key": "play" }) : playButton(can, state),
  ];
}

/**
 * @param {Set<string>} can
 * @param {State} state
 */
function playButton(can, { selected, chosen, says, isBusy }) {
  if (can.has("give_back")) {
    const disabled = selected !== 1 || isBusy;
    return button("give_back", say("give_back"), { disabled, class: "primary", "data-key": "play" });
  }
  const label = chosen?.last_card && says ? say("play_last") : say("play");
  const what = chosen ? h("small", {}, chosen.text) : null;
  const disabled = !can.has("play") || !selected || isBusy;
  return button("play", [h("span", {}, label), what], { disabled, class: chosen ? "primary" : null });
}

/**
 * The legal plays that one more tap selects, or a line that says what to do.
 *
 * @param {Table} table
 * @param {Choice[]} offers
 * @param {number[]} selected  cards
 */
export function offersElement(table, offers, selected) {
  const shown = offers.map((choice) => offerElement(table, choice));
  if (table.can.includes("cancel_orders")) shown.unshift(h("li", {}, button("cancel_orders", say("cancel_orders"))));
  const label = count(selected.length ? "plays_with" : "plays", offers.length);
  const content = shown.length ? h("ul", { "aria-label": label, "data-key": selected.join(" ") }, shown) : h("p", {}, advice(table, selected.length));
  return h("div", { class: "offers", "data-key": "offers" }, content);
}

/**
 * What can be done with the hand now.
 *
 * @param {Table} table
 * @param {number} selected
 */
function advice({ can, choices, status }, selected) {
  if (selected || can.includes("give_back") || status === "over") return "";
  if (can.includes("play")) return say(choices.length ? "tap_a_card" : "no_play");
  return can.length ? say("waiting") : "";
}

/**
 * @param {Table} table
 * @param {Choice} choice
 */
function offerElement(table, choice) {
  const cards = choice.cards.flatMap((id) => table.hand.find((card) => card.id === id) ?? []);
  const content = [row(cards, labels(cards), "mini"), h("span", {}, choice.text)];
  const name = { "data-offer": choice.cards.join(" ") };
  return h("li", { "data-key": choice.cards.join(" ") }, button("offer", content, name));
}
