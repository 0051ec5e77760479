/** @file The sheets and modals over a phone. Only the topmost takes input. */

import { h } from "./dom.js";

export class Layers {
  #host;
  #content;
  #stack = [];

  /**
   * @param {HTMLElement} host  the parent of the layers
   * @param {HTMLElement} content  the phone's content, inert while a layer is open
   */
  constructor(host, content) {
    this.#host = host;
    this.#content = content;
  }

  /**
   * @param {HTMLElement} element
   * @param {() => void} leave  called on Escape or a click on the backdrop
   * @returns {() => void} closes the layer and restores the focus
   */
  open(element, leave) {
    const opener = document.activeElement;
    const layer = h(
      "div",
      { class: "layer", onkeydown: (event) => onEscape(event, leave) },
      h("div", { class: "backdrop", onclick: leave }),
      element,
    );
    this.#host.append(layer);
    this.#stack.push(layer);
    this.#settle();
    return () => this.#close(layer, opener);
  }

  #close(layer, opener) {
    const hadFocus = layer.contains(document.activeElement);
    this.#stack = this.#stack.filter((other) => other !== layer);
    layer.remove();
    this.#settle();
    if (hadFocus) opener.focus({ preventScroll: true });
  }

  #settle() {
    const all = [this.#content, ...this.#stack];
    for (const element of all) element.inert = element !== all.at(-1);
  }
}

function onEscape(event, leave) {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  leave();
}
