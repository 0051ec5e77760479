/** @file A phone: one person's view of a channel or of their direct messages. Shows the frames of the server and sends the person's actions. */

import { actions } from "./actions.js";
import { ActivityFrame } from "./activity.js";
import { nameOf } from "./avatar.js";
import { localized } from "./commands.js";
import { Composer } from "./composer.js";
import { h } from "./dom.js";
import { Layers } from "./layers.js";
import { Log } from "./log.js";
import { withMentions } from "./mentions.js";
import { messageElement } from "./message.js";
import { Modal } from "./modal.js";
import { PendingCommand, failureNote } from "./notes.js";
import { PhoneHead, choosePerson, choosePlace } from "./phonehead.js";
import { askQuestion } from "./question.js";
import { Scene } from "./scene.js";
import { Sheet } from "./sheet.js";
import { Socket } from "./socket.js";
import { setAhead } from "./timestamps.js";

const AWAY = "The server is away";

/** Discord's types of commands for a person or a message. */
const USER_COMMAND = 2;
const MESSAGE_COMMAND = 3;

export class Phone {
  /** Set by the first frame. @type {Scene|null} */
  scene = null;
  /** The open select menu. @type {{refresh: () => void}|null} */
  menu = null;
  #context;
  #socket;
  #composer;
  #banner = h("p", { class: "banner", role: "status", hidden: true }, "The server is away. Trying again…");
  #modal = null;
  /** @type {ActivityFrame|null} */
  #activity = null;
  #pending = [];
  #requests = new Map();
  #requestNumber = 0;

