/** @file An Activity on a phone: the app's page in a frame, which talks with the playground in the Embedded App SDK's way. */

import { h, icon } from "./dom.js";

/** Discord's layout modes. */
const FOCUSED = 0;
const PIP = 1;

/** What Discord lets a page in its frame do. It can't open windows or leave the frame. */
const SANDBOX = "allow-forms allow-pointer-lock allow-presentation allow-same-origin allow-scripts";
const ALLOWED = "autoplay; clipboard-write; encrypted-media; fullscreen; gamepad";

export class ActivityFrame {
  #activity;
  #send;
  #relay;
  #page;
  #mode = FOCUSED;
  #size = h("button", { type: "button", class: "icon-button", onclick: () => this.#switchMode() });
  #listener = (event) => this.#onMessage(event);

  /**
   * @param {{id: string, origin: string, url: string, title: string}} activity
   * @param {(frame: Object) => boolean} send  sends a frame to the server
   */
  constructor(activity, send) {
    this.#activity = activity;
    this.#send = send;
    const name = `activity-${activity.id}`;
    const { url: src, title } = activity;
    this.#page = h("iframe", { src, name, title, sandbox: SANDBOX, allow: ALLOWED });
    // The page begins once the relay can pass it answers.
    const begin = () => this.#relay.before(this.#page);
    this.#relay = h("iframe", { src: `${activity.origin}/.playground/relay.html`, hidden: true, onload: begin });
    const close = () => send({ action: "close_activity" });
    const leave = h("button", { type: "button", class: "icon-button", "aria-label": "Close the Activity", onclick: close });
    leave.append(icon("close"));
    const head = h("header", {}, h("h3", {}, title), this.#size, leave);
    this.element = h("section", { class: "activity", "aria-label": "Activity" }, head, this.#relay);
    window.addEventListener("message", this.#listener);
    this.#show(FOCUSED);
  }

  get id() {
    return this.#activity.id;
  }

  /** Passes a message to the page. */
  receive(message) {
    this.#relay.contentWindow?.postMessage({ frame: this.#page.name, message }, this.#activity.origin);
  }

  /** Shows the Activity on the whole phone again. */
  focus() {
    if (this.#mode !== FOCUSED) this.#switchMode();
  }

  close() {
    window.removeEventListener("message", this.#listener);
    this.element.remove();
  }

  #onMessage({ source, origin, data }) {
    if (source !== this.#page.contentWindow || origin !== this.#activity.origin) return;
    this.#send({ action: "rpc", frame: this.id, message: data });
  }

  #switchMode() {
    this.#show(this.#mode === FOCUSED ? PIP : FOCUSED);
    this.#send({ action: "layout", mode: this.#mode });
  }

  #show(mode) {
    this.#mode = mode;
    this.element.classList.toggle("small", mode === PIP);
    this.#size.setAttribute("aria-label", mode === PIP ? "Enlarge the Activity" : "Show the Activity in a corner");
    this.#size.replaceChildren(icon(mode === PIP ? "grow" : "shrink"));
  }
}
