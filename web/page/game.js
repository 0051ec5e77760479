/**
 * @file The screen of a table on which a match is played: the felt, the hand and the buttons.
 *
 * @typedef {import("./app.js").App} App
 * @typedef {import("./types.js").Refusal} Refusal
 * @typedef {import("./types.js").Table} Table
 */

import { announce } from "./announce.js";
import { barElement, offersElement } from "./bar.js";
import { Chooser } from "./choose.js";
import { button, h } from "./dom.js";
import { handElement, neighbor, sorted } from "./hand.js";
import { deal, Places } from "./motion.js";
import { prefer, preference } from "./preferences.js";
import { afterMatch, resultElement } from "./result.js";
import { sound } from "./sounds.js";
import { feltElement } from "./table.js";
import { say } from "./texts.js";
import { topBar } from "./topbar.js";

export class Game {
  #app;
  /** @type {Table} */
  #table;
  /** Keys of cards. @type {string[]} */
  #selected = [];
  #at = "";
  #note = "";
  #says = true;
  #isBusy = false;
  #isThinking = false;
  #showsResult = false;
  /** The last hand whose result has been shown. */
  #ended;

  /**
   * @param {App} app
   * @param {Table} table
   */
  constructor(app, table) {
    this.#app = app;
    this.#table = table;
    this.#showsResult = table.status === "over" || isUnread(table);
    this.#ended = table.result?.hand ?? 0;
    announce(table.turn?.text ?? table.notice);
  }

  /** @returns {number} */
  get number() {
    return this.#table.number;
  }

  /**
   * Shows a newer update of the table.
   *
   * @param {Table} table
   */
  show(table) {
    const before = this.#table;
    const places = new Places();
    this.#table = table;
    this.#selected = table.hand.length < before.hand.length ? [] : this.#chooser().selected;
    if (table.moment !== before.moment) this.#begin();
    this.#end(before);
    this.#app.draw();
    places.fly(table);
    if (before.hand_number !== table.hand_number) deal();
    this.#tell(before);
  }

