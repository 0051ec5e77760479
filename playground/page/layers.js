/** @file What lies over a phone: sheets and modals, the newest on top and alone within reach. */

import { h } from "./dom.js";

export class Layers {
  #host;
  #ground;
  #stack = [];

  /**
   * @param {HTMLElement} host  covers the phone
   * @param {HTMLElement} ground  the phone's own content, out of reach while anything lies over it
   */
  constructor(host, ground) {
    this.#host = host;
    this.#ground = ground;
  }

  /**
   * @param {HTMLElement} element
   * @param {() => void} leave  called when the person presses beside it or presses Escape
   * @returns {() => void} takes it away again and gives the focus back
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
    const all = [this.#ground, ...this.#stack];
    for (const element of all) element.inert = element !== all.at(-1);
  }
}

function onEscape(event, leave) {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  leave();
}
