/**
 * @file Cards that fly. Before a change, the places of the shown cards are kept; after it, cards that have a new place
 * move there. Only transforms and opacity are animated, so that the browser needs no layout. Viewers who want less motion
 * see none of it.
 *
 * @typedef {import("./types.js").Table} Table
 * @typedef {import("./types.js").TableEvent} TableEvent
 */

const FLIGHT = 380;
const EASE = "cubic-bezier(.2,.75,.25,1)";

/** @returns {boolean} */
function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
}

/** The places of the cards and players before a change. */
export class Places {
  /** @type {Map<string, DOMRect>} */
  #places = new Map();

  constructor() {
    if (isStill()) return;
    for (const card of all(".hand > .card")) this.#keep(`hand ${card.dataset.card}`, card);
    for (const seat of all(".seat")) this.#keep(`seat ${seat.dataset.seat}`, seat.querySelector(".held, .open") ?? seat);
  }

  /**
   * Moves the cards of what has happened.
   *
   * @param {Table} table
   */
  fly(table) {
    if (isStill()) return;
    for (const event of table.events) this.#show(event, table);
    for (const move of all(".exchange li")) if (has(table, "exchange")) this.#arrive(move, move.dataset.from ?? "", 0);
  }

  /**
   * @param {TableEvent} event
   * @param {Table} table
   */
  #show(event, table) {
    if (event.kind === "play" || event.kind === "gang") this.#play(event, table);
    if (event.kind === "gang") celebrate();
    if (event.kind === "pass" && event.seat !== null) shake(event.seat);
  }

  /**
   * @param {TableEvent} event
   * @param {Table} table
   */
  #play({ seat }, table) {
    const last = table.plays.length - 1;
    if (table.plays[last]?.seat !== seat) return;
    all(".to-beat .card").forEach((card, place) => this.#arrive(card, String(seat), place, table.you));
  }

  /**
   * @param {HTMLElement} card
   * @param {string} seat
   * @param {number} place
   * @param {number | null} [you]
   */
  #arrive(card, seat, place, you = null) {
    const own = String(you) === seat ? this.#places.get(`hand ${card.dataset.card}`) : undefined;
    const from = own ?? this.#places.get(`seat ${seat}`);
    if (from) flight(card, from, place);
  }

  /**
   * @param {string} name
   * @param {Element} element
   */
  #keep(name, element) {
    this.#places.set(name, element.getBoundingClientRect());
  }
}

/**
 * @param {Table} table
 * @param {string} event
 */
function has(table, event) {
  return table.events.some(({ kind }) => kind === event);
}

/**
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
function all(selector) {
  return [...document.querySelectorAll(selector)].map((each) => /** @type {HTMLElement} */ (each));
}

/**
 * @param {HTMLElement} card
 * @param {DOMRect} from
 * @param {number} place  cards start one after the other
 */
function flight(card, from, place) {
  const to = card.getBoundingClientRect();
  const x = from.x + from.width / 2 - to.x - to.width / 2;
  const y = from.y + from.height / 2 - to.y - to.height / 2;
  const size = Math.min(1.4, Math.max(0.4, from.height / to.height));
  card.animate(
    [{ transform: `translate(${x}px, ${y}px) scale(${size}) rotate(-8deg)` }, { transform: "none" }],
    { duration: FLIGHT, delay: place * 35, easing: EASE, fill: "backwards" },
  );
}

/** @param {number} seat */
function shake(seat) {
  const element = document.querySelector(`.seat[data-seat="${seat}"]`);
  const steps = [0, -5, 5, -3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  element?.animate(steps, { duration: 320 });
}

/** A gang lands heavily, and its name grows. */
function celebrate() {
  const shock = [0, 7, -5, 3, 0].map((y) => ({ transform: `translateY(${y}px)` }));
  document.querySelector(".felt")?.animate(shock, { duration: 450, delay: FLIGHT });
  const growth = [1, 1.35, 1].map((size) => ({ transform: `scale(${size})` }));
  document.querySelector(".to-beat b")?.animate(growth, { duration: 900, delay: FLIGHT, easing: EASE });
}

/** The hand is dealt: its cards come one after the other. */
export function deal() {
  if (isStill()) return;
  all(".hand > .card").forEach((card, place) =>
    card.animate([{ opacity: 0, transform: "translateY(-160px) rotate(12deg)" }, {}], {
      duration: 320,
      delay: place * 28,
      easing: EASE,
      fill: "backwards",
    }),
  );
}