  /**
   * @param {string} person
   * @param {string} channel
   * @param {Object} context
   * @param {() => import("./scene.js").User[]} context.people
   * @param {(id: string) => void} context.onSwitch  called when another person was chosen
   * @param {(name: string) => Promise<void>} context.onAdd  called when a new person was entered
   * @param {(count: number) => void} context.onBadge
   * @param {(place: string) => void} context.onPlace  called when another channel was chosen
   * @param {() => void} context.onLost  called when the connection was lost or refused
   * @param {() => void} context.onChannels  called when the list of channels has changed
   */
  constructor(person, channel, context) {
    this.person = person;
    this.channel = channel;
    this.#context = context;
    this.log = new Log();
    this.head = new PhoneHead({
      onPerson: () => this.#choosePerson(),
      onPlace: () => choosePlace({ scene: this.scene, layers: this.layers, onChoose: context.onPlace }),
      onNotification: (place, id) => this.#openNotification(place, id),
      onBadge: context.onBadge,
    });
    this.#composer = new Composer({
      say: (content) => this.send({ action: "say", content: withMentions(content, this.scene.people) }),
      slash: (command, options) => this.#use({ action: "slash", command, options }, `/${command}`),
      autocomplete: (command, option, value, options) => this.#autocomplete({ command, option, value, options }),
      launch: () => this.send({ action: "launch" }),
    });
    this.element = this.#frame();
    this.#socket = new Socket(person, channel, {
      onFrame: (frame) => this.#onFrame(frame),
      onState: (isOpen) => this.#onState(isOpen),
    });
  }

  close() {
    this.#socket.close();
    this.#activity?.close();
    this.element.remove();
  }

  focus() {
    this.#composer.focus();
  }

  /** Opens the form of a slash command. */
  openCommand(path) {
    this.#composer.open(path);
  }

  /** Opens the commands for a person or a message, which Discord shows under Apps. */
  openApps({ user, message }) {
    const choices = this.scene.commands
      .filter(({ type }) => type === (user ? USER_COMMAND : MESSAGE_COMMAND))
      .map((each) => ({ value: each.name, label: localized(each, "name", this.scene.me.locale) }))
      .sort((one, other) => one.label.localeCompare(other.label));
    new Sheet(
      {
        title: `Apps: ${user ? this.scene.userName(user) : "this message"}`,
        choices,
        chosen: [],
        min: 1,
        max: 1,
        onDone: ([command]) => this.#use({ action: "use_on", command, user, message }, command),
      },
      this.layers,
    );
  }

  /** Sends a frame, or shows a failure if there is no connection. @returns {boolean} */
  send(frame) {
    const isSent = this.#socket.send(frame);
    if (!isSent) this.log.note(failureNote(AWAY));
    return isSent;
  }

  /** Redraws a message and the open menu. */
  redraw(id) {
    const message = this.scene.messages.get(id);
    if (!message) return;
    this.log.put(messageElement(message, this.scene));
    this.menu?.refresh();
  }

  #frame() {
    const content = h(
      "div",
      { class: "phone-content" },
      this.head.element,
      this.#banner,
      this.log.element,
      this.#composer.element,
    );
    const overlay = h("div", { class: "phone-overlay" });
    this.layers = new Layers(overlay, content);
    const phone = h(
      "section",
      { class: "phone", "data-person": this.person, "aria-label": "A phone", "aria-busy": "true" },
      content,
      this.head.lockScreen,
      overlay,
    );
    for (const touch of ["pointerdown", "keydown"]) phone.addEventListener(touch, (event) => this.#onTouch(event), true);
    this.log.element.addEventListener("click", (event) => this.#onClick(event));
    return phone;
  }

  #onClick(event) {
    const element = event.target.closest("[data-action]");
    if (element) actions[element.dataset.action](element, this);
  }

  #onTouch({ target }) {
    if (!this.head.lockScreen.contains(target)) this.head.read();
  }

  #openNotification(place, id) {
    this.head.read();
    if (place === this.channel) this.log.jumpTo(id);
    else this.#context.onPlace(place);
  }

  #choosePerson() {
    const { people, onSwitch, onAdd } = this.#context;
    choosePerson({ people: people(), person: this.person, layers: this.layers, onSwitch, onAdd });
  }

  /** Sends a command, and shows it until there is a response. @returns {boolean} */
  #use(frame, shown) {
    if (!this.send(frame)) return false;
    const pending = new PendingCommand(this.scene.me, frame.command, shown);
    this.#pending.push(pending);
    this.log.note(pending.element);
    return true;
  }

  #autocomplete(question) {
    this.#requestNumber += 1;
    const request = this.#requestNumber;
    if (!this.send({ action: "autocomplete", request, ...question })) return Promise.resolve([]);
    return new Promise((resolve) => this.#requests.set(request, resolve));
  }

  #onState(isOpen) {
    this.#banner.hidden = isOpen;
    if (!isOpen) this.#stop();
  }

  /** Fails everything that is pending, because the connection was lost. */
  #stop() {
    this.element.setAttribute("aria-busy", "true");
    for (const pending of this.#pending.splice(0)) pending.fail(AWAY);
    if (this.#modal?.isWaiting) this.#modal.fail(AWAY);
    this.scene?.busy.clear();
    this.#context.onLost();
  }

  #onFrame(frame) {
    const handle = this.#handlers[frame.event];
    if (handle) handle(frame);
    else console.warn("Unknown frame", frame);
  }

  /** The handlers of frames by event. */
  #handlers = {
    hello: (frame) => this.#start(frame),
    message: ({ message }) => this.#show(message),
    gone: ({ id }) => {
      this.scene.drop(id);
      this.log.drop(id);
      this.menu?.refresh();
    },
    notified: (notification) => {
      this.scene.notified.add(notification.id);
      this.head.ping(notification, Boolean(this.#activity));
      this.redraw(notification.id);
    },
    modal: ({ interaction_id: id, modal }) => this.#openModal(id, modal),
    choices: ({ request, choices }) => {
      this.#requests.get(request)?.(choices);
      this.#requests.delete(request);
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
    activity: ({ activity }) => this.#showActivity(activity),
    launched: () => this.#takePending()?.done(),
    rpc: ({ frame, message }) => this.#activity?.id === frame && this.#activity.receive(message),
    question: (question) =>
      askQuestion(question, this.layers, (allowed) => this.send({ action: "answer", number: question.number, allowed })),
    channels: ({ channels }) => {
      this.scene.places = channels;
      this.#context.onChannels();
    },
  };

  #start(hello) {
    const scene = new Scene(hello);
    if (this.scene) scene.inherit(this.scene);
    this.scene = scene;
    setAhead(hello.ahead);
    this.head.update(this.scene);
    this.#composer.update(this.scene);
    this.log.reset([...this.scene.messages.values()].map((message) => messageElement(message, this.scene)));
    this.menu?.refresh();
    if (hello.activity?.id !== this.#activity?.id) this.#showActivity(hello.activity);
    this.element.setAttribute("aria-label", `${nameOf(hello.me)}'s phone`);
    this.element.setAttribute("aria-busy", "false");
  }

  /** Opens the Activity, closes it if there is none, or brings the open one to the front. */
  #showActivity(activity) {
    if (activity && this.#activity?.id === activity.id) return this.#activity.focus();
    this.#activity?.close();
    this.#activity = activity && new ActivityFrame(activity, (frame) => this.send(frame));
    if (activity) this.element.insertBefore(this.#activity.element, this.head.lockScreen);
  }

  #show(message) {
    const isNew = !this.scene.messages.has(message.id);
    this.scene.put(message);
    this.redraw(message.id);
    const { user, name } = message.interaction_metadata ?? {};
    const isMine = user?.id === this.person;
    if (isNew && isMine) this.#takePending((pending) => pending.command === name)?.done();
    // The response to a modal is a new message of this person's interaction, or an edit.
    if ((isMine || !isNew) && this.#modal?.isWaiting) this.#modal.close();
  }

  /** Removes and returns the oldest pending command that matches. */
  #takePending(fits = () => true) {
    const pending = this.#pending.find(fits);
    this.#pending = this.#pending.filter((other) => other !== pending);
    return pending;
  }

  #openModal(id, modal) {
    this.#takePending()?.done();
    const submit = (values) => this.send({ action: "submit", interaction_id: id, values }) || this.#modal.fail(AWAY);
    this.#modal = new Modal(modal, { scene: this.scene, layers: this.layers, submit });
  }

  /** Shows a failure in the waiting modal, at its message, at the oldest pending command, or as a line of its own. */
  #fail(id, words) {
    if (this.#modal?.isWaiting) return this.#modal.fail(words);
    if (id) return this.#failOn(id, words);
    const pending = this.#takePending();
    if (pending) pending.fail(words);
    else this.log.note(failureNote(words));
  }

  #failOn(id, words) {
    this.scene.busy.delete(id);
    this.scene.failed.set(id, words);
    this.redraw(id);
  }
}
