/**
 * @file A sheet that comes up from the foot of a phone with a list to choose from: the open form of every select menu.
 * It stands apart from the message, so the message can be edited beneath it without closing it.
 */

import { avatar } from "./avatar.js";
import { h, icon, uniqueId } from "./dom.js";
import { componentEmoji } from "./emoji.js";
import { morph } from "./morph.js";

/**
 * @typedef {Object} Wish
 * @property {string} title
 * @property {import("./select.js").Choice[]} choices
 * @property {string[]} chosen
 * @property {number} min
 * @property {number} max  one: pressing a choice is the answer; more: a button ends the choosing
 * @property {(values: string[]) => void} onDone  called once, and only if another choice was made than before
 * @property {() => void} [onClose]
 * @property {HTMLElement} [extra]  stands below the list
 */

export class Sheet {
  #wish;
  #values;
  #active;
  #close;
  #id = uniqueId("sheet");
  #typed = { word: "", at: 0 };

  /** @param {Wish} wish @param {import("./layers.js").Layers} layers */
  constructor(wish, layers) {
    this.#wish = wish;
    this.#values = new Set(wish.chosen);
    this.#active = Math.max(
      0,
      wish.choices.findIndex((choice) => this.#values.has(choice.value)),
    );
    this.element = this.#render();
    this.element.addEventListener("click", (event) => this.#onClick(event));
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
    this.#close = layers.open(this.element, () => this.leave());
    this.#list.focus({ preventScroll: true });
    this.#showActive();
  }

  get #list() {
    return this.element.querySelector('[role="listbox"]');
  }

  get #isMultiple() {
    return this.#wish.max > 1;
  }

  /** Takes over what an edited message now offers; what was chosen and is gone is no longer chosen. */
  refresh(choices, chosen) {
    Object.assign(this.#wish, { choices, chosen });
    const offered = new Set(choices.map((choice) => choice.value));
    this.#values = new Set([...this.#values].filter((value) => offered.has(value)));
    this.#active = Math.min(this.#active, Math.max(0, choices.length - 1));
    this.#redraw();
  }

  /** Closes as pressing beside it does: several choices that are complete count, as in Discord. */
  leave() {
    if (this.#isMultiple && this.#isComplete()) this.#finish();
    else this.cancel();
  }

  cancel() {
    this.#close();
    this.#wish.onClose?.();
  }

  #finish() {
    const values = this.#wish.choices.map((choice) => choice.value).filter((value) => this.#values.has(value));
    const before = new Set(this.#wish.chosen);
    const isSame = values.length === before.size && values.every((value) => before.has(value));
    this.cancel();
    // Choosing what is chosen already tells the app nothing: https://github.com/discord/discord-api-docs/issues/4801
    if (!isSame) this.#wish.onDone(values);
  }

  #isComplete() {
    return this.#values.size >= this.#wish.min && this.#values.size <= this.#wish.max;
  }

  #toggle(choice) {
    const { min, max } = this.#wish;
    const isChosen = this.#values.has(choice.value);
    if (!this.#isMultiple) {
      this.#values = new Set(isChosen && min === 0 ? [] : [choice.value]);
      this.#finish();
    } else if (isChosen || this.#values.size < max) {
      if (isChosen) this.#values.delete(choice.value);
      else this.#values.add(choice.value);
      this.#redraw();
    }
  }

  #redraw() {
    morph(this.element, this.#render());
    this.#showActive();
  }

  #render() {
    const { title, choices, extra } = this.#wish;
    const attributes = {
      role: "listbox",
      tabindex: "0",
      "aria-label": "Choices",
      "aria-multiselectable": this.#isMultiple && "true",
    };
    const active = choices.length ? `${this.#id}-${this.#active}` : null;
    const list = h(
      "ul",
      { ...attributes, class: "choices", "aria-activedescendant": active },
      choices.map((choice, index) => this.#option(choice, index)),
    );
    const header = h("header", { class: "sheet-header" }, h("h3", {}, title), closeButton());
    // An extra part is kept, not redrawn: it may hold what somebody is typing.
    const foot = extra && (this.element ? extra.cloneNode(true) : extra);
    return h(
      "div",
      { class: "sheet", role: "dialog", "aria-label": title },
      header,
      list,
      this.#isMultiple && this.#doneBar(),
      foot,
    );
  }

  #option(choice, index) {
    const isChosen = this.#values.has(choice.value);
    const isBarred = !isChosen && this.#isMultiple && this.#values.size >= this.#wish.max;
    const states = {
      "aria-selected": String(isChosen),
      "aria-disabled": isBarred && "true",
      class: index === this.#active ? "active" : null,
    };
    const words = h(
      "span",
      { class: "choice-words" },
      h("span", { class: "choice-label" }, choice.label),
      choice.description && h("small", {}, choice.description),
    );
    const face = [
      choice.user && avatar(choice.user),
      componentEmoji(choice.emoji),
      words,
      h("span", { class: "tick" }, isChosen && icon("check")),
    ];
    return h(
      "li",
      { id: `${this.#id}-${index}`, role: "option", "data-index": index, "data-key": choice.value, ...states },
      face,
    );
  }

  #doneBar() {
    const { min, max } = this.#wish;
    const wanted = min === max ? `${max}` : `${min} to ${max}`;
    const hint = h("small", {}, `${this.#values.size} chosen of ${wanted}`);
    return h(
      "footer",
      { class: "sheet-foot" },
      hint,
      h(
        "button",
        { type: "button", class: "button primary", "data-done": true, disabled: !this.#isComplete() },
        "Done",
      ),
    );
  }

  #showActive() {
    this.#list.querySelector(".active")?.scrollIntoView({ block: "nearest" });
  }

  #onClick(event) {
    const option = event.target.closest('[role="option"]');
    if (event.target.closest("[data-close]")) this.cancel();
    else if (event.target.closest("[data-done]")) this.#finish();
    else if (option) this.#choose(Number(option.dataset.index));
  }

  #choose(index) {
    this.#active = index;
    const choice = this.#wish.choices[index];
    if (choice) this.#toggle(choice);
  }

  #onKey(event) {
    if (event.target !== this.#list) return;
    const last = this.#wish.choices.length - 1;
    const moves = {
      ArrowDown: this.#active + 1,
      ArrowUp: this.#active - 1,
      Home: 0,
      End: last,
      PageDown: this.#active + 8,
      PageUp: this.#active - 8,
    };
    if (event.key in moves) this.#moveTo(Math.max(0, Math.min(last, moves[event.key])));
    else if (event.key === "Enter" || event.key === " ") this.#choose(this.#active);
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) this.#seek(event);
    else return;
    event.preventDefault();
  }

  #moveTo(index) {
    this.#active = index;
    this.#redraw();
  }

  /** Letters typed in quick succession lead to the next choice that begins with them. */
  #seek({ key, timeStamp }) {
    const isNew = timeStamp - this.#typed.at > 800;
    this.#typed = { word: (isNew ? "" : this.#typed.word) + key.toLowerCase(), at: timeStamp };
    const { choices } = this.#wish;
    const order = choices.map((_, step) => (this.#active + step + (isNew ? 1 : 0)) % choices.length);
    const found = order.find((index) => choices[index].label.toLowerCase().startsWith(this.#typed.word));
    if (found !== undefined) this.#moveTo(found);
  }
}

function closeButton() {
  return h(
    "button",
    { type: "button", class: "icon-button", "aria-label": "Close", "data-close": true },
    icon("close"),
  );
}
