/**
 * @file The page as a whole: which screen is shown, the connection, and what all screens share.
 *
 * @typedef {import("./types.js").Refusal} Refusal
 * @typedef {import("./types.js").Table} Table
 *
 * @typedef {Object} Screen
 * @property {Object<string, (element: HTMLElement) => void>} actions  by the names of the buttons
 * @property {() => HTMLElement} render
 * @property {(table: Table) => void} [show]
 * @property {() => void} [close]
 * @property {(event: KeyboardEvent) => void} [onKey]
 * @property {(target: HTMLElement) => void} [onFocus]
 */

import { setClock } from "./clock.js";
import { button, h } from "./dom.js";
import { Game } from "./game.js";
import { HomeScreen, messageScreen } from "./home.js";
import { LobbyScreen } from "./lobby.js";
import { ReplayScreen } from "./replay.js";
import { addressOf, isInFrame } from "./session.js";
import { switchSounds } from "./sounds.js";
import { say } from "./texts.js";
import { update } from "./update.js";

export class App {
  /** @type {import("./socket.js").Socket | null} */
  socket = null;
  isInFrame = isInFrame();
  /** Where links to the page begin. */
  base = document.baseURI;
  /** @type {Screen} */
  #screen = messageScreen("");
  /** @type {number | null} */
  #watched = null;
  /** The last update of a table. @type {Table | null} */
  #table = null;
  /** Why there is no connection; empty if there is one. */
  #lost = "";
  /** The number of the last change of the screen by the viewer: a late answer doesn't replace a newer one. */
  #visit = 0;
  /** The last visit of the page's address, which gets its usual form. */
  #restored = 0;
  /** The last visit that has led to a replay. */
  #replayed = -1;
  #root;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#root = root;
    document.addEventListener("click", (event) => this.#onClick(event));
    document.addEventListener("change", (event) => this.#onChange(event));
    document.addEventListener("keydown", (event) => this.#screen.onKey?.(event));
    document.addEventListener("focusin", (event) => this.#screen.onFocus?.(/** @type {HTMLElement} */ (event.target)));
    document.addEventListener("wheel", scrollOffers, { passive: true });
    addEventListener("resize", () => this.draw());
    addEventListener("popstate", () => this.openAddress());
  }

  /** @returns {Screen} */
  get screen() {
    return this.#screen;
  }

  /** Shows the screen as it is now. */
  draw() {
    const focused = document.activeElement;
    const banner = this.#lost && h("p", { class: "banner", role: "status", "data-key": "lost" }, this.#lost);
    update(this.#root, h("div", { id: "page" }, this.#screen.render(), banner));
    this.#keepFocus(focused);
  }

  /**
   * Moves the focus to the heading of a dialog, so that a key meant for the hand presses nothing there; and if the
   * focused element has gone, to the way back or the title of the screen.
   *
   * @param {*} focused  before the screen was drawn
   */
  #keepFocus(focused) {
    const dialog = this.#root.querySelector("[role=dialog]");
    const isLost = focused !== document.body && document.activeElement === document.body;
    /** @type {HTMLElement | null} */
    let next = null;
    if (dialog && !dialog.contains(document.activeElement)) next = dialog.querySelector("h1");
    else if (isLost) next = focused?.isConnected ? focused : this.#root.querySelector(".home") ?? this.#root.querySelector("h1");
    next?.focus({ preventScroll: true });
  }

  /** @param {Screen} screen */
  go(screen) {
    this.#screen.close?.();
    this.#screen = screen;
    this.draw();
    this.draw(); // now the width of the hand is known
  }

  /** @param {string} text @param {string} [action] @param {string} [label] */
  tell(text, action, label = "") {
    this.go(messageScreen(text, action ? button(action, label, { class: "primary" }) : null));
  }

  /** @param {boolean} isConnected @param {string} [why] */
  setConnected(isConnected, why = "") {
    const lost = isConnected ? "" : why || this.#lost || say("lost");
    if (lost === this.#lost) return;
    this.#lost = lost;
    this.draw();
  }

  /**
   * Sends a request. If it's refused, `refused` gets the sentence, and the answer is null. It's also null if the
   * connection is lost, as the banner says.
   *
   * @param {string} action
   * @param {Object} facts
   * @param {(text: string) => void} refused
   */
  async request(action, facts, refused) {
    try {
      return (await this.socket?.request(action, facts)) ?? {};
    } catch (error) {
      const { refusal } = /** @type {Refusal} */ (error);
      if (refusal) refused(refusal);
      return null;
    }
  }

  /** Opens what the page's address names. */
  openAddress() {
    const query = new URLSearchParams(location.search);
    const [table, match] = [Number(query.get("table")), Number(query.get("match"))];
    this.#restored = this.#visit + 1;
    if (match) return this.openReplay(match, Math.max(0, Math.trunc(Number(query.get("moment"))) || 0));
    return table ? this.openTable(table) : this.openHome();
  }

  async openHome() {
    const visit = ++this.#visit;
    await this.#unwatch();
    const home = await this.#visitRequest(visit, "home", {}, "home", say("again"));
    if (home) this.go(new HomeScreen(this, home));
    if (visit === this.#visit) this.write({});
  }

  /** @param {number} table */
  async openTable(table) {
    const visit = ++this.#visit;
    if (this.#watched !== table) await this.#unwatch();
    if (visit !== this.#visit) return;
    this.#watched = table;
    this.write({ table: String(table) });
    await this.#visitRequest(visit, "watch", { table }, "home", say("home"));
  }

  /**
   * @param {number} match
   * @param {number} moment
   */
  async openReplay(match, moment) {
    const visit = ++this.#visit;
    const replay = await this.#visitRequest(visit, "replay", { match, moment }, "home", say("home"));
    if (!replay) return;
    this.#unwatch();
    this.#replayed = visit;
    this.go(new ReplayScreen(this, match, replay));
    this.write({ match: String(match), moment: String(replay.moment) });
  }

  /**
   * Sends a request that leads to another screen. The answer is null if it's refused, or the viewer has gone elsewhere
   * meanwhile. A refusal is shown with a button.
   *
   * @param {number} visit
   * @param {string} action
   * @param {Object} facts
   * @param {string} next   what the button does
   * @param {string} label  of the button
   */
  async #visitRequest(visit, action, facts, next, label) {
    const refused = (/** @type {string} */ text) => visit === this.#visit && this.tell(text, next, label);
    const answer = await this.request(action, facts, refused);
    return visit === this.#visit ? answer : null;
  }

  /** Watches the table again after the connection was lost. */
  async resume() {
    if (this.#watched !== null) return this.openTable(this.#watched);
    if (this.#visit === this.#replayed) return;
    return this.openAddress();
  }

  async #unwatch() {
    if (this.#watched === null) return;
    this.#watched = null;
    await this.request("unwatch", {}, () => {});
  }

  /** An update of the watched table. @param {Table} table */
  showTable(table) {
    if (table.number !== this.#watched) return;
    this.#table = table;
    setClock(table.now);
    if (table.status === "over" && !table.hand_number) return this.tell(table.notice, "home", say("home"));
    const Wanted = table.status === "lobby" ? LobbyScreen : Game;
    if (this.#screen instanceof Wanted && this.#screen.number === table.number) this.#screen.show(table);
    else this.go(new Wanted(this, table));
  }

  /** What has changed since the last update. @param {Partial<Table>} changes */
  changeTable(changes) {
    if (this.#table && changes.number === this.#table.number) this.showTable({ ...this.#table, ...changes });
  }

  async logout() {
    await fetch(addressOf("api/logout"), { method: "POST" });
    location.assign(addressOf(""));
  }

  login() {
    const query = new URLSearchParams(location.search);
    query.delete("login");
    const next = `/?${query}`;
    location.assign(new URL(`login?next=${encodeURIComponent(next)}`, document.baseURI));
  }

  /** Writes what is shown into the page's address. @param {Object<string, string>} query */
  write(query) {
    if (this.isInFrame) return;
    const address = this.linkTo(query);
    if (address === location.href) return;
    const isStep = "match" in query && new URLSearchParams(location.search).has("match");
    if (isStep || this.#restored === this.#visit) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
  }

  /** @param {Object<string, string>} query */
  linkTo(query) {
    const address = new URL(this.base);
    address.search = String(new URLSearchParams(query));
    return address.href;
  }

  /** @type {Object<string, (element: HTMLElement) => void>} */
  #actions = {
    home: () => this.openHome(),
    login: () => this.login(),
    retry: () => location.reload(),
    sounds: () => {
      switchSounds();
      this.draw();
    },
  };

  /** @param {Event} event */
  #onClick(event) {
    const element = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-do]"));
    if (!element || element.getAttribute("aria-disabled") === "true") return;
    this.#act(element.dataset.do ?? "", element);
  }

  /** @param {Event} event */
  #onChange(event) {
    const element = /** @type {HTMLElement} */ (event.target);
    if (element.dataset.change) this.#act(element.dataset.change, element);
  }

  /**
   * @param {string} action
   * @param {HTMLElement} element
   */
  #act(action, element) {
    (this.#screen.actions[action] ?? this.#actions[action])?.(element);
  }
}

/** Lets a mouse wheel reach the offers beyond the edge. @param {WheelEvent} event */
function scrollOffers(event) {
  const offers = /** @type {Element} */ (event.target).closest(".offers ul");
  offers?.scrollBy(event.deltaY, 0);
}
