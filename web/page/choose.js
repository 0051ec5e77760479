/**
 * @file Which cards are selected. The server names the legal plays; this finds those with the tapped cards, so that one
 * tap offers them.
 *
 * @typedef {import("./types.js").Card} Card
 * @typedef {import("./types.js").Choice} Choice
 */

import { keysOf } from "./cards.js";

export class Chooser {
  /** The kinds of the hand's cards by their keys. @type {Map<string, number>} */
  #hand;
  /** @type {Choice[]} */
  #choices;
  /** Keys of cards. @type {string[]} */
  selected;

  /**
   * @param {Card[]} hand
   * @param {Choice[]} choices
   * @param {string[]} selected  cards that have left the hand are dropped
   */
  constructor(hand, choices, selected) {
    const keys = keysOf(hand);
    this.#hand = new Map(hand.map(({ id }, place) => [keys[place], id]));
    this.#choices = choices;
    this.selected = selected.filter((key) => this.#hand.has(key));
  }

  /** The selected cards for the server. */
  get ids() {
    return this.#ids(this.selected);
  }

  /**
   * The plays that contain all selected cards and more: the cheapest of equally strong ones first, then the others.
   * Without a selection, the cheapest of several cards: single cards are in the hand.
   *
   * @returns {Choice[]}
   */
  offers() {
    const least = Math.max(this.selected.length, 1);
    const longer = this.#choices.filter(({ cards }) => cards.length > least && contains(cards, this.ids));
    const cheapest = longer.filter(({ strength }, at) => strength !== longer[at - 1]?.strength);
    const others = longer.filter((choice) => !cheapest.includes(choice));
    return this.selected.length ? [...cheapest, ...others] : cheapest;
  }

  /** The legal play that is selected. @returns {Choice | undefined} */
  chosen() {
    return this.#choices.find(({ cards }) => cards.length === this.selected.length && contains(cards, this.ids));
  }

  /**
   * A tap on a card. A card that goes with the selected ones is added, another one replaces them. If only one play is
   * offered with a card, it's selected.
   *
   * @param {string} key
   */
  tap(key) {
    if (this.selected.includes(key)) return this.#drop(key);
    const longer = [...this.selected, key];
    this.selected = this.#goesOn(longer) ? longer : [key];
    if (this.selected.length === 1) this.#complete();
  }

  /** Selects a play, with the copies that are selected already. @param {number[]} ids */
  take(ids) {
    const free = new Set([...this.selected, ...this.#hand.keys()]);
    this.selected = ids.map((id) => {
      const copy = [...free].find((key) => this.#hand.get(key) === id) ?? "";
      free.delete(copy);
      return copy;
    });
  }

  /** The other card of a pair goes with it, unless it's a play by itself. @param {string} key */
  #drop(key) {
    const isPair = this.selected.length === 2 && this.chosen();
    this.selected = this.selected.filter((other) => other !== key);
    if (isPair && !this.chosen()) this.selected = [];
  }

  /** A card outside of the legal plays is added, so that Why can explain it. @param {string[]} keys */
  #goesOn(keys) {
    const isPart = this.#choices.some(({ cards }) => contains(cards, this.#ids(keys)));
    return isPart || !this.#isPlayable(keys[keys.length - 1]);
  }

  /** @param {string} key */
  #isPlayable(key) {
    return this.#choices.some(({ cards }) => cards.includes(this.#hand.get(key) ?? -1));
  }

  #complete() {
    const offers = this.offers();
    if (offers.length === 1 && !this.chosen()) this.take(offers[0].cards);
  }

  /** @param {string[]} keys */
  #ids(keys) {
    return keys.map((key) => this.#hand.get(key) ?? -1);
  }
}

/**
 * @param {number[]} cards
 * @param {number[]} wanted  with a card as often as `cards` must have it
 */
function contains(cards, wanted) {
  const free = [...cards];
  return wanted.every((id) => free.includes(id) && free.splice(free.indexOf(id), 1));
}
