/**
 * @file The screen of a table that waits for players.
 *
 * @typedef {import("./app.js").App} App
 * @typedef {import("./types.js").LobbyOption} LobbyOption
 * @typedef {import("./types.js").Seat} Seat
 * @typedef {import("./types.js").Table} Table
 */

import { announce } from "./announce.js";
import { button, h } from "./dom.js";
import { name, placeOf } from "./seats.js";
import { say } from "./texts.js";
import { topBar } from "./topbar.js";

export class LobbyScreen {
  #app;
  #table;
  #note = "";
  #isBusy = false;
  /** The number of times that other buttons have become possible. */
  #changes = 0;

  /**
   * @param {App} app
   * @param {Table} table
   */
  constructor(app, table) {
    this.#app = app;
    this.#table = table;
  }

  get number() {
    return this.#table.number;
  }

  /** @param {Table} table */
  show(table) {
    const before = this.#table;
    this.#table = table;
    if (table.revision !== before.revision) this.#note = "";
    if (table.can.join() !== before.can.join()) this.#changes += 1;
    const names = named(table);
    if (names !== named(before)) announce(names);
    if (table.notice !== before.notice) announce(table.notice);
    this.#app.draw();
  }

  render() {
    const { title, options, notice, settings } = this.#table;
    const classes = this.#changes % 2 ? "buttons odd" : "buttons even";
    return h(
      "main",
      { class: "screen lobby", "data-key": "lobby" },
      topBar(title, options),
      h("section", { class: "felt", "aria-label": say("at_table") }, h("ol", { class: "places" }, this.#places())),
      h("p", { class: this.#note ? "status note" : "status", "data-key": "status" }, this.#note || notice),
      h("div", { class: classes, "data-key": "buttons" }, buttons(this.#table)),
      settings.length > 0 && optionsElement(settings),
    );
  }

  #places() {
    const { seats, size } = this.#table;
    return Array.from({ length: size }, (_, number) => {
      const content = number < seats.length ? taken(seats[number]) : h("span", { class: "free" }, say("free_seat"));
      return h("li", { class: `place at-${placeOf(this.#table, number)}`, "data-key": `place-${number}` }, content);
    });
  }

  /** @type {Object<string, (element: HTMLElement) => void>} */
  actions = {
    join: () => this.#press("join"),
    leave: () => this.#press("leave"),
    start: () => this.#press("start"),
    fill: () => this.#press("start", { fill: true }),
    add_ai: () => this.#press("add_ai"),
    remove_ai: () => this.#press("remove_ai"),
    option: (element) => this.#setOption(/** @type {HTMLSelectElement} */ (element)),
  };

  /** @param {HTMLSelectElement} element */
  #setOption(element) {
    this.#ask("option", { name: element.dataset.name, value: element.value });
  }

  /**
   * @param {string} action
   * @param {Object} [facts]
   */
  async #ask(action, facts = {}) {
    await this.#app.request(action, { table: this.#table.number, ...facts }, (text) => {
      this.#note = text;
      announce(text);
      this.#app.draw();
    });
  }

  /**
   * The same for a button. Until it's answered, no other is sent.
   *
   * @param {string} action
   * @param {Object} [facts]
   */
  async #press(action, facts) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    await this.#ask(action, facts);
    this.#isBusy = false;
  }
}

/** @param {Table} table */
function named({ seats }) {
  return seats.map((seat) => seat.name).join(", ");
}

/** @param {Seat} seat */
function taken(seat) {
  const shown = seat.is_host ? { ...seat, name: say("host", { name: seat.name }) } : seat;
  return [h("span", { class: "name" }, name(shown)), h("span", { class: "facts" }, seat.note)];
}

/** A menu for each option. Its values name it. @param {LobbyOption[]} settings */
function optionsElement(settings) {
  const shown = settings.map(({ name: option, text, value, choices }) =>
    selectElement("option", text, value, choices, { "data-name": option, "data-key": option }),
  );
  return h("section", { class: "options", "data-key": "options" }, h("h2", {}, say("options")), shown);
}

/**
 * What the viewer can do, that which leads to the first card in gold. The host's buttons keep their places.
 *
 * @param {Table} table
 */
function buttons({ can, settings }) {
  const first = can.includes("start") ? "start" : "fill";
  const ofHost = [first, "add_ai", "remove_ai", "leave"];
  const shown = settings.length ? ofHost : ["join", "leave"].filter((action) => can.includes(action));
  return shown.map((action) => {
    const isFirst = ["join", "start", "fill"].includes(action);
    return button(action, say(action), { class: isFirst ? "primary" : null, disabled: !can.includes(action) });
  });
}

/**
 * @param {string} action
 * @param {string} label
 * @param {string} value
 * @param {{value: string, text: string}[]} choices
 * @param {Object<string, string>} [attributes]
 */
export function selectElement(action, label, value, choices, attributes = {}) {
  const options = choices.map((choice) =>
    h("option", { value: choice.value, selected: choice.value === value }, choice.text),
  );
  return h("select", { "data-change": action, "data-key": action, "aria-label": label, ...attributes }, options);
}
