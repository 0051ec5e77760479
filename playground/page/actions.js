/**
 * @file What pressing something in the log does, by the `data-action` of what was pressed. Each gets the element and
 * the phone.
 */

import { findComponent } from "./components.js";
import { boundsOf, choicesOf, defaultsOf, placeholderOf } from "./select.js";
import { Sheet } from "./sheet.js";
import { viewPicture } from "./viewer.js";

export const actions = {
  click: (button, phone) => interact(button, phone, { do: "click" }),
  select: openMenu,
  dismiss: (button, phone) => phone.tell({ do: "dismiss", message: button.dataset.target }),
  jump: (button, phone) => phone.log.jumpTo(button.dataset.target),
  command: (mention, phone) => phone.openCommand(mention.dataset.command),
  picture: (opener) => viewPicture(opener.querySelector("img")),
  reveal: (cover) => {
    cover.parentElement.dataset.revealed = "";
  },
};

/** While one click of a message is under way, the client takes no other. */
function isWaiting(element) {
  return element.getAttribute("aria-disabled") === "true";
}

/** Which message and which of its components an element stands for. */
function identify(element) {
  return { message: element.closest("[data-message]").dataset.message, customId: element.dataset.customId };
}

function interact(element, phone, deed) {
  if (isWaiting(element)) return;
  const { message, customId } = identify(element);
  if (!phone.tell({ ...deed, message, custom_id: customId })) return;
  phone.scene.failed.delete(message);
  phone.scene.busy.set(message, customId);
  phone.redraw(message);
}

function openMenu(trigger, phone) {
  if (isWaiting(trigger)) return;
  phone.menu = new Menu(trigger, phone);
}

/** The open menu of a select in a message, which may be edited meanwhile. */
class Menu {
  #trigger;
  #phone;
  #sheet;

  constructor(trigger, phone) {
    this.#trigger = trigger;
    this.#phone = phone;
    const component = this.#component;
    const { min, max } = boundsOf(component);
    const [title, choices, chosen] = [placeholderOf(component), choicesOf(component, phone.scene), this.#chosen];
    trigger.setAttribute("aria-expanded", "true");
    this.#sheet = new Sheet(
      {
        title,
        choices,
        chosen,
        min,
        max,
        onDone: (values) => this.#choose(values),
        onClose: () => this.#onClose(),
      },
      phone.layers,
    );
  }

  /** Follows an edit of the message; closes where the edit has taken the menu away. */
  refresh() {
    const component = this.#component;
    if (!component || component.disabled) this.#sheet.cancel();
    else this.#sheet.refresh(choicesOf(component, this.#phone.scene), this.#chosen);
  }

  /** What the trigger stands for now: an edit keeps the element, but may give it another custom id. */
  get #component() {
    if (!this.#trigger.isConnected) return null;
    const { message, customId } = identify(this.#trigger);
    return findComponent(this.#phone.scene.messages.get(message), customId);
  }

  get #chosen() {
    const { message, customId } = identify(this.#trigger);
    return this.#phone.scene.picked(message, customId) ?? defaultsOf(this.#component);
  }

  #choose(values) {
    const { message, customId } = identify(this.#trigger);
    this.#phone.scene.pick(message, customId, values);
    interact(this.#trigger, this.#phone, { do: "select", values });
  }

  #onClose() {
    this.#trigger.setAttribute("aria-expanded", "false");
    this.#phone.menu = null;
  }
}
