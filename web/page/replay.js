/**
 * @file The replay of a match on the same felt: step by step or by itself, as seen by any seat.
 *
 * @typedef {import("./app.js").App} App
 * @typedef {import("./types.js").Replay} Replay
 * @typedef {import("./types.js").Review} Review
 */

import { announce } from "./announce.js";
import { openHand } from "./cards.js";
import { button, h, icon } from "./dom.js";
import { sorted } from "./hand.js";
import { selectElement } from "./lobby.js";
import { Places } from "./motion.js";
import { feltElement } from "./table.js";
import { say } from "./texts.js";
import { topBar } from "./topbar.js";

/** Milliseconds between two requests while the viewer steps quickly. */
const PAUSE = 200;
/** Milliseconds between moves, by the values of the menu. */
const SPEEDS = { "½×": 3000, "1×": 1500, "2×": 750, "4×": 375 };

export class ReplayScreen {
  #app;
  #match;
  #replay;
  /** The moment and the seat asked for last: their answer may be on its way. */
  #wanted;
  /** @type {number | null} */
  #seat;
  /** Ends when what is wanted is shown. @type {Promise<void> | null} */
  #going = null;
  #note = "";
  /** @type {Review["moves"]} */
  #advice = [];
  #speed = "1×";
  #timer = 0;

  /**
   * @param {App} app
   * @param {number} match
   * @param {Replay} replay
   */
  constructor(app, match, replay) {
    this.#app = app;
    this.#match = match;
    this.#replay = replay;
    this.#wanted = replay.moment;
    this.#seat = replay.you;
  }

