/** @file The phones side by side. Those that don't fit on the screen are reached by a swipe or a tab. */

import { h } from "./dom.js";
import { Phone } from "./phone.js";

export class Deck {
  /** @type {Phone[]} */
  #phones = [];
  #watch;

  /** @param {{onVisible: (id: string, isVisible: boolean) => void}} context */
  constructor({ onVisible }) {
    this.element = h("main", { class: "deck" });
    const report = (entries) =>
      entries.forEach(({ target, intersectionRatio }) =>
        onVisible(target.dataset.person, intersectionRatio > 0.5),
      );
    this.#watch = new IntersectionObserver(report, { root: this.element, threshold: [0.5] });
  }

  /**
   * Shows a phone for each person. Existing phones are kept.
   *
   * @param {string[]} people
   * @param {(id: string) => string} placeOf  the channel that a person looks at
   * @param {(id: string) => Object} contextOf  the context of a person's phone, see `Phone`
   */
  show(people, placeOf, contextOf) {
    const stay = this.#phones.filter(
      (phone) => people.includes(phone.person) && phone.channel === placeOf(phone.person),
    );
    for (const phone of this.#phones) if (!stay.includes(phone)) this.#remove(phone);
    this.#phones = people.map(
      (id) => stay.find((phone) => phone.person === id) ?? new Phone(id, placeOf(id), contextOf(id)),
    );
    this.#phones.forEach((phone, place) => this.#place(phone, place));
  }

  /** Scrolls to a phone and marks its notifications as read. */
  goTo(id) {
    const phone = this.#phones.find((candidate) => candidate.person === id);
    phone?.element.scrollIntoView({ inline: "start", block: "nearest", behavior: motion() });
    phone?.head.read();
  }

  /** Focuses the phone at this index. */
  focus(place) {
    const phone = this.#phones[place];
    if (!phone) return;
    this.goTo(phone.person);
    phone.focus();
  }

  #remove(phone) {
    this.#watch.unobserve(phone.element);
    phone.close();
  }

  #place(phone, place) {
    const there = this.element.children[place];
    if (there !== phone.element) {
      this.element.insertBefore(phone.element, there ?? null);
      phone.log.toBottom(); // moving an element resets its scroll position
    }
    // Observing again reports the current visibility, which new tabs need.
    this.#watch.unobserve(phone.element);
    this.#watch.observe(phone.element);
  }
}

function motion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}
