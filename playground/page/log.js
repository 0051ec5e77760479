/** @file The channel as one person scrolls it: messages in order, staying at the bottom when at the bottom. */

import { announce } from "./announcer.js";
import { h, icon } from "./dom.js";
import { morph } from "./morph.js";
import { compareIds } from "./scene.js";

/** Messages of one author that follow each other within this time share one header, as in Discord. */
const GROUP = 7 * 60 * 1000;

/** This close to the bottom still counts as being there. */
const SLACK = 24;

export class Log {
  #list = h("ol", { class: "messages" });
  #scroller = h(
    "div",
    { class: "scroller", role: "log", "aria-live": "off", "aria-label": "Messages", tabindex: "0" },
    this.#list,
  );
  #jump = h(
    "button",
    { type: "button", class: "jump", hidden: true, onclick: () => this.toBottom() },
    h("span", {}, "Jump to present"),
    icon("down"),
  );
  #isPinned = true;
  #top = 0;
  #unread = 0;

  constructor() {
    this.element = h("div", { class: "log" }, this.#scroller, this.#jump);
    this.#scroller.addEventListener("scroll", () => this.#onScroll(), { passive: true });
    // Pictures that arrive, edits and a smaller window all move the bottom away; this brings it back.
    const follow = new ResizeObserver(() => this.#isPinned && this.toBottom());
    follow.observe(this.#list);
    follow.observe(this.#scroller);
  }

  /** Shows a snapshot of the channel: messages that are not part of it go. */
  reset(elements) {
    const wanted = new Set(elements.map((element) => element.dataset.message));
    for (const item of this.#list.querySelectorAll(":scope > [data-message]")) {
      if (!wanted.has(item.dataset.message)) item.remove();
    }
    for (const element of elements) this.#place(element);
    this.#arrange();
  }

  /** Shows a new message, or an old one as it is now. */
  put(element) {
    const isNew = this.#place(element);
    this.#arrange();
    if (!isNew) return;
    announce(element);
    if (!this.#isPinned) this.#countUnread(this.#unread + 1);
  }

  /** A line at the end that is not a message of the channel: a command under way, or what became of it. */
  note(element) {
    this.#end.before(element);
    this.toBottom();
  }

  drop(id) {
    this.find(id)?.remove();
    this.#arrange();
  }

  find(id) {
    return this.#list.querySelector(`:scope > [data-message="${CSS.escape(id)}"]`);
  }

  /** Brings one message into view and marks it for a moment. */
  jumpTo(id) {
    const item = this.find(id);
    item?.scrollIntoView({ block: "center" });
    item?.animate([{ background: "var(--flash)" }, {}], 1500);
  }

  toBottom() {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  /** @returns {boolean} whether the message was not there before */
  #place(element) {
    const old = this.find(element.dataset.message);
    if (old) morph(old, element);
    else this.#successor(element.dataset.message).before(element);
    return !old;
  }

  /** The first item that belongs below a message; new ones come last, so the search goes upward from the end. */
  #successor(id) {
    let below = this.#end;
    for (let item = below.previousElementSibling; item; item = item.previousElementSibling) {
      if (!item.dataset.message || compareIds(item.dataset.message, id) < 0) break;
      below = item;
    }
    return below;
  }

  get #end() {
    return (
      this.#list.querySelector(":scope > .end") ??
      this.#list.appendChild(h("li", { class: "end", "aria-hidden": "true" }))
    );
  }

  /** Which messages share a header with the one above, and where a new day begins: both depend on neighbors. */
  #arrange() {
    let above = null;
    for (const item of this.#list.children) {
      if (!item.dataset.message) continue;
      item.classList.toggle("grouped", isGrouped(above, item));
      markDay(above, item);
      above = item;
    }
  }

  #onScroll() {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    const isAtBottom = scrollHeight - scrollTop - clientHeight < SLACK;
    // Content that has just grown is not somebody scrolling up.
    this.#isPinned = isAtBottom || (this.#isPinned && scrollTop >= this.#top);
    this.#top = scrollTop;
    if (this.#isPinned) this.#countUnread(0);
    this.#jump.hidden = this.#isPinned;
  }

  #countUnread(count) {
    this.#unread = count;
    this.#jump.firstChild.textContent = count ? `Jump to present (${count} new)` : "Jump to present";
  }
}

function isGrouped(above, item) {
  if (!above || item.dataset.opens === "true" || above.dataset.author !== item.dataset.author) return false;
  return Date.parse(item.dataset.sent) - Date.parse(above.dataset.sent) < GROUP;
}

/** Writes the date over the first message of a day; messages.css shows it. */
function markDay(above, item) {
  const day = new Date(item.dataset.sent);
  if (above && new Date(above.dataset.sent).toDateString() === day.toDateString()) delete item.dataset.begins;
  else item.dataset.begins ??= day.toLocaleDateString(undefined, { dateStyle: "long" });
}
