/** @file The entry point: shows the phones of the chosen people, with channel and theme. */

import { DIRECT, readAddress, writeAddress } from "./address.js";
import { announcer } from "./announcer.js";
import { Deck } from "./deck.js";
import { h } from "./dom.js";
import { applyTheme, onSystemTheme, switchTheme } from "./theme.js";
import { keepTime } from "./timestamps.js";
import { TopBar } from "./topbar.js";
import { addPerson, awaitWorld, channelsOf, fetchWorld, moveTime } from "./world.js";

class Page {
  #world;
  #shown;
  #badges = new Map();
  #deck = new Deck({ onVisible: (id, isVisible) => this.#bar.markVisible(id, isVisible) });
  #bar = new TopBar({
    onChannel: (channel) => this.#show({ channel, places: new Map() }),
    onTab: (id) => this.#deck.goTo(id),
    onTheme: () => this.#show({ theme: switchTheme() }),
    onTime: moveTime,
  });

  constructor(world) {
    this.#world = world;
    this.#shown = readAddress(world);
    document.body.replaceChildren(this.#bar.element, this.#deck.element, announcer);
    document.addEventListener("keydown", (event) => this.#onKey(event));
    onSystemTheme(() => this.#bar.showTheme());
    this.#show({});
  }

  /** Changes people, channels or theme, and updates the page and its URL. */
  #show(change) {
    Object.assign(this.#shown, change);
    writeAddress(this.#shown);
    const { people, places, channel } = this.#shown;
    for (const id of this.#badges.keys()) if (!people.includes(id)) this.#badges.delete(id);
    this.#bar.showTheme();
    this.#bar.showTime(this.#world.moves_time);
    this.#bar.showChannels(this.#world.guilds, channel);
    this.#bar.showTabs(people.map((id) => this.#world.people.find((user) => user.id === id)));
    this.#deck.show(
      people,
      (id) => places.get(id) ?? channel,
      (id) => this.#phoneContext(id),
    );
    for (const [id, count] of this.#badges) this.#bar.showBadge(id, count);
  }

  #phoneContext(id) {
    return {
      people: () => this.#world.people,
      onSwitch: (other) => this.#switch(id, other),
      onAdd: (name) => this.#add(id, name),
      onPlace: (place) => this.#look(id, place),
      onBadge: (count) => this.#setBadge(id, count),
      onChannels: () => this.#refresh(),
      onLost: () => this.#recover(),
    };
  }

  /** Replaces a person by another. If both are shown, they swap places. */
  #switch(id, other) {
    const trade = new Map([
      [id, other],
      [other, id],
    ]);
    this.#show({ people: this.#shown.people.map((person) => trade.get(person) ?? person) });
  }

  /** Lets one person look at another channel, or at their direct messages. */
  #look(id, place) {
    this.#setBadge(id, 0);
    this.#show({ places: new Map(this.#shown.places).set(id, place) });
  }

  async #add(id, name) {
    const user = await addPerson(name);
    this.#world = await fetchWorld();
    this.#switch(id, user.id);
  }

  async #refresh() {
    this.#world = await fetchWorld();
    this.#bar.showChannels(this.#world.guilds, this.#shown.channel);
  }

  /** Resets the page if the server was restarted with other people or channels. */
  async #recover() {
    const world = await fetchWorld().catch(() => null);
    if (!world?.people.length || !channelsOf(world).length || this.#isWithin(world)) return;
    this.#world = world;
    this.#show(readAddress(world));
  }

  #isWithin(world) {
    const known = new Set([DIRECT, ...[...world.people, ...channelsOf(world)].map(({ id }) => id)]);
    const { people, places, channel } = this.#shown;
    return [...people, ...places.values(), channel].every((id) => known.has(id));
  }

  #setBadge(id, count) {
    this.#badges.set(id, count);
    this.#bar.showBadge(id, count);
    const total = [...this.#badges.values()].reduce((sum, each) => sum + each, 0);
    document.title = total ? `(${total}) Playground` : "Playground";
  }

  /** Alt and a digit focuses a phone. */
  #onKey(event) {
    const digit = event.altKey && event.code.match(/^Digit([1-9])$/)?.[1];
    if (!digit) return;
    event.preventDefault();
    this.#deck.focus(Number(digit) - 1);
  }
}

applyTheme(new URLSearchParams(location.search).get("theme"));
keepTime();
const world = await awaitWorld((why) =>
  document.body.replaceChildren(h("p", { class: "waiting", role: "status" }, why)),
);
new Page(world);
