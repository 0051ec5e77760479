/** @file The messages of a channel in a scrolling list, which stays at the bottom if it is there. */

import { announce } from "./announcer.js";
import { h, icon } from "./dom.js";
import { morph } from "./morph.js";
import { compareIds } from "./scene.js";

/** Consecutive messages of an author within this time share a header, as on Discord. */
const GROUP = 7 * 60 * 1000;

/** The distance that counts as being at the bottom. */
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
    // Stay at the bottom when images load, messages are edited or the window shrinks.
    const follow = new ResizeObserver(() => this.#isPinned && this.toBottom());
    follow.observe(this.#list);
    follow.observe(this.#scroller);
  }

  /** Replaces all messages. */
  reset(elements) {
    const wanted = new Set(elements.map((element) => element.dataset.message));
    for (const item of this.#list.querySelectorAll(":scope > [data-message]")) {
      if (!wanted.has(item.dataset.message)) item.remove();
    }
    for (const element of elements) this.#place(element);
    this.#arrange();
  }

  /** Adds or updates a message. */
  put(element) {
    const isNew = this.#place(element);
    this.#arrange();
    if (!isNew) return;
    announce(element);
    if (!this.#isPinned) this.#countUnread(this.#unread + 1);
  }

  /** Adds a line that isn't a message: a pending command or a failure. */
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

  /** Scrolls to a message and highlights it briefly. */
  jumpTo(id) {
    const item = this.find(id);
    item?.scrollIntoView({ block: "center" });
    item?.animate([{ background: "var(--flash)" }, {}], 1500);
  }

  toBottom() {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  /** @returns {boolean} true if the message is new */
  #place(element) {
    const old = this.find(element.dataset.message);
    if (old) morph(old, element);
    else this.#successor(element.dataset.message).before(element);
    return !old;
  }

  /** The first item after a message's position. Searches from the end, because most messages are new. */
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

  /** Marks messages that share a header with the previous one, and the first message of each day. */
  #arrange() {
    let above = null;
    for (const item of this.#list.children) {
      if (!item.dataset.message) continue;
      item.classList.toggle("grouped", isGrouped(above, item));
      markDay(above, item);
      above = item;
    }
    // A message that moves to the end first shortens the list, which would count as scrolling up.
    if (this.#isPinned) this.toBottom();
  }

  #onScroll() {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    const isAtBottom = scrollHeight - scrollTop - clientHeight < SLACK;
    // Ignore scroll events caused by growing content.
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

/** Sets the date shown above the first message of a day, see messages.css. */
function markDay(above, item) {
  const day = new Date(item.dataset.sent);
  if (above && new Date(above.dataset.sent).toDateString() === day.toDateString()) delete item.dataset.begins;
  else item.dataset.begins ??= day.toLocaleDateString(undefined, { dateStyle: "long" });
}
