/** @file An option of a slash command: a chip with its name and an input. */

import { OPTION, OptionError, filterOffers, localized, offers, parseTyped } from "./commands.js";
import { h, icon, uniqueId } from "./dom.js";

/** The content of a file in base64. */
function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** Milliseconds after the last key until the app is asked for choices. */
const PAUSE = 150;

export class OptionField {
  #scene;
  #suggestions;
  #autocomplete;
  #picked = null;
  #timer = null;
  #round = 0;
  #file = null;

  /**
   * @param {Object} option
   * @param {Object} context
   * @param {import("./scene.js").Scene} context.scene
   * @param {import("./suggestions.js").Suggestions} context.suggestions
   * @param {(typed: string) => Promise<{name: string, value: *}[]>} context.autocomplete  asks the app for choices
   * @param {() => void} context.onDone  called when a value was chosen from the list
   * @param {() => void} context.onRemove
   */
  constructor(option, { scene, suggestions, autocomplete, onDone, onRemove }) {
    this.option = option;
    this.#scene = scene;
    this.#suggestions = suggestions;
    this.#autocomplete = autocomplete;
    this.onDone = onDone;
    this.name = localized(option, "name", scene.me.locale);
    this.description = localized(option, "description", scene.me.locale);
    this.input = this.#makeInput();
    this.element = this.#frame(onRemove);
  }

  get isEmpty() {
    return this.input.value.trim() === "";
  }

  /**
   * @returns {*} the value to send, or undefined
   * @throws {OptionError}
   */
  read() {
    if (this.#file && !this.isEmpty) return this.#file;
    if (this.#picked?.label === this.input.value) return this.#picked.value;
    if (!this.isEmpty) return parseTyped(this.option, this.input.value.trim(), offers(this.option, this.#scene));
    if (this.option.required) throw new OptionError("This option is required");
    return undefined;
  }

  /** Validates the value and marks the field. @returns {string|null} the error message */
  fault() {
    let words = null;
    try {
      this.read();
    } catch (error) {
      if (!(error instanceof OptionError)) throw error;
      words = error.message;
    }
    this.element.classList.toggle("faulty", words !== null);
    this.input.toggleAttribute("aria-invalid", words !== null);
    return words;
  }

  /** Shows suggestions for the typed text. */
  async suggest() {
    this.#round += 1;
    const { round, typed } = { round: this.#round, typed: this.input.value };
    const items = await this.#itemsFor(typed);
    const isCurrent = round === this.#round && document.activeElement === this.input;
    if (isCurrent)
      this.#suggestions.show(this.input, { title: this.name, items, onChoose: (item) => this.#choose(item) });
  }

  async #itemsFor(typed) {
    const list = offers(this.option, this.#scene);
    if (list) return filterOffers(list, this.#picked?.label === typed ? "" : typed);
    if (!this.option.autocomplete) return [];
    const answers = await this.#autocomplete(typed);
    return answers.map((choice) => ({
      label: localized(choice, "name", this.#scene.me.locale),
      value: choice.value,
    }));
  }

  #choose(item) {
    this.#picked = item;
    this.input.value = item.label;
    this.fault();
    this.onDone();
  }

  #makeInput() {
    return this.option.type === OPTION.ATTACHMENT ? this.#makeFileInput() : this.#makeTextInput();
  }

  #makeFileInput() {
    const attributes = { type: "file", id: uniqueId("option"), "data-option": this.option.name, title: this.description };
    const input = h("input", attributes);
    input.addEventListener("change", async () => {
      const [file] = input.files;
      this.#file = file ? { filename: file.name, content: await base64(file) } : null;
      this.fault();
    });
    return input;
  }

  #makeTextInput() {
    const { type, autocomplete } = this.option;
    const isNumber = type === OPTION.INTEGER || type === OPTION.NUMBER;
    const attributes = {
      type: "text",
      size: "6",
      id: uniqueId("option"),
      inputmode: isNumber && "decimal",
      "data-option": this.option.name,
    };
    const input = h("input", {
      ...attributes,
      ...this.#suggestions.inputAttributes,
      "aria-required": this.option.required && "true",
      title: this.description,
    });
    input.addEventListener("focus", () => this.suggest());
    input.addEventListener("blur", () => this.#suggestions.hide());
    input.addEventListener("input", () => {
      this.element.classList.remove("faulty");
      this.#suggestions.outdate();
      this.#round += 1; // ignore a pending response: it belongs to the old text
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.suggest(), autocomplete ? PAUSE : 0);
    });
    return input;
  }

  #frame(onRemove) {
    const label = h("label", { for: this.input.id }, this.name);
    const remove = h(
      "button",
      { type: "button", class: "chip-remove", "aria-label": `Remove ${this.name}`, onclick: onRemove },
      icon("close"),
    );
    return h("span", { class: "chip" }, label, this.input, !this.option.required && remove);
  }
}
