/**
 * @file The list of suggestions above the composer: commands, choices, people and autocompletion. The focus stays in
 * the input, which passes its keys on to the list.
 *
 * @typedef {{label: string, detail?: string|null, user?: Object, value: *}} Item
 */

import { avatar } from "./avatar.js";
import { h, uniqueId } from "./dom.js";

export class Suggestions {
  #id = uniqueId("suggestions");
  #title = h("p", { class: "suggestions-title" });
  #list = h("ul", { id: this.#id, role: "listbox", "aria-label": "Suggestions" });
  #input = null;
  #items = [];
  #active = 0;
  #onChoose = null;

  constructor() {
    this.element = h("div", { class: "suggestions", hidden: true }, this.#title, this.#list);
    // Keep the focus in the input until the click.
    this.element.addEventListener("pointerdown", (event) => event.preventDefault());
    this.element.addEventListener("click", (event) => this.#onClick(event));
  }

  /**
   * @param {HTMLElement} input
   * @param {{title: string, items: Item[], onChoose: (item: Item) => void}} offer  the list closes if there are no items
   */
  show(input, { title, items, onChoose }) {
    if (!items.length) return this.hide();
    if (this.#input !== input) this.hide();
    [this.#input, this.#items, this.#onChoose, this.#active] = [input, items, onChoose, 0];
    this.#title.textContent = title;
    this.element.hidden = false;
    this.#draw();
  }

  /** Removes the highlight while a new list is being loaded, so that Enter can't choose an outdated item. */
  outdate() {
    if (this.element.hidden) return;
    this.#active = -1;
    this.#draw();
  }

  hide() {
    this.element.hidden = true;
    this.#input?.setAttribute("aria-expanded", "false");
    this.#input?.removeAttribute("aria-activedescendant");
    this.#input = null;
  }

  /** The ARIA attributes of an input with this list. */
  get inputAttributes() {
    return {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": this.#id,
      autocomplete: "off",
    };
  }

  /** The ARIA attributes of a button that opens the list. */
  get buttonAttributes() {
    return { "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": this.#id };
  }

  /** @returns {boolean} true if the list has handled the key */
  handleKey(event) {
    if (this.element.hidden || event.target !== this.#input || event.isComposing) return false;
    if (event.key === "ArrowDown") this.#move(1);
    else if (event.key === "ArrowUp") this.#move(-1);
    else if (this.#active >= 0 && isChoosing(event)) this.#choose(this.#active);
    else if (event.key === "Escape") this.hide();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  #move(step) {
    const count = this.#items.length;
    this.#active = this.#active < 0 ? 0 : (this.#active + step + count) % count;
    this.#draw();
  }

  #choose(index) {
    const [item, onChoose] = [this.#items[index], this.#onChoose];
    this.hide();
    onChoose(item);
  }

  #onClick(event) {
    const option = event.target.closest('[role="option"]');
    if (option) this.#choose(Number(option.dataset.index));
  }

  #draw() {
    this.#list.replaceChildren(...this.#items.map((item, index) => this.#option(item, index)));
    this.#input.setAttribute("aria-expanded", "true");
    const active = this.#list.children[this.#active];
    if (!active) return this.#input.removeAttribute("aria-activedescendant");
    this.#input.setAttribute("aria-activedescendant", active.id);
    active.scrollIntoView({ block: "nearest" });
  }

  #option(item, index) {
    const isActive = index === this.#active;
    const words = h(
      "span",
      { class: "choice-words" },
      h("span", { class: "choice-label" }, item.label),
      item.detail && h("small", {}, item.detail),
    );
    const states = {
      id: `${this.#id}-${index}`,
      role: "option",
      "aria-selected": String(isActive),
      class: isActive ? "active" : null,
    };
    return h("li", { ...states, "data-index": index }, item.user && avatar(item.user), words);
  }
}

function isChoosing(event) {
  return event.key === "Enter" || (event.key === "Tab" && !event.shiftKey);
}
