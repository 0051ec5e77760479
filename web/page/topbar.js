/** @file The line at the top of each screen: the way back, the title, and what concerns the whole page. */

import { button, h, icon } from "./dom.js";
import { hasSounds } from "./sounds.js";
import { say } from "./texts.js";

/**
 * @param {string} title
 * @param {string} [detail]
 * @param {*[]} [tools]  buttons of the screen
 * @param {{isHome?: boolean}} [place]
 */
export function topBar(title, detail = "", tools = [], { isHome = false } = {}) {
  const sounds = say(hasSounds() ? "sounds_off" : "sounds_on");
  return h(
    "header",
    { class: "topbar", "data-key": "topbar" },
    !isHome && button("home", icon("back"), { class: "tool", "aria-label": say("home"), title: say("home") }),
    h("div", { class: "titles" }, h("h1", { tabindex: -1 }, title), detail && h("p", {}, detail)),
    tools,
    button("sounds", icon(hasSounds() ? "sound" : "silent"), { class: "tool", "aria-label": sounds, title: sounds }),
  );
}
