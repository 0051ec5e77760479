/** @file A slash command being filled in: its name, a chip for each option, and a way to add those that are optional. */

import { localized, OPTION, typedOptions } from "./commands.js";
import { h, icon } from "./dom.js";
import { OptionField } from "./optionfield.js";

export class CommandForm {
  #command;
  #around;
  #fields = [];
  #chips = h("span", { class: "chips" });
  #hint = h("p", { class: "composer-hint" });
  #more;

  /**
   * @param {import("./commands.js").Command} command
   * @param {Object} around
   * @param {import("./scene.js").Scene} around.scene
   * @param {import("./suggestions.js").Suggestions} around.suggestions
   * @param {(option: string, typed: string, others: Object) => Promise<Object[]>} around.ask
   * @param {(options: Object) => void} around.onSend
   * @param {() => void} around.onLeave
   */
  constructor(command, around) {
    this.#command = command;
    this.#around = around;
    this.#more = h("button", {
      type: "button",
      class: "chip more",
      ...around.suggestions.buttonAttributes,
      onclick: () => this.#offerMore(),
    });
    this.#more.addEventListener("blur", () => around.suggestions.hide());
    this.element = this.#frame();
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
    for (const option of command.options.filter((candidate) => candidate.required)) this.#add(option);
    this.#refresh();
  }

  /** Takes over what was typed after the command's name, such as `table:3`. */
  fill(typed) {
    for (const [option, value] of typedOptions(this.#command, typed, this.#around.scene.me.locale)) {
      if (option.type === OPTION.ATTACHMENT) continue;
      const field = this.#fields.find((candidate) => candidate.option === option) ?? this.#add(option);
      field.input.value = value;
    }
  }

  /** Goes to the next option that must have a value, or else to the button that sends. */
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
        onclick: () => this.#around.onLeave(),
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
      scene: this.#around.scene,
      suggestions: this.#around.suggestions,
      ask: (typed) =>
        this.#around.ask(
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
    const { scene, suggestions } = this.#around;
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
    if (this.#around.suggestions.handleKey(event)) return;
    const field = this.#fields.find((candidate) => candidate.input === event.target);
    if (event.key === "Enter" && field && this.#misses(field)) this.focus();
    else if (event.key === "Escape") this.#around.onLeave();
    else if (event.key === "Backspace" && field?.isEmpty) this.#stepBack(field);
    else return;
    event.preventDefault();
  }

  /** Whether a value is given here, and still wanted somewhere else. */
  #misses(field) {
    return (
      !field.isEmpty && !field.fault() && this.#fields.some((other) => other.option.required && other.isEmpty)
    );
  }

  #stepBack(field) {
    const before = this.#fields[this.#fields.indexOf(field) - 1];
    if (!field.option.required) this.#remove(field);
    else if (before) before.input.focus();
    else this.#around.onLeave();
  }

  /** The values of all fields that have a sound one. */
  #values(wanted) {
    const sound = this.#fields.filter((field) => wanted(field) && !field.isEmpty && !field.fault());
    return Object.fromEntries(sound.map((field) => [field.option.name, field.read()]));
  }

  #submit() {
    const faults = this.#fields.map((field) => [field, field.fault()]).filter(([, fault]) => fault);
    if (!faults.length) return this.#around.onSend(this.#values(() => true));
    const [[field, fault]] = faults;
    field.input.focus();
    this.#say(`${field.name}: ${fault}`, true);
  }
}
