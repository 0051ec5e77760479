/** @file The phones side by side. As many as fit are on the screen; the others are a swipe or a tab away. */

import { h } from "./dom.js";
import { Phone } from "./phone.js";

export class Deck {
  /** @type {Phone[]} */
  #phones = [];
  #watch;

  /** @param {{onVisible: (id: string, isVisible: boolean) => void}} around */
  constructor({ onVisible }) {
    this.element = h("main", { class: "deck" });
    const look = (entries) =>
      entries.forEach(({ target, intersectionRatio }) =>
        onVisible(target.dataset.person, intersectionRatio > 0.5),
      );
    this.#watch = new IntersectionObserver(look, { root: this.element, threshold: [0.5] });
  }

  /**
   * Puts a phone at each place of `people`, all looking at one channel; a phone that is there already stays as it is.
   *
   * @param {string[]} people
   * @param {string} channel
   * @param {(id: string) => Object} around  what a person's phone is given
   */
  show(people, channel, around) {
    const stay = this.#phones.filter((phone) => people.includes(phone.person) && phone.channel === channel);
    for (const phone of this.#phones) if (!stay.includes(phone)) this.#remove(phone);
    this.#phones = people.map(
      (id) => stay.find((phone) => phone.person === id) ?? new Phone(id, channel, around(id)),
    );
    this.#phones.forEach((phone, place) => this.#place(phone, place));
  }

  /** Brings a phone to the screen and its composer under the keyboard. */
  goTo(id) {
    const phone = this.#phones.find((candidate) => candidate.person === id);
    phone?.element.scrollIntoView({ inline: "start", block: "nearest", behavior: motion() });
    phone?.head.read();
  }

  /** Puts the keyboard into the phone at this place, counted from 0. */
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
      phone.log.toBottom(); // an element that moves forgets how far it was scrolled
    }
    // Watching begins with a report, which the newly drawn tabs need.
    this.#watch.unobserve(phone.element);
    this.#watch.observe(phone.element);
  }
}

function motion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
}
