/** @file A modal of the app. */

import { h, icon, uniqueId } from "./dom.js";
import { fieldFor, isRequired } from "./fields.js";

const ACTION_ROW = 1;
const LABEL = 18;

/** Milliseconds until a submitted modal closes: the app has three seconds to respond, and no failure was reported. */
const RESPONSE_TIMEOUT = 3500;

export class Modal {
  #close;
  #submit;
  #fields = [];
  #waiting = null;

  /**
   * @param {{title: string, components: Object[]}} modal
   * @param {{scene: import("./scene.js").Scene, layers: import("./layers.js").Layers, submit: (values: Object) => void}} context
   */
  constructor(modal, { scene, layers, submit }) {
    this.#submit = submit;
    const parts = modal.components.map((component) => this.#part(component, { scene, layers }));
    this.element = this.#frame(modal.title, parts);
    this.#close = layers.open(this.element, () => this.close());
    this.element.querySelector("input, textarea, .select, .button")?.focus({ preventScroll: true });
  }

  get isWaiting() {
    return this.#waiting !== null;
  }

  close() {
    clearTimeout(this.#waiting);
    this.#waiting = null;
    this.#close();
  }

  /** Shows an error. The values are kept and can be submitted again. */
  fail(words) {
    this.#wait(false);
    const error = this.element.querySelector(".modal-error");
    error.textContent = words;
    error.hidden = false;
  }

  #frame(title, parts) {
    const id = uniqueId("modal");
    const header = h(
      "header",
      { class: "modal-header" },
      h("h3", { id }, title),
      this.#cancelButton({ class: "icon-button", "aria-label": "Close" }, icon("close")),
    );
    const error = h("p", { class: "modal-error", role: "alert", hidden: true });
    const foot = h(
      "footer",
      { class: "modal-foot" },
      this.#cancelButton({ class: "button secondary" }, "Cancel"),
      h("button", { class: "button primary" }, "Submit"),
    );
    const onsubmit = (event) => {
      event.preventDefault();
      this.#send();
    };
    return h(
      "form",
      { class: "modal", role: "dialog", "aria-labelledby": id, novalidate: true, onsubmit },
      header,
      h("div", { class: "modal-body" }, error, parts),
      foot,
    );
  }

  #cancelButton(attributes, ...children) {
    return h("button", { type: "button", ...attributes, onclick: () => this.close() }, children);
  }

  #part(component, context) {
    const wrapped = unwrap(component);
    const title = component.label ?? wrapped.label;
    const id = uniqueId("field");
    const field = fieldFor(wrapped, { ...context, name: title, id });
    if (!field) return null;
    if (!field.customId) return field.element;
    this.#fields.push(field);
    field.problem = h("p", { class: "field-problem", role: "alert" });
    const star = isRequired(wrapped) && h("span", { class: "required", "aria-hidden": "true" }, " *");
    const note = component.description && h("p", { class: "note" }, component.description);
    return h("div", { class: "field" }, h("label", { for: id }, title, star), note, field.element, field.problem);
  }

  #send() {
    if (this.isWaiting || !this.#check()) return;
    this.#wait(true);
    this.#submit(Object.fromEntries(this.#fields.map((field) => [field.customId, field.read()])));
  }

  #check() {
    const faulty = this.#fields.filter((field) => {
      const fault = field.fault();
      field.problem.textContent = fault ?? "";
      return fault;
    });
    faulty[0]?.element.closest(".field").querySelector("input, textarea, button")?.focus();
    return faulty.length === 0;
  }

  #wait(isWaiting) {
    clearTimeout(this.#waiting);
    this.#waiting = isWaiting ? setTimeout(() => this.close(), RESPONSE_TIMEOUT) : null;
    this.element.querySelector("footer .primary").setAttribute("aria-busy", String(isWaiting));
  }
}

/** The component inside a label or action row. Text displays have no wrapper. */
function unwrap(component) {
  if (component.type === LABEL) return component.component;
  return component.type === ACTION_ROW ? component.components[0] : component;
}
