/** @file Renders Markdown nodes. Text is only inserted as text nodes, so messages can't inject HTML. */

import { h } from "./dom.js";
import { customEmoji } from "./emoji.js";
import { isOnlyEmoji, parse, parseInline } from "./markdown.js";
import { formatMoment, momentElement } from "./timestamps.js";

/** Renderers by node type. Each gets the node, its rendered children and the scene. */
const BUILDERS = {
  text: (node) => node.text,
  paragraph: (node, children) => h("p", {}, children),
  heading: (node, children) => h(`h${node.level + 2}`, { class: `heading-${node.level}` }, children),
  subtext: (node, children) => h("p", { class: "subtext" }, children),
  quote: (node, children) => h("blockquote", {}, children),
  list: (node, children) =>
    h(node.ordered ? "ol" : "ul", { start: node.ordered && node.start !== 1 && node.start }, children),
  item: (node, children) => h("li", {}, children),
  fence: (node) => h("pre", { tabindex: "0" }, h("code", { "data-language": node.language || null }, node.text)),
  code: (node) => h("code", {}, node.text),
  bold: (node, children) => h("strong", {}, children),
  italic: (node, children) => h("em", {}, children),
  underline: (node, children) => h("u", {}, children),
  strike: (node, children) => h("s", {}, children),
  spoiler: (node, children) => spoiler("span", children),
  link: (node, children) => link(node.url, children),
  emoji: (node) => customEmoji(node.id, node.name),
  time: (node) => momentElement(node.unix, node.style),
  user: (node, children, scene) =>
    h(
      "button",
      {
        type: "button",
        class: node.id === scene.me.id ? "mention me" : "mention",
        "data-action": "apps",
        "data-user": node.id,
      },
      `@${scene.userName(node.id)}`,
    ),
  role: (node, children, scene) => mention(`@${scene.roleName(node.id)}`),
  everyone: (node) => mention(`@${node.name}`),
  channel: (node, children, scene) => mention(`#${scene.channelName(node.id)}`),
  command: (node) =>
    h(
      "button",
      { type: "button", class: "mention", "data-action": "command", "data-command": node.name },
      `/${node.name}`,
    ),
};

function mention(words) {
  return h("span", { class: "mention" }, words);
}

/** A link that opens in a new tab, without opener and referrer. */
export function link(url, children) {
  return h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, children);
}

/** Hidden until pressed. `data-revealed` is kept when the message is edited. */
export function spoiler(tag, children) {
  const cover = h("button", {
    type: "button",
    class: "cover",
    "aria-label": "Show spoiler",
    "data-action": "reveal",
  });
  return h(tag, { class: "spoiler" }, cover, h(tag, { class: "spoiled" }, children));
}

function build(node, scene) {
  const children = (node.children ?? []).map((child) => build(child, scene));
  return BUILDERS[node.type](node, children, scene);
}

/**
 * Renders the text of a message.
 *
 * @param {string} source
 * @param {import("./scene.js").Scene} scene
 */
export function prose(source, scene) {
  const kind = isOnlyEmoji(source) ? "prose jumbo" : "prose";
  return h(
    "div",
    { class: kind },
    parse(source).map((node) => build(node, scene)),
  );
}

/** Renders a text without blocks, such as the title of an embed. */
export function line(source, scene) {
  return parseInline(source).map((node) => build(node, scene));
}

/** The first line of a text, with names instead of mentions and times as words. */
export function plain(source, scene) {
  return source
    .split("\n", 1)[0]
    .replace(/<@!?(\d+)>/g, (_, id) => `@${scene.userName(id)}`)
    .replace(/<t:(\d+)(?::(\w))?>/g, (_, unix, style) => formatMoment(Number(unix), style ?? "f"));
}