  /** Shows the result of each hand once, and that of the match. @param {Table} before */
  #end(before) {
    const { result, status } = this.#table;
    const isNew = (result?.hand ?? 0) > this.#ended || (status === "over" && before.status !== "over");
    if (!isNew) return;
    this.#ended = result?.hand ?? this.#ended;
    this.#showsResult = true;
    this.#selected = [];
  }

  #begin() {
    this.#note = "";
    this.#says = true;
  }

  /** Says and sounds what has happened. @param {Table} before */
  #tell(before) {
    const { events, turn, you, can, notice } = this.#table;
    for (const { text } of events) announce(text);
    if (notice !== before.notice) announce(notice);
    const kinds = events.map(({ kind }) => kind);
    const mayMove = can.includes("play") || can.includes("give_back");
    const isNewTurn = mayMove && (before.turn?.seat !== you || before.moment !== this.#table.moment);
    const isNews = !events.length && turn?.text !== before.turn?.text;
    if (turn && (isNewTurn || isNews)) announce(turn.text);
    if (kinds.includes("gang")) sound("gang");
    else if (isNewTurn) sound("turn");
    else if (kinds.includes("play")) sound("play");
  }

  render() {
    const { title, hand_title: handTitle, options, you, status } = this.#table;
    const isOver = status === "over";
    const end = isOver && h("div", { class: "buttons", "data-key": "after" }, afterMatch(this.#table));
    const own = end || (you === null ? spectator() : this.#own());
    const tools = you === null ? [] : [sortButton(this.#order() === "color")];
    const result = this.#showsResult && resultElement(this.#table, this.#note);
    const parts = [
      topBar(title, `${handTitle} · ${options}`, tools),
      feltElement(this.#table),
      h("section", { class: "me", "aria-label": say("my_hand"), "data-key": "me" }, this.#status(), own),
    ];
    for (const part of parts) part.toggleAttribute("inert", Boolean(result));
    return h("main", { class: "screen game", "data-key": `game-${status}` }, parts, result);
  }

  #own() {
    const { hand, can, choices } = this.#table;
    const chooser = this.#chooser();
    const shown = {
      selected: this.#selected,
      playable: can.includes("play") ? choices.flatMap(({ cards }) => cards) : null,
      width: (document.querySelector(".me")?.clientWidth || innerWidth) - 8,
      at: this.#at,
    };
    const state = {
      selected: this.#selected.length,
      chosen: can.includes("play") ? chooser.chosen() : undefined,
      says: this.#says,
      isBusy: this.#isBusy,
      isThinking: this.#isThinking,
    };
    return [
      offersElement(this.#table, chooser.offers(), chooser.ids),
      h("div", { class: "hold", "data-key": "hold" }, handElement(sorted(hand, this.#order()), shown)),
      barElement(this.#table, state),
    ];
  }

  /** The line above the hand: the answer to the last request, or else whose turn it is. */
  #status() {
    const { turn, notice, can } = this.#table;
    const text = this.#note || [turn?.text, notice].filter(Boolean).join("\n");
    const isMine = can.includes("play") || can.includes("give_back");
    const classes = ["status", this.#note && "note", isMine && "mine"].filter(Boolean).join(" ");
    return h("p", { class: classes, "data-key": "status" }, text);
  }

  #order() {
    return preference("sort", this.#table.sort);
  }

  #chooser() {
    return new Chooser(this.#table.hand, this.#table.choices, this.#selected);
  }

  /** What the buttons do. @type {Object<string, (element: HTMLElement) => void>} */
  actions = {
    card: (element) => this.#tap(element.dataset.key ?? ""),
    offer: (element) => this.#take(element.dataset.offer ?? ""),
    play: () => this.play(),
    pass: () => this.#move("pass"),
    give_back: () => this.play(),
    declare: () => this.#declare(),
    undo: () => this.#move("undo"),
    come_back: () => this.#move("come_back"),
    resume: () => this.#move("resume"),
    cancel_orders: () => this.#move("cancel_orders"),
    hint: () => this.#hint(),
    why: () => this.#why(),
    sort: () => this.#sort(),
    rematch: () => this.#rematch(),
    replay: () => this.#app.openReplay(this.#table.number, 0),
    close_result: () => this.#closeResult(),
  };

  /** @param {string} key */
  #tap(key) {
    const chooser = this.#chooser();
    const isOne = this.#table.can.includes("give_back");
    if (isOne) chooser.selected = this.#selected.includes(key) ? [] : [key];
    else chooser.tap(key);
    this.#select(chooser.selected);
  }

  /** @param {string} ids */
  #take(ids) {
    const chooser = this.#chooser();
    const choice = this.#table.choices.find(({ cards }) => cards.join(" ") === ids);
    if (choice) chooser.take(choice.cards);
    this.#select(chooser.selected);
    const text = chooser.chosen()?.text;
    if (text) announce(text);
  }

  /** @param {string[]} cards */
  #select(cards) {
    this.#selected = cards;
    this.#begin();
    this.#app.draw();
  }

  /** Plays the selected cards, or gives the selected card back. */
  play() {
    const chooser = this.#chooser();
    const cards = chooser.ids;
    if (this.#table.can.includes("give_back")) return this.#move("give_back", { card: cards[0] });
    this.#move("play", { cards, last_card: chooser.chosen()?.last_card === true && this.#says });
  }

  /** Plays a card that was dragged to the table, with the selected ones if it's among them. @param {string} key */
  drop(key) {
    if (!this.#selected.includes(key)) {
      this.#selected = [];
      this.#tap(key);
    }
    this.play();
  }

  /** @param {string} key */
  isSelected(key) {
    return this.#selected.includes(key);
  }

  #declare() {
    if (this.#table.can.includes("declare")) return this.#move("declare");
    this.#says = !this.#says;
    this.#app.draw();
  }

  #sort() {
    prefer("sort", this.#order() === "color" ? "number" : "color");
    this.#app.draw();
  }

  #closeResult() {
    this.#showsResult = false;
    prefer("result", resultOf(this.#table));
    this.#app.draw();
  }

  /**
   * Sends a move. Until it's answered, no other is sent.
   *
   * @param {string} action
   * @param {Object} [facts]
   */
  async #move(action, facts) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#app.draw();
    await this.#ask(action, facts);
    this.#isBusy = false;
    this.#app.draw();
  }

  /**
   * Sends a request about this moment, and shows the sentence if it's refused.
   *
   * @param {string} action
   * @param {Object} [facts]
   */
  #ask(action, facts = {}) {
    const { number, moment } = this.#table;
    return this.#app.request(action, { table: number, moment, ...facts }, (text) => this.#say(text));
  }

  async #hint() {
    const { moment } = this.#table;
    this.#isThinking = true;
    this.#app.draw();
    const answer = await this.#ask("hint");
    this.#isThinking = false;
    this.#app.draw();
    if (!answer || moment !== this.#table.moment) return;
    const chooser = this.#chooser();
    chooser.take(answer.cards);
    this.#selected = chooser.selected;
    this.#say(answer.text);
  }

  async #why() {
    const answer = await this.#ask("why", { cards: this.#chooser().ids });
    if (answer) this.#say(answer.text);
  }

  async #rematch() {
    const answer = await this.#ask("rematch");
    if (answer && this.#app.screen === this) this.#app.openTable(answer.table);
  }

  /** @param {string} text */
  #say(text) {
    if (this.#app.screen !== this) return;
    this.#note = text;
    announce(text);
    this.#app.draw();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.key === "Escape" && this.#showsResult) return this.#closeResult();
    if (event.key === "Escape" && this.#selected.length) return this.#select([]);
    if (!target.matches(".hand > .card")) return;
    if (event.key === "Enter" && this.#selected.length) {
      event.preventDefault();
      if (!event.repeat) this.play();
    } else if (/^(Arrow|Home|End)/.test(event.key)) {
      event.preventDefault();
      neighbor(target, event.key)?.focus();
    }
  }

  /** Remembers the card to which the Tab key returns. @param {HTMLElement} target */
  onFocus(target) {
    if (!target.matches(".hand > .card") || target.dataset.key === this.#at) return;
    this.#at = target.dataset.key ?? "";
    this.#app.draw();
  }
}

/** The last hand that has ended, as it's remembered. @param {Table} table */
function resultOf({ number, result }) {
  return `${number}.${result?.hand}`;
}

/** True if the last hand's result is news that hasn't been closed in this browser. @param {Table} table */
function isUnread(table) {
  return Boolean(table.result?.is_news) && preference("result", "") !== resultOf(table);
}

/** Shows the order that it makes. @param {boolean} isByColor */
function sortButton(isByColor) {
  const label = say(isByColor ? "sort_number" : "sort_color");
  return button("sort", isByColor ? "⇅ 1 2 3" : "⇅ ▲ ● ◆", { class: "tool", "aria-label": label, title: label });
}

function spectator() {
  return h("p", { class: "spectator", "data-key": "spectator" }, say("spectator"));
}
