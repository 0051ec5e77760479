/**
 * @file The end of a hand: everybody's cards, penalty points and totals; after a match also the ranking.
 *
 * @typedef {import("./types.js").ResultRow} ResultRow
 * @typedef {import("./types.js").Table} Table
 */

import { labels, row } from "./cards.js";
import { button, h, icon } from "./dom.js";
import { exchange } from "./table.js";
import { count, say } from "./texts.js";

/** @type {Object<number, string>} */
const MEDALS = { 1: "🥇", 2: "🥈", 3: "🥉" };

/**
 * @param {Table} table
 * @param {string} note  why the last request was refused
 */
export function resultElement(table, note) {
  const { notice, result, ranking, status } = table;
  const title = status === "over" ? say("match_over") : (result?.text ?? "");
  return h(
    "section",
    { class: "result", role: "dialog", "aria-modal": "true", "aria-labelledby": "result-title", "data-key": "result" },
    h("h1", { id: "result-title", tabindex: -1 }, title),
    status === "over" && notice !== title && h("p", { class: "notice" }, notice),
    ranking && status === "over" ? rankingElement(ranking) : null,
    result?.play.length && status !== "over" ? row(result.play, labels(result.play), "medium") : null,
    status !== "over" && h("p", { class: "goal" }, say("goal")),
    result ? hands(result.rows, result.winner) : null,
    status !== "over" && table.exchange?.length ? exchange(table) : null,
    note && h("p", { class: "notice" }, note),
    h("div", { class: "buttons" }, buttons(table)),
  );
}

/** @param {NonNullable<Table["ranking"]>} ranking */
function rankingElement(ranking) {
  const rows = ranking.map(({ place, name, total }) =>
    h(
      "li",
      { class: place === 1 ? "first" : "" },
      h("span", { class: "place" }, MEDALS[place] ?? "", h("span", {}, `${place}.`)),
      h("bdi", {}, name),
      h("span", {}, count("points", total)),
    ),
  );
  return h("ol", { class: "ranking" }, rows);
}

/**
 * @param {ResultRow[]} rows
 * @param {number} winner
 */
function hands(rows, winner) {
  const ordered = [...rows].sort((one, other) => one.penalty - other.penalty);
  return h("ul", { class: "hands" }, ordered.map((each) => handRow(each, each.seat === winner)));
}

/**
 * @param {ResultRow} each
 * @param {boolean} isWinner
 */
function handRow(each, isWinner) {
  const left = count("cards", each.left);
  const cards = each.cards.length ? row(each.cards, `${left}: ${labels(each.cards)}`, "tiny") : h("span", {}, left);
  return h(
    "li",
    { class: isWinner ? "winner" : "" },
    h("span", { class: "who" }, isWinner && icon("crown"), h("bdi", {}, each.name)),
    h("span", { class: "penalty" }, `+${each.penalty}`),
    h("span", { class: "sum" }, count("points", each.total)),
    each.left > 0 && h("span", { class: "rest" }, cards),
  );
}

/** @param {Table} table */
function buttons(table) {
  if (table.status !== "over") return [button("close_result", say("close_result"), { class: "primary" })];
  return [...afterMatch(table), button("close_result", say("at_table"))];
}

/** What can be done after a match. @param {Table} table */
export function afterMatch({ can }) {
  return [
    can.includes("rematch") && button("rematch", say("rematch"), { class: "primary" }),
    can.includes("replay") && button("replay", say("replay")),
  ];
}