  /** Stops the replay when another screen is shown. */
  close() {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  render() {
    const { moment, moments, title } = this.#replay;
    const place = say("moment", { number: moment + 1, count: moments });
    return h(
      "main",
      { class: "screen game replay", "data-key": "replay" },
      topBar(title, place),
      feltElement(withHands(this.#replay)),
      h("section", { class: "me", "aria-label": say("replay"), "data-key": "me" }, this.#below()),
    );
  }

  #below() {
    const { text, hand, sort, moment } = this.#replay;
    const advice = this.#advice.find((each) => each.moment === moment);
    return [
      h("p", { class: this.#note ? "status note" : "status", "data-key": "status" }, this.#note || text),
      advice && h("p", { class: "coach", "data-key": "coach" }, h("b", {}, say("coach")), " ", advice.text),
      hand.length > 0 && h("div", { class: "hold", "data-key": "hold" }, openHand(sorted(hand, sort), "medium")),
      this.#progress(),
      h("div", { class: "bar steps", "data-key": "bar" }, this.#steps()),
      h("div", { class: "bar views", "data-key": "views" }, this.#views()),
    ];
  }

  #progress() {
    const { moments } = this.#replay;
    const limits = { type: "range", min: "0", max: String(moments - 1), value: String(this.#wanted) };
    const words = { "aria-label": say("moment", { number: this.#wanted + 1, count: moments }) };
    const marks = this.#advice.map((each) => {
      const style = { left: `${(100 * each.moment) / Math.max(moments - 1, 1)}%` };
      return h("span", { class: "coach-mark", style });
    });
    return h(
      "div",
      { class: "progress", "data-key": "progress" },
      h("input", { ...limits, ...words, "data-change": "to" }),
      marks,
    );
  }

  #steps() {
    const { moment, moments } = this.#replay;
    const isFirst = moment === 0;
    const isLast = moment >= moments - 1;
    const run = this.#timer ? "halt" : "run";
    /** @param {string} action @param {"first" | "back" | "next" | "last" | "run" | "halt"} sign @param {boolean} disabled */
    const step = (action, sign, disabled) =>
      button(action, icon(sign), { disabled, "aria-label": say(sign), title: say(sign), "data-key": action });
    return [
      step("first", "first", isFirst),
      step("back", "back", isFirst),
      h("span", { class: "wide", "data-key": "run" }, step("run", run, isLast && !this.#timer)),
      step("next", "next", isLast),
      step("last", "last", isLast),
    ];
  }

  #views() {
    const { seats: players } = this.#replay;
    const seats = players.map(({ name }, number) => ({ value: String(number), text: name }));
    const views = [{ value: "all", text: say("all_hands") }, ...seats];
    const speeds = Object.keys(SPEEDS).map((value) => ({ value, text: value }));
    return [
      selectElement("view", say("views"), String(this.#seat ?? "all"), views),
      selectElement("speed", say("speed"), this.#speed, speeds),
      button("coach", this.#advice.length ? say("next_mistake") : say("coach"), { disabled: this.#seat === null }),
      button("share", icon("link"), { "aria-label": say("share"), title: say("share") }),
    ];
  }

  /** @type {Object<string, (element: HTMLElement) => void>} */
  actions = {
    first: () => this.#halt(0),
    back: () => this.#halt(Math.max(this.#wanted - 1, 0)),
    next: () => this.#halt(Math.min(this.#wanted + 1, this.#replay.moments - 1)),
    last: () => this.#halt(this.#replay.moments - 1),
    to: (element) => this.#halt(Number(/** @type {HTMLInputElement} */ (element).value)),
    run: () => this.#switch(),
    view: (element) => this.#view(/** @type {HTMLSelectElement} */ (element).value),
    speed: (element) => (this.#speed = /** @type {HTMLSelectElement} */ (element).value),
    coach: () => this.#review(),
    share: () => this.#share(),
  };

  /** @param {number} moment */
  #halt(moment) {
    this.close();
    this.#go(moment, this.#seat);
  }

  #switch() {
    if (this.#timer) this.close();
    else this.#plan();
    this.#app.draw();
  }

  #plan() {
    const pause = SPEEDS[/** @type {keyof typeof SPEEDS} */ (this.#speed)];
    this.#timer = window.setTimeout(() => this.#step(), pause);
  }

  async #step() {
    const timer = this.#timer;
    await this.#go(this.#replay.moment + 1, this.#seat);
    if (timer !== this.#timer) return; // it was stopped meanwhile
    if (this.#replay.moment >= this.#replay.moments - 1) this.close();
    else this.#plan();
    this.#app.draw();
  }

  /** Marks the moves of the shown hand that the coach would have made otherwise, or goes to the next of them. */
  async #review() {
    const { hand_number: hand, you: seat } = this.#replay;
    if (this.#advice.length) {
      const next = this.#advice.find((each) => each.moment > this.#wanted) ?? this.#advice[0];
      return this.#halt(next.moment);
    }
    const busy = say("coach_busy");
    this.#say(busy);
    const facts = { match: this.#match, hand, seat };
    const review = await this.#app.request("coach", facts, (text) => this.#say(text));
    if (!review && this.#note === busy) this.#say("");
    if (!review || hand !== this.#replay.hand_number || seat !== this.#replay.you) return;
    this.#advice = review.moves;
    this.#say(review.text);
  }

  /** @param {string} value */
  #view(value) {
    this.#advice = [];
    this.#go(this.#wanted, value === "all" ? null : Number(value));
  }

  /**
   * @param {number} moment
   * @param {number | null} seat
   */
  #go(moment, seat) {
    this.#wanted = moment;
    this.#seat = seat;
    this.#going ??= this.#ask().finally(() => (this.#going = null));
    return this.#going;
  }

  /** Asks until what is wanted is shown. So quick taps need one request at a time. */
  async #ask() {
    let isWanted = false;
    while (!isWanted) {
      const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
      const asked = { match: this.#match, moment: this.#wanted, seat: this.#seat };
      const answer = await this.#app.request("replay", asked, (text) => this.#say(text));
      if (this.#app.screen !== this) return;
      isWanted = asked.moment === this.#wanted && asked.seat === this.#seat;
      if (answer) this.#show(answer);
      else if (isWanted) return this.#giveUp();
      if (!isWanted) await pause;
    }
    if (!this.#timer) announce(this.#replay.text);
  }

  /** @param {Replay} replay */
  #show(replay) {
    const places = new Places();
    if (replay.hand_number !== this.#replay.hand_number) this.#advice = [];
    this.#replay = replay;
    this.#note = "";
    this.#app.draw();
    this.#app.write({ match: String(this.#match), moment: String(replay.moment) });
    places.fly(replay);
  }

  /** Stays at what is shown. */
  #giveUp() {
    this.#wanted = this.#replay.moment;
    this.#seat = this.#replay.you;
    this.close();
    this.#app.draw();
  }

  async #share() {
    const address = this.#app.linkTo({ match: String(this.#match), moment: String(this.#replay.moment) });
    try {
      await navigator.clipboard.writeText(address);
      this.#say(say("copied"));
    } catch {
      this.#say(address);
    }
  }

  /** @param {string} text */
  #say(text) {
    if (this.#app.screen !== this) return;
    this.#note = text;
    announce(text);
    this.#app.draw();
  }

  /** The arrow keys step. @param {KeyboardEvent} event */
  onKey(event) {
    if (/^(INPUT|SELECT)$/.test(/** @type {HTMLElement} */ (event.target).tagName)) return;
    if (event.key === "ArrowRight") this.actions.next(document.body);
    if (event.key === "ArrowLeft") this.actions.back(document.body);
  }
}

/** The match with the open hands at their seats; the viewpoint's is shown below. @param {Replay} replay */
function withHands(replay) {
  const seats = replay.seats.map((seat, number) => ({
    ...seat,
    is_you: number === replay.you,
    cards: number === replay.you ? [] : sorted(replay.hands[number], replay.sort),
  }));
  return { ...replay, seats };
}
