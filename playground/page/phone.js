/** @file One person's own view of the channel: takes in what the server tells that person, shows it, and sends what is done. */

import { actions } from "./actions.js";
import { nameOf } from "./avatar.js";
import { Composer } from "./composer.js";
import { h } from "./dom.js";
import { Layers } from "./layers.js";
import { Log } from "./log.js";
import { withMentions } from "./mentions.js";
import { messageElement } from "./message.js";
import { Modal } from "./modal.js";
import { PendingCommand, failureNote } from "./notes.js";
import { PhoneHead, askWho } from "./phonehead.js";
import { Scene } from "./scene.js";
import { Socket } from "./socket.js";

const AWAY = "The server is away";

export class Phone {
  /** Set by the server's first word. @type {Scene|null} */
  scene = null;
  /** What follows an open menu through edits of its message. @type {{refresh: () => void}|null} */
  menu = null;
  #around;
  #socket;
  #composer;
  #banner = h("p", { class: "banner", role: "status", hidden: true }, "The server is away. Trying again…");
  #modal = null;
  #pending = [];
  #asks = new Map();
  #askNumber = 0;

  /**
   * @param {string} person
   * @param {string} channel
   * @param {Object} around
   * @param {() => import("./scene.js").User[]} around.people
   * @param {(id: string) => void} around.onSwitch  somebody else shall hold this phone
   * @param {(name: string) => Promise<void>} around.onAdd  somebody new shall
   * @param {(count: number) => void} around.onBadge
   * @param {() => void} around.onLost  the server is away, or knows this person or channel no more
   * @param {() => void} around.onChannels  the list of channels has changed
   */
  constructor(person, channel, around) {
    this.person = person;
    this.channel = channel;
    this.#around = around;
    this.log = new Log();
    this.head = new PhoneHead({ onOpen: () => this.#askWho(), onBadge: around.onBadge });
    this.#composer = new Composer({
      say: (content) => this.tell({ do: "say", content: withMentions(content, this.scene.people) }),
      slash: (command, options) => this.#slash(command, options),
      ask: (command, option, value, options) => this.#ask({ command, option, value, options }),
    });
    this.element = this.#frame();
    this.#socket = new Socket(person, channel, {
      onFrame: (frame) => this.#take(frame),
      onState: (isOpen) => this.#onState(isOpen),
    });
  }

  close() {
    this.#socket.close();
    this.element.remove();
  }

  focus() {
    this.#composer.focus();
  }

  /** Opens a slash command to be filled in. */
  openCommand(path) {
    this.#composer.open(path);
  }

  /** Sends a frame; says so on the phone if it cannot. */
  tell(frame) {
    const isSent = this.#socket.send(frame);
    if (!isSent) this.log.note(failureNote(AWAY));
    return isSent;
  }

  /** Shows a message as the scene has it now, and an open menu of it as well. */
  redraw(id) {
    const message = this.scene.messages.get(id);
    if (!message) return;
    this.log.put(messageElement(message, this.scene));
    this.menu?.refresh();
  }

  #frame() {
    const ground = h(
      "div",
      { class: "phone-ground" },
      this.head.element,
      this.#banner,
      this.log.element,
      this.#composer.element,
    );
    const over = h("div", { class: "phone-over" });
    this.layers = new Layers(over, ground);
    const phone = h(
      "section",
      { class: "phone", "data-person": this.person, "aria-label": "A phone", "aria-busy": "true" },
      ground,
      over,
    );
    for (const touch of ["pointerdown", "keydown"]) phone.addEventListener(touch, () => this.head.read(), true);
    this.log.element.addEventListener("click", (event) => this.#onClick(event));
    return phone;
  }

  #onClick(event) {
    const element = event.target.closest("[data-action]");
    if (element) actions[element.dataset.action](element, this);
  }

  #askWho() {
    const { people, onSwitch, onAdd } = this.#around;
    askWho({ people: people(), person: this.person, layers: this.layers, onSwitch, onAdd });
  }

  #slash(command, options) {
    if (!this.tell({ do: "slash", command, options })) return false;
    const pending = new PendingCommand(this.scene.me, command);
    this.#pending.push(pending);
    this.log.note(pending.element);
    return true;
  }

  #ask(question) {
    this.#askNumber += 1;
    const ask = this.#askNumber;
    if (!this.tell({ do: "ask", ask, ...question })) return Promise.resolve([]);
    return new Promise((resolve) => this.#asks.set(ask, resolve));
  }

  #onState(isOpen) {
    this.#banner.hidden = isOpen;
    if (!isOpen) this.#lose();
  }

  /** What was under way when the server went is answered by nobody any more. */
  #lose() {
    this.element.setAttribute("aria-busy", "true");
    for (const pending of this.#pending.splice(0)) pending.fail(AWAY);
    if (this.#modal?.isWaiting) this.#modal.fail(AWAY);
    this.scene?.busy.clear();
    this.#around.onLost();
  }

  #take(frame) {
    const take = this.#takers[frame.see];
    if (take) take(frame);
    else console.warn("A frame this page does not know", frame);
  }

  /** What each kind of frame does here. */
  #takers = {
    hello: (frame) => this.#meet(frame),
    message: ({ message }) => this.#show(message),
    gone: ({ id }) => {
      this.scene.drop(id);
      this.log.drop(id);
      this.menu?.refresh();
    },
    notified: ({ id }) => {
      this.scene.notified.add(id);
      this.head.ping();
      this.redraw(id);
    },
    modal: ({ interaction_id: id, modal }) => this.#openModal(id, modal),
    choices: ({ ask, choices }) => {
      this.#asks.get(ask)?.(choices);
      this.#asks.delete(ask);
    },
    thinking: ({ message, custom_id: customId, on }) => {
      if (on) this.scene.busy.set(message, customId);
      else this.scene.busy.delete(message);
      this.redraw(message);
    },
    failed: ({ message, text }) => this.#fail(message, text),
    commands: ({ commands }) => {
      this.scene.commands = commands;
      this.#composer.update(this.scene);
    },
    channels: ({ channels }) => {
      this.scene.channels = channels;
      this.#around.onChannels();
    },
  };

  #meet(hello) {
    const scene = new Scene(hello);
    if (this.scene) scene.inherit(this.scene);
    this.scene = scene;
    this.head.update(this.scene);
    this.#composer.update(this.scene);
    this.log.reset([...this.scene.messages.values()].map((message) => messageElement(message, this.scene)));
    this.menu?.refresh();
    this.element.setAttribute("aria-label", `${nameOf(hello.me)}'s phone`);
    this.element.setAttribute("aria-busy", "false");
  }

  #show(message) {
    const isNew = !this.scene.messages.has(message.id);
    this.scene.put(message);
    this.redraw(message.id);
    const { user, name } = message.interaction_metadata ?? {};
    const isMine = user?.id === this.person;
    if (isNew && isMine) this.#settle((pending) => pending.command === name)?.done();
    // The answer to a modal is a new message for whoever sent it, or an edit of the one it was opened from.
    if ((isMine || !isNew) && this.#modal?.isWaiting) this.#modal.close();
  }

  /** Takes the oldest command that fits off the list of those without an answer. */
  #settle(fits = () => true) {
    const pending = this.#pending.find(fits);
    this.#pending = this.#pending.filter((other) => other !== pending);
    return pending;
  }

  #openModal(id, modal) {
    this.#settle()?.done();
    const submit = (values) => this.tell({ do: "submit", interaction_id: id, values }) || this.#modal.fail(AWAY);
    this.#modal = new Modal(modal, { scene: this.scene, layers: this.layers, submit });
  }

  /** A failure belongs to a modal that waits, to the message it names, to a command that waits, or to nothing. */
  #fail(id, words) {
    if (this.#modal?.isWaiting) return this.#modal.fail(words);
    if (id) return this.#failOn(id, words);
    const pending = this.#settle();
    if (pending) pending.fail(words);
    else this.log.note(failureNote(words));
  }

  #failOn(id, words) {
    this.scene.busy.delete(id);
    this.scene.failed.set(id, words);
    this.redraw(id);
  }
}
