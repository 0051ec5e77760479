/** @file The questions that a phone asks for an Activity: whether it may know the person, or open a page outside. */

import { h } from "./dom.js";

/**
 * Asks a question over the phone. Escape and a click outside say no.
 *
 * @param {{kind: "authorize"|"link", app: string, allows?: string[], url?: string}} question
 * @param {import("./layers.js").Layers} layers
 * @param {(allowed: boolean) => void} onAnswer
 */
export function askQuestion(question, layers, onAnswer) {
  const answer = (allowed) => {
    close();
    if (allowed && question.kind === "link") window.open(question.url, "_blank", "noopener");
    onAnswer(allowed);
  };
  const { title, text, yes } = wordsOf(question);
  const no = h("button", { type: "button", class: "button secondary", onclick: () => answer(false) }, "Cancel");
  const agree = h("button", { type: "button", class: "button primary", onclick: () => answer(true) }, yes);
  const element = h(
    "div",
    { class: "modal question", role: "dialog", "aria-label": title },
    h("header", { class: "modal-header" }, h("h3", {}, title)),
    h("div", { class: "modal-body" }, text),
    h("footer", { class: "modal-foot" }, no, agree),
  );
  const close = layers.open(element, () => answer(false));
  agree.focus({ preventScroll: true });
}

function wordsOf({ kind, app, allows, url }) {
  if (kind === "link") return { title: "Leaving Discord", text: h("p", {}, `${app} opens ${url}`), yes: "Visit Site" };
  const list = h("ul", {}, allows.map((meaning) => h("li", {}, meaning)));
  const text = h("div", {}, `This will allow ${app} to:`, list);
  return { title: `${app} wants to access your account`, text, yes: "Authorize" };
}
