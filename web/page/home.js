/**
 * @file The first screen without a table: a match against AI, the hand of the day, and the tables.
 *
 * @typedef {import("./app.js").App} App
 * @typedef {import("./types.js").Home} Home
 */

import { announce } from "./announce.js";
import { row } from "./cards.js";
import { button, h, icon } from "./dom.js";
import { say } from "./texts.js";
import { topBar } from "./topbar.js";

/** The cards of the picture: decoration. @type {import("./types.js").Card[]} */
const PICTURE = [
  { id: 1, number: "4", color: "green", label: "" },
  { id: 2, number: "4", color: "yellow", label: "" },
  { id: 3, number: "4", color: "yellow", label: "" },
  { id: 4, number: "4", color: "red", label: "" },
];

/** Milliseconds between two looks at the tables. */
const LOOK = 30_000;

export class HomeScreen {
  #app;
  #home;
  #timer = 0;
  /** The number of times that the viewer has turned the page. */
  #turns = 0;
  #note = "";
  /** Today's hand before it's dealt, and its day. @type {{day: string, offer: string, fingerprint: string} | null} */
  #offer = null;

  /**
   * @param {App} app
   * @param {Home} home
   */
  constructor(app, home) {
    this.#app = app;
    this.#home = home;
    this.#timer = window.setInterval(this.#look, LOOK);
    document.addEventListener("visibilitychange", this.#look);
  }

  /** Stops looking when another screen is shown. */
  close() {
    clearInterval(this.#timer);
    document.removeEventListener("visibilitychange", this.#look);
  }

  /** Shows how the tables are now. */
  #look = () => {
    if (document.visibilityState === "visible") this.#turn(0, () => {});
  };

  render() {
    const logout = button("logout", icon("out"), { class: "tool", "aria-label": say("logout"), title: say("logout") });
    return h(
      "main",
      { class: "screen home-screen", "data-key": "home" },
      topBar("Gang of Four", "", this.#app.isInFrame ? [] : [logout], { isHome: true }),
      h("div", { class: "picture", "aria-hidden": "true", "data-key": "picture" }, row(PICTURE, "", "medium")),
      this.#note && h("p", { class: "status note", "data-key": "status" }, this.#note),
      h("div", { class: "buttons starts", "data-key": "starts" }, starts(this.#home)),
      this.#offer && offerElement(this.#offer),
      tableList(this.#home),
    );
  }

  /** @type {Object<string, (element: HTMLElement) => void>} */
  actions = {
    create: () => this.#begin("create"),
    daily: () => this.#begin("daily"),
    deal: () => this.#begin("daily", { day: this.#offer?.day }),
    back: () => this.#turn(-1, this.#refuse),
    next: () => this.#turn(1, this.#refuse),
    open: (element) => this.#app.openTable(Number(element.dataset.table)),
    logout: () => this.#app.logout(),
  };

  /**
   * Shows another page of the tables, or the same again.
   *
   * @param {-1 | 0 | 1} by
   * @param {(text: string) => void} refused
   */
  async #turn(by, refused) {
    const turns = (this.#turns += Math.abs(by));
    const home = await this.#app.request(by ? "home" : "look", { page: this.#home.page + by }, refused);
    if (home && turns === this.#turns) this.#home = home;
    this.#app.draw();
  }

  #refuse = (/** @type {string} */ text) => {
    this.#note = text;
    announce(text);
  };

  /**
   * Opens a table, or shows the offer of today's hand.
   *
   * @param {string} action
   * @param {Object} [facts]
   */
  async #begin(action, facts = {}) {
    const answer = await this.#app.request(action, facts, this.#refuse);
    if (this.#app.screen !== this) return;
    if (answer?.table) return this.#app.openTable(answer.table);
    if (answer?.offer) {
      [this.#offer, this.#note] = [answer, ""];
      announce(answer.offer);
    }
    this.#app.draw();
  }
}

/** The fingerprint of today's hand is shown before its cards. @param {{offer: string, fingerprint: string}} today */
function offerElement({ offer, fingerprint }) {
  const deal = button("deal", say("deal"), { class: "primary" });
  return h("section", { class: "deal", "data-key": "deal" }, h("p", {}, offer), deal, h("small", {}, fingerprint));
}

/** A match against AI players goes on until it's over. @param {Home} home */
function starts({ today, solo }) {
  return [
    button("create", solo ? say("continue") : say("play_ai"), { class: "primary" }),
    button("daily", [h("span", {}, say("daily")), h("small", {}, today)]),
  ];
}

/** @param {Home} home */
function tableList({ tables, page, is_last: isLast }) {
  const shown = tables.map((table) => {
    const mine = table.is_your_turn && h("span", { class: "mark mine" }, `▶ ${say("my_turn")}`);
    const players = h("span", {}, table.seats.join(", "));
    const content = [h("span", { class: "row-title" }, h("b", {}, table.title), mine), players, h("small", {}, table.text)];
    return h("li", { "data-key": `table-${table.number}` }, button("open", content, { "data-table": String(table.number), class: "row" }));
  });
  return h(
    "section",
    { class: "tables", "data-key": "tables" },
    h("h2", {}, say("home")),
    tables.length ? h("ul", {}, shown) : h("p", {}, say("no_tables")),
    h("div", { class: "buttons" }, page > 0 && button("back", say("back")), !isLast && button("next", say("next"))),
  );
}

/**
 * A screen with one sentence, and maybe a button.
 *
 * @param {string} text
 * @param {HTMLElement | null} [next]
 */
export function messageScreen(text, next = null) {
  return {
    actions: {},
    render: () =>
      h(
        "main",
        { class: "screen message", "data-key": "message" },
        h("div", { class: "picture", "aria-hidden": "true" }, row(PICTURE, "", "medium")),
        h("h1", { tabindex: -1 }, "Gang of Four"),
        h("p", { role: "status" }, text),
        next && h("div", { class: "buttons" }, next),
      ),
  };
}

