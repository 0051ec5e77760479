/** @file The composer of a phone: for ordinary messages, and for commands if the text begins with a slash. */

import { DIRECT } from "./address.js";
import { CommandForm } from "./commandform.js";
import { flatten, search } from "./commands.js";
import { h, icon } from "./dom.js";
import { Suggestions } from "./suggestions.js";

/** Discord's type of the command that launches an app's Activity. */
const ENTRY_POINT = 4;

/** Discord's limit for users without Nitro. */
const LONGEST = 2000;

export class Composer {
  #context;
  #scene = null;
  #commands = [];
  #suggestions = new Suggestions();
  #text = h("textarea", { rows: "1", ...this.#suggestions.inputAttributes });
  #counter = h("small", { class: "counter", hidden: true });
  /** Opens the app's Activity, if it has one. */
  #launch = h(
    "button",
    { type: "button", class: "icon-button", "aria-label": "Launch the Activity", hidden: true },
    icon("rocket"),
  );
  #writing = this.#frame();
  #form = null;

  /**
   * @param {Object} context
   * @param {(content: string) => boolean} context.say  returns false if the message couldn't be sent
   * @param {(command: string, options: Object) => boolean} context.slash
   * @param {(command: string, option: string, typed: string, options: Object) => Promise<Object[]>} context.autocomplete
   * @param {() => void} context.launch
   */
  constructor(context) {
    this.#context = context;
    this.element = h("div", { class: "composer" }, this.#suggestions.element, this.#writing);
    this.#text.addEventListener("input", () => this.#onInput());
    this.#text.addEventListener("keydown", (event) => this.#onKey(event));
    this.#launch.addEventListener("click", context.launch);
    this.#text.addEventListener("blur", () => this.#suggestions.hide());
  }

  /** Shows the commands and the channel of a scene. */
  update(scene) {
    this.#scene = scene;
    this.#commands = flatten(scene.commands, scene.me.locale);
    this.#launch.hidden = !scene.commands.some((command) => command.type === ENTRY_POINT);
    this.#text.placeholder = scene.channel.id === DIRECT ? "Message" : `Message #${scene.channel.name}`;
    this.#text.setAttribute("aria-label", this.#text.placeholder);
  }

  /** Opens the form of a command. */
  open(path) {
    const command = this.#commands.find((candidate) => candidate.path === path);
    if (command) this.#begin(command);
  }

  focus() {
    if (this.#form) this.#form.focus();
    else this.#text.focus({ preventScroll: true });
  }

  #frame() {
    const slash = h(
      "button",
      { type: "button", class: "icon-button", "aria-label": "Use a command", onclick: () => this.#startSlash() },
      icon("slash"),
    );
    const send = h("button", { class: "icon-button send", "aria-label": "Send message" }, icon("send"));
    const onsubmit = (event) => {
      event.preventDefault();
      this.#say();
    };
    return h("form", { onsubmit }, h("div", { class: "composer-line" }, slash, this.#launch, this.#text, this.#counter, send));
  }

  #startSlash() {
    this.#text.value = "/";
    this.#text.focus();
    this.#onInput();
  }

  #onInput() {
    const { value } = this.#text;
    const left = LONGEST - value.length;
    this.#counter.textContent = left;
    this.#counter.hidden = left > 200;
    this.#counter.classList.toggle("fault", left < 0);
    if (!value.startsWith("/") || value.includes("\n")) return this.#suggestions.hide();
    const onChoose = (item) => this.#begin(item.value, value.slice(1 + item.value.title.length).trim());
    const items = search(this.#commands, value.slice(1)).map((command) => ({
      label: `/${command.title}`,
      detail: command.description,
      value: command,
    }));
    this.#suggestions.show(this.#text, { title: "Commands", items, onChoose });
  }

  #onKey(event) {
    if (this.#suggestions.handleKey(event)) return;
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#say();
  }

  #say() {
    const content = this.#text.value.trim();
    if (!content || content.length > LONGEST || !this.#context.say(content)) return;
    this.#text.value = "";
    this.#onInput();
  }

  #begin(command, typed = "") {
    this.#leave();
    this.#text.value = "";
    this.#form = new CommandForm(command, {
      scene: this.#scene,
      suggestions: this.#suggestions,
      autocomplete: (option, typed, others) => this.#context.autocomplete(command.path, option, typed, others),
      onSend: (options) => this.#context.slash(command.path, options) && this.#back(),
      onLeave: () => this.#back(),
    });
    this.#form.fill(typed);
    this.#writing.replaceWith(this.#form.element);
    this.#form.focus();
  }

  #back() {
    this.#leave();
    this.#text.focus({ preventScroll: true });
  }

  #leave() {
    this.#suggestions.hide();
    this.#form?.element.replaceWith(this.#writing);
    this.#form = null;
  }
}
