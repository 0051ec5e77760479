/** @file The header of a phone: person, channel and unread mentions. Pressing it changes the person. */

import { avatar, nameOf } from "./avatar.js";
import { h, icon } from "./dom.js";
import { Sheet } from "./sheet.js";
import { asChoices } from "./world.js";

export class PhoneHead {
  #name = h("span", { class: "head-name" });
  #place = h("span", { class: "head-place" });
  #picture = h("span", { class: "head-picture" });
  #badge = h("span", { class: "badge", hidden: true });
  #count = 0;
  /** The text that the lock screen shows for the last notification. */
  push = h("p", { class: "banner push", hidden: true });

  /** @param {{onOpen: () => void, onBadge: (count: number) => void}} context */
  constructor({ onOpen, onBadge }) {
    this.onBadge = onBadge;
    const words = h("span", { class: "head-words" }, this.#name, this.#place);
    const label = h("span", { class: "sr-only" }, ", change person");
    const button = h(
      "button",
      { type: "button", class: "head-button", "aria-haspopup": "dialog", onclick: onOpen },
      this.#picture,
      words,
      label,
      icon("down"),
    );
    this.element = h("header", { class: "phone-head" }, h("h2", {}, button), this.#badge);
  }

  update({ me, channel, guild }) {
    this.#name.textContent = nameOf(me);
    this.#place.textContent = guild ? `#${channel.name} · ${guild.name}` : channel.name;
    this.#picture.replaceChildren(avatar(me));
  }

  /** @param {string} text  on the lock screen; empty for Components V2 */
  ping(text) {
    this.#setCount(this.#count + 1);
    this.push.textContent = `Lock screen: ${text || "(no text)"}`;
    this.push.hidden = false;
  }

  read() {
    if (this.#count) this.#setCount(0);
    this.push.hidden = true;
  }

  #setCount(count) {
    this.#count = count;
    this.#badge.hidden = count === 0;
    this.#badge.textContent = count;
    this.#badge.setAttribute("aria-label", count === 1 ? "1 mention" : `${count} mentions`);
    this.onBadge(count);
  }
}

/**
 * Opens a sheet to choose the person of a phone.
 *
 * @param {Object} context
 * @param {import("./scene.js").User[]} context.people
 * @param {string} context.person  the current person
 * @param {import("./layers.js").Layers} context.layers
 * @param {(id: string) => void} context.onSwitch
 * @param {(name: string) => Promise<void>} context.onAdd
 */
export function choosePerson({ people, person, layers, onSwitch, onAdd }) {
  const choices = asChoices(people);
  const extra = addForm(onAdd);
  return new Sheet(
    {
      title: "Whose phone is this?",
      choices,
      chosen: [person],
      min: 1,
      max: 1,
      onDone: ([id]) => onSwitch(id),
      extra,
    },
    layers,
  );
}

function addForm(onAdd) {
  const input = h("input", {
    type: "text",
    maxlength: "32",
    placeholder: "New person",
    "aria-label": "Name of the new person",
    required: true,
    autocomplete: "off",
  });
  const onsubmit = (event) => {
    event.preventDefault();
    const name = input.value.trim();
    if (name) onAdd(name).catch((error) => problem.replaceChildren(error.message));
  };
  const problem = h("p", { class: "field-problem", role: "alert" });
  return h(
    "form",
    { class: "add-person", onsubmit },
    input,
    h("button", { class: "button secondary" }, icon("plus"), "Add person"),
    problem,
  );
}
