/**
 * @file A bottom sheet with a list of choices: an open select menu. It isn't part of the message, so it stays open when
 * the message is edited.
 */

import { avatar } from "./avatar.js";
import { h, icon, uniqueId } from "./dom.js";
import { componentEmoji } from "./emoji.js";
import { morph } from "./morph.js";

/**
 * @typedef {Object} SheetOptions
 * @property {string} title
 * @property {import("./select.js").Choice[]} choices
 * @property {string[]} chosen
 * @property {number} min
 * @property {number} max  if 1, pressing a choice closes the sheet, otherwise a button does
 * @property {(values: string[]) => void} onDone  called on closing if the choice has changed
 * @property {() => void} [onClose]
 * @property {HTMLElement} [extra]  shown below the list
 */

export class Sheet {
  #options;
  #values;
  #active;
  #close;
  #id = uniqueId("sheet");
  #typed = { word: "", at: 0 };

  /** @param {SheetOptions} options @param {import("./layers.js").Layers} layers */
  constructor(options, layers) {
    this.#options = options;
    this.#values = new Set(options.chosen);
    this.#active = Math.max(
      0,
      options.choices.findIndex((choice) => this.#values.has(choice.value)),
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
    return this.#options.max > 1;
  }

  /** Updates the choices after an edit of the message. Chosen values that are gone are dropped. */
  refresh(choices, chosen) {
    Object.assign(this.#options, { choices, chosen });
    const offered = new Set(choices.map((choice) => choice.value));
    this.#values = new Set([...this.#values].filter((value) => offered.has(value)));
    this.#active = Math.min(this.#active, Math.max(0, choices.length - 1));
    this.#redraw();
  }

  /** Closes the sheet on a click on the backdrop. As on Discord, a valid multiple choice is submitted. */
  leave() {
    if (this.#isMultiple && this.#isComplete()) this.#finish();
    else this.cancel();
  }

  cancel() {
    this.#close();
    this.#options.onClose?.();
  }

  #finish() {
    const values = this.#options.choices.map((choice) => choice.value).filter((value) => this.#values.has(value));
    const before = new Set(this.#options.chosen);
    const isSame = values.length === before.size && values.every((value) => before.has(value));
    this.cancel();
    // Discord doesn't send an unchanged choice: https://github.com/discord/discord-api-docs/issues/4801
    if (!isSame) this.#options.onDone(values);
  }

  #isComplete() {
    return this.#values.size >= this.#options.min && this.#values.size <= this.#options.max;
  }

  #toggle(choice) {
    const { min, max } = this.#options;
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
    const { title, choices, extra } = this.#options;
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
    // `morph` keeps the extra element, which equals its copy, and with it the text being typed.
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
    const isUnavailable = !isChosen && this.#isMultiple && this.#values.size >= this.#options.max;
    const states = {
      "aria-selected": String(isChosen),
      "aria-disabled": isUnavailable && "true",
      class: index === this.#active ? "active" : null,
    };
    const words = h(
      "span",
      { class: "choice-words" },
      h("span", { class: "choice-label" }, choice.label),
      choice.description && h("small", {}, choice.description),
    );
    const content = [
      choice.user && avatar(choice.user),
      componentEmoji(choice.emoji),
      words,
      h("span", { class: "tick" }, isChosen && icon("check")),
    ];
    return h(
      "li",
      { id: `${this.#id}-${index}`, role: "option", "data-index": index, "data-key": choice.value, ...states },
      content,
    );
  }

  #doneBar() {
    const { min, max } = this.#options;
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
    const choice = this.#options.choices[index];
    if (choice) this.#toggle(choice);
  }

  #onKey(event) {
    if (event.target !== this.#list) return;
    const last = this.#options.choices.length - 1;
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

  /** Goes to the next choice that begins with the letters typed in quick succession. */
  #seek({ key, timeStamp }) {
    const isNew = timeStamp - this.#typed.at > 800;
    this.#typed = { word: (isNew ? "" : this.#typed.word) + key.toLowerCase(), at: timeStamp };
    const { choices } = this.#options;
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
