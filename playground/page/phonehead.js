/** @file The header of a phone, with person, place and unread mentions, and the lock screen's notifications. */

import { DIRECT } from "./address.js";
import { avatar, nameOf } from "./avatar.js";
import { h, icon } from "./dom.js";
import { Sheet } from "./sheet.js";
import { asChoices } from "./world.js";

/** The notifications that the lock screen shows at most. */
const MOST = 3;
/** Milliseconds for which a notification is seen above an open Activity. */
const SEEN_FOR = 5000;

export class PhoneHead {
  #name = h("span", { class: "head-name" });
  #place = h("span", {});
  #picture = h("span", { class: "head-picture" });
  #badge = h("span", { class: "badge", hidden: true });
  #count = 0;
  /** The latest notifications as the lock screen shows them. */
  lockScreen = h("ul", { class: "lock-screen", "aria-label": "Lock screen", hidden: true });

  /**
   * @param {Object} context
   * @param {() => void} context.onPerson  called to change the person
   * @param {() => void} context.onPlace  called to change the place
   * @param {(place: string, id: string) => void} context.onNotification  called when one was pressed
   * @param {(count: number) => void} context.onBadge
   */
  constructor({ onPerson, onPlace, onNotification, onBadge }) {
    Object.assign(this, { onNotification, onBadge });
    const person = headButton("head-button", onPerson, "change person", this.#picture, this.#name);
    const place = headButton("head-button head-place", onPlace, "look elsewhere", this.#place);
    this.element = h("header", { class: "phone-head" }, h("h2", {}, person), this.#badge, place);
  }

  update({ me, channel }) {
    this.#name.textContent = nameOf(me);
    this.#place.textContent = placeName(channel);
    this.#picture.replaceChildren(avatar(me));
  }

  /**
   * Counts a notification and shows it on the lock screen. Discord takes its text from the message's content, so a
   * message of Components V2 has none.
   *
   * @param {Object} notification
   * @param {boolean} isShort  it goes by itself, since the phone can't see presses in the frame below it
   */
  ping({ id, author, place, guild, push }, isShort) {
    this.#setCount(this.#count + 1);
    const title = guild ? `${nameOf(author)} (${placeName(place)}, ${guild})` : nameOf(author);
    const text = push ? h("span", {}, push) : h("em", {}, "No text");
    const open = () => this.onNotification(place.id, id);
    const card = h("button", { type: "button", onclick: open }, avatar(author), h("strong", {}, title), text);
    const item = h("li", {}, card);
    this.lockScreen.prepend(item);
    if (isShort) setTimeout(() => item.remove(), SEEN_FOR);
    while (this.lockScreen.children.length > MOST) this.lockScreen.lastChild.remove();
    this.lockScreen.hidden = false;
  }

  read() {
    if (this.#count) this.#setCount(0);
    this.lockScreen.replaceChildren();
    this.lockScreen.hidden = true;
  }

  #setCount(count) {
    this.#count = count;
    this.#badge.hidden = count === 0;
    this.#badge.textContent = count;
    this.#badge.setAttribute("aria-label", count === 1 ? "1 mention" : `${count} mentions`);
    this.onBadge(count);
  }
}

function headButton(name, onclick, purpose, ...children) {
  const label = h("span", { class: "sr-only" }, `, ${purpose}`);
  const attributes = { type: "button", class: name, "aria-haspopup": "dialog", onclick };
  return h("button", attributes, children, label, icon("down"));
}

function placeName({ id, name }) {
  return id === DIRECT ? name : `#${name}`;
}

/** Opens a sheet to choose the channel that a phone shows, or the direct messages. */
export function choosePlace({ scene, layers, onChoose }) {
  const choices = scene.places.map((place) => ({ value: place.id, label: placeName(place) }));
  const title = `Where does ${nameOf(scene.me)} look?`;
  const onDone = ([id]) => onChoose(id);
  return new Sheet({ title, choices, chosen: [scene.channel.id], min: 1, max: 1, onDone }, layers);
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
