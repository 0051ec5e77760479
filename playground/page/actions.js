/**
 * @file The actions of elements in the log, by their `data-action`. Each gets the element and the phone.
 */

import { findComponent } from "./components.js";
import { boundsOf, choicesOf, defaultsOf, placeholderOf } from "./select.js";
import { Sheet } from "./sheet.js";
import { viewPicture } from "./viewer.js";

export const actions = {
  click: (button, phone) => interact(button, phone, { action: "click" }),
  select: openMenu,
  dismiss: (button, phone) => phone.send({ action: "dismiss", message: button.dataset.target }),
  jump: (button, phone) => phone.log.jumpTo(button.dataset.target),
  apps: ({ dataset }, phone) => phone.openApps({ user: dataset.user, message: dataset.target }),
  command: (mention, phone) => phone.openCommand(mention.dataset.command),
  picture: (opener) => viewPicture(opener.querySelector("img")),
  reveal: (cover) => {
    cover.parentElement.dataset.revealed = "";
  },
};

/** Controls are disabled while an interaction of their message is pending. */
function isWaiting(element) {
  return element.getAttribute("aria-disabled") === "true";
}

/** The message and component that an element belongs to. */
function identify(element) {
  return { message: element.closest("[data-message]").dataset.message, customId: element.dataset.customId };
}

function interact(element, phone, frame) {
  if (isWaiting(element)) return;
  const { message, customId } = identify(element);
  if (!phone.send({ ...frame, message, custom_id: customId })) return;
  phone.scene.failed.delete(message);
  phone.scene.busy.set(message, customId);
  phone.redraw(message);
}

function openMenu(trigger, phone) {
  if (isWaiting(trigger)) return;
  phone.menu = new Menu(trigger, phone);
}

/** The open menu of a select. Its message can be edited while it is open. */
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

  /** Updates the menu after an edit of the message, or closes it if the select is gone. */
  refresh() {
    const component = this.#component;
    if (!component || component.disabled) this.#sheet.cancel();
    else this.#sheet.refresh(choicesOf(component, this.#phone.scene), this.#chosen);
  }

  /** The current component of the trigger: an edit keeps the element, but can change its custom id. */
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
    interact(this.#trigger, this.#phone, { action: "select", values });
  }

  #onClose() {
    this.#trigger.setAttribute("aria-expanded", "false");
    this.#phone.menu = null;
  }
}
