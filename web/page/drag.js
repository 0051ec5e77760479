/**
 * @file A card that is dragged from the hand to the table plays it. A short move is still a tap.
 *
 * @typedef {Object} Target
 * @property {(key: string) => boolean} isSelected
 * @property {(key: string) => void} drop
 */

/** Pixels from which a move is a drag, and above the hand from which a card is played, as on the felt. */
const BEGIN = 10;
const PLAYED = 36;

/** @param {() => Target | null} target  the screen, if cards can be played there */
export function startDragging(target) {
  document.addEventListener("pointerdown", (event) => {
    const card = /** @type {HTMLElement} */ (event.target).closest?.(".hand > .card");
    const screen = target();
    if (card && screen && event.button === 0) new Drag(/** @type {HTMLElement} */ (card), event, screen);
  });
}

class Drag {
  #card;
  #begin;
  #target;
  /** @type {HTMLElement[]} */
  #moved = [];
  #end = new AbortController();

  /**
   * @param {HTMLElement} card
   * @param {PointerEvent} event
   * @param {Target} target
   */
  constructor(card, event, target) {
    this.#card = card;
    this.#begin = event;
    this.#target = target;
    const { signal } = this.#end;
    document.addEventListener("pointermove", (move) => this.#move(move), { signal });
    document.addEventListener("pointerup", (up) => this.#drop(up), { signal });
    document.addEventListener("pointercancel", (cancel) => this.#isMine(cancel) && this.#stop(), { signal });
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.#isMine(event)) return;
    const x = event.clientX - this.#begin.clientX;
    const y = event.clientY - this.#begin.clientY;
    if (!this.#moved.length && Math.hypot(x, y) < BEGIN) return;
    if (!this.#moved.length) this.#moved = this.#cards();
    for (const card of this.#moved) {
      card.classList.add("dragged");
      card.style.setProperty("transform", `translate(${x}px, ${y}px)`);
    }
  }

  /** The card, with the selected ones if it's among them. */
  #cards() {
    if (!this.#target.isSelected(this.#card.dataset.key ?? "")) return [this.#card];
    const selected = this.#card.parentElement?.querySelectorAll('[aria-pressed="true"]') ?? [];
    return /** @type {HTMLElement[]} */ ([...selected]);
  }

  /** False for another finger. @param {PointerEvent} event */
  #isMine(event) {
    return event.pointerId === this.#begin.pointerId;
  }

  /** @param {PointerEvent} event */
  #drop(event) {
    if (!this.#isMine(event)) return;
    const hand = this.#card.closest(".hold")?.getBoundingClientRect();
    const felt = document.querySelector(".felt")?.getBoundingClientRect();
    const wasMoved = this.#moved.length > 0;
    this.#stop();
    if (!wasMoved) return;
    document.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => document.removeEventListener("click", swallow, { capture: true }));
    const isAbove = hand && event.clientY < hand.top - PLAYED;
    if (isAbove || (felt && isWithin(felt, event))) this.#target.drop(this.#card.dataset.key ?? "");
  }

  #stop() {
    this.#end.abort();
    for (const card of this.#moved) {
      card.classList.remove("dragged");
      card.style.removeProperty("transform");
    }
  }
}

/**
 * @param {DOMRect} box
 * @param {PointerEvent} event
 */
function isWithin(box, { clientX: x, clientY: y }) {
  return box.left < x && x < box.right && box.top < y && y < box.bottom;
}

/** A click that ends a drag is no tap. @param {Event} event */
function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}
