/** @file Lines in the log that aren't messages: pending commands and failures. */

import { avatar, nameOf } from "./avatar.js";
import { h, icon } from "./dom.js";

/** A command without a response yet. It is removed on a response, or shows a failure. */
export class PendingCommand {
  #status = h("p", { class: "loading" }, h("span", { class: "dots", "aria-hidden": "true" }), "Sending command…");

  /** @param {import("./scene.js").User} user @param {string} command @param {string} shown */
  constructor(user, command, shown) {
    this.command = command;
    const words = [h("strong", {}, nameOf(user)), " used ", h("span", { class: "mention" }, shown)];
    this.element = h(
      "li",
      { class: "note-line" },
      h("div", { class: "reference" }, icon("reply"), avatar(user), words),
      this.#status,
    );
  }

  done() {
    this.element.remove();
  }

  fail(words) {
    this.#status.replaceWith(failureLine(words, () => this.element.remove()));
  }
}

/** A failure that doesn't belong to a message. */
export function failureNote(words) {
  const note = h("li", { class: "note-line" });
  note.append(failureLine(words, () => note.remove()));
  return note;
}

function failureLine(words, onDismiss) {
  const dismiss = h("button", { type: "button", class: "text-button", onclick: onDismiss }, "Dismiss");
  return h("p", { class: "failure", role: "alert" }, icon("warning"), words, " • ", dismiss);
}
