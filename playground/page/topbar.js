/** @file The bar at the top: title, time, channel, tabs of the phones and theme. */

import { avatar, nameOf } from "./avatar.js";
import { h, icon } from "./dom.js";
import { isDark } from "./theme.js";
import { clockElement } from "./timestamps.js";

/** The seconds by which the buttons move the time. */
const STEPS = { "+ 1 hour": 3600, "+ 1 day": 86400 };

export class TopBar {
  #channel = h("select", { "aria-label": "Channel of all phones" });
  #tabs = h("nav", { class: "tabs", "aria-label": "Phones" });
  #theme = h("button", { type: "button", class: "icon-button" });

  #time = h("div", { class: "time", role: "group", "aria-label": "Time" });

  /**
   * @param {Object} context
   * @param {(id: string) => void} context.onChannel
   * @param {(id: string) => void} context.onTab
   * @param {() => void} context.onTheme
   * @param {(seconds: number) => void} context.onTime
   */
  constructor({ onChannel, onTab, onTheme, onTime }) {
    this.onTab = onTab;
    this.#channel.addEventListener("change", () => onChannel(this.#channel.value));
    this.#theme.addEventListener("click", onTheme);
    const title = h("h1", {}, "Playground ", h("small", {}, "a simulated Discord"));
    const place = h("label", { class: "channel-choice" }, icon("hash"), this.#channel);
    const steps = Object.entries(STEPS).map(([name, seconds]) =>
      h("button", { type: "button", class: "button secondary", onclick: () => onTime(seconds) }, name),
    );
    this.#time.append(clockElement(), ...steps);
    this.element = h("header", { class: "top-bar" }, title, this.#tabs, this.#time, place, this.#theme);
  }

  /** Shows the clock if the app's time can be moved. */
  showTime(isOffered) {
    this.#time.hidden = !isOffered;
  }

  showChannels(guilds, channel) {
    const option = ({ id, name }) => h("option", { value: id, selected: id === channel }, name);
    this.#channel.replaceChildren(
      ...guilds.map((guild) => h("optgroup", { label: guild.name }, guild.channels.map(option))),
    );
  }

  /** Shows a tab for each phone. */
  showTabs(people) {
    const tab = (user) => {
      const badge = h("span", { class: "badge", hidden: true });
      return h(
        "button",
        { type: "button", "data-tab": user.id, onclick: () => this.onTab(user.id) },
        avatar(user),
        h("span", {}, nameOf(user)),
        badge,
      );
    };
    this.#tabs.replaceChildren(...people.map(tab));
  }

  showBadge(id, count) {
    const badge = this.#tab(id)?.querySelector(".badge");
    if (!badge) return;
    badge.hidden = count === 0;
    badge.textContent = count;
  }

  /** Marks the tab of a phone as visible or not. */
  markVisible(id, isVisible) {
    this.#tab(id)?.setAttribute("aria-current", String(isVisible));
  }

  showTheme() {
    const other = isDark() ? "light" : "dark";
    this.#theme.setAttribute("aria-label", `Switch to ${other} colors`);
    this.#theme.replaceChildren(icon(isDark() ? "sun" : "moon"));
  }

  #tab(id) {
    return this.#tabs.querySelector(`[data-tab="${CSS.escape(id)}"]`);
  }
}
