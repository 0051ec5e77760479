/** @file The form of a slash command: its name, a chip for each option and a button that adds optional ones. */

import { localized, OPTION, typedOptions } from "./commands.js";
import { h, icon } from "./dom.js";
import { OptionField } from "./optionfield.js";

export class CommandForm {
  #command;
  #context;
  #fields = [];
  #chips = h("span", { class: "chips" });
  #hint = h("p", { class: "composer-hint" });
  #more;

  /**
   * @param {import("./commands.js").Command} command
   * @param {Object} context
   * @param {import("./scene.js").Scene} context.scene
   * @param {import("./suggestions.js").Suggestions} context.suggestions
   * @param {(option: string, typed: string, others: Object) => Promise<Object[]>} context.autocomplete
   * @param {(options: Object) => void} context.onSend
   * @param {() => void} context.onLeave
   */
  constructor(command, context) {
    this.#command = command;
    this.#context = context;
    this.#more = h("button", {
      type: "button",
      class: "chip more",
      ...context.suggestions.buttonAttributes,
      onclick: () => this.#offerMore(),
    });
    this.#more.addEventListener("blur", () => context.suggestions.hide());
    this.element = this.#frame();
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
    for (const option of command.options.filter((candidate) => candidate.required)) this.#add(option);
    this.#refresh();
  }

  /** Fills in the options typed after the command's name, such as `table:3`. */
  fill(typed) {
    for (const [option, value] of typedOptions(this.#command, typed, this.#context.scene.me.locale)) {
      if (option.type === OPTION.ATTACHMENT) continue;
      const field = this.#fields.find((candidate) => candidate.option === option) ?? this.#add(option);
      field.input.value = value;
    }
  }

  /** Focuses the next required option without a value, or the send button. */
  focus() {
    const next = this.#fields.find((field) => field.option.required && field.isEmpty);
    (next?.input ?? this.#send).focus({ preventScroll: true });
  }

  get #send() {
    return this.element.querySelector(".send");
  }

  get #unused() {
    const used = new Set(this.#fields.map((field) => field.option));
    return this.#command.options.filter((option) => !used.has(option));
  }

  #frame() {
    const { title } = this.#command;
    const leave = h(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": "Drop this command",
        onclick: () => this.#context.onLeave(),
      },
      icon("close"),
    );
    const send = h("button", { class: "icon-button send", "aria-label": `Send /${title}` }, icon("send"));
    const onsubmit = (event) => {
      event.preventDefault();
      this.#submit();
    };
    const line = h(
      "div",
      { class: "composer-line" },
      leave,
      h("span", { class: "chips" }, h("strong", { class: "command-name" }, `/${title}`), this.#chips, this.#more),
      send,
    );
    return h("form", { class: "command-form", "aria-label": `/${title}`, onsubmit }, this.#hint, line);
  }

  #add(option) {
    const field = new OptionField(option, {
      scene: this.#context.scene,
      suggestions: this.#context.suggestions,
      autocomplete: (typed) =>
        this.#context.autocomplete(
          option.name,
          typed,
          this.#values((other) => other.option !== option),
        ),
      onDone: () => this.focus(),
      onRemove: () => this.#remove(field),
    });
    field.input.addEventListener("focus", () => this.#say(field.description));
    this.#fields.push(field);
    this.#chips.append(field.element);
    this.#refresh();
    return field;
  }

  #remove(field) {
    this.#fields = this.#fields.filter((other) => other !== field);
    field.element.remove();
    this.#refresh();
    (this.#fields.at(-1)?.input ?? this.#send).focus();
  }

  #refresh() {
    const count = this.#unused.length;
    this.#more.hidden = count === 0;
    this.#more.textContent = `+${count} optional`;
    this.#say(this.#command.description);
  }

  #say(words, isFault = false) {
    this.#hint.textContent = words;
    this.#hint.classList.toggle("fault", isFault);
  }

  #offerMore() {
    const { scene, suggestions } = this.#context;
    const item = (option) => ({
      label: localized(option, "name", scene.me.locale),
      detail: localized(option, "description", scene.me.locale),
      value: option,
    });
    this.#more.focus();
    suggestions.show(this.#more, {
      title: "Optional",
      items: this.#unused.map(item),
      onChoose: ({ value }) => this.#add(value).input.focus(),
    });
  }

  #onKey(event) {
    if (this.#context.suggestions.handleKey(event)) return;
    const field = this.#fields.find((candidate) => candidate.input === event.target);
    if (event.key === "Enter" && field && this.#isWaitingForOthers(field)) this.focus();
    else if (event.key === "Escape") this.#context.onLeave();
    else if (event.key === "Backspace" && field?.isEmpty) this.#stepBack(field);
    else return;
    event.preventDefault();
  }

  /** True if this field has a valid value, but another required one is empty. */
  #isWaitingForOthers(field) {
    return (
      !field.isEmpty && !field.fault() && this.#fields.some((other) => other.option.required && other.isEmpty)
    );
  }

  #stepBack(field) {
    const before = this.#fields[this.#fields.indexOf(field) - 1];
    if (!field.option.required) this.#remove(field);
    else if (before) before.input.focus();
    else this.#context.onLeave();
  }

  /** The valid values of the fields for which `wanted` returns true. */
  #values(wanted) {
    const valid = this.#fields.filter((field) => wanted(field) && !field.isEmpty && !field.fault());
    return Object.fromEntries(valid.map((field) => [field.option.name, field.read()]));
  }

  #submit() {
    const faults = this.#fields.map((field) => [field, field.fault()]).filter(([, fault]) => fault);
    if (!faults.length) return this.#context.onSend(this.#values(() => true));
    const [[field, fault]] = faults;
    field.input.focus();
    this.#say(`${field.name}: ${fault}`, true);
  }
}
