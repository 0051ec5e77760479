/**
 * @file Renders message components. The elements have no listeners: the phone handles all clicks by `data-action` and
 * `data-custom-id`, so elements can be redrawn at any time.
 *
 * @typedef {{message: import("./scene.js").Message, scene: import("./scene.js").Scene}} Context
 */

import { h, icon } from "./dom.js";
import { cssColor } from "./embeds.js";
import { componentEmoji } from "./emoji.js";
import { fileCard, picture, resolve } from "./media.js";
import { prose, spoiler } from "./prose.js";
import { SELECTS, choicesOf, defaultsOf, placeholderOf } from "./select.js";

const BUTTON_STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger" };
const LINK = 5;

/** Renderers by Discord's component type. Other types aren't shown. */
const BUILDERS = {
  1: (row, context) => h("div", { class: "row" }, components(row.components, context)),
  2: (button, context) =>
    button.style === LINK ? linkButton(button) : BUTTON_STYLES[button.style] && pushButton(button, context),
  9: section,
  10: (text, { scene }) => prose(text.content, scene),
  11: (thumbnail, { message }) => media(thumbnail, message, "thumbnail"),
  12: gallery,
  13: (file, { message }) =>
    fileCard({ ...resolve(file.file, message), name: file.name, size: file.size }, file.spoiler),
  14: (line) =>
    h("div", {
      class: `separator ${line.spacing === 2 ? "large" : "small"}`,
      role: line.divider === false ? null : "separator",
    }),
  17: container,
};
for (const type of SELECTS) BUILDERS[type] = selectTrigger;

/** @param {Object[]} list @param {Context} context */
export function components(list, context) {
  return list.map((component) => BUILDERS[component.type]?.(component, context));
}

/**
 * The common attributes of controls. While an interaction of the message is pending, all its controls get
 * `aria-disabled`. Real disabling would lose the keyboard focus.
 */
function control(component, { message, scene }) {
  const busy = scene.busy.get(message.id);
  return {
    type: "button",
    disabled: component.disabled,
    "data-key": component.custom_id,
    "data-custom-id": component.custom_id,
    "aria-busy": busy === component.custom_id && "true",
    "aria-disabled": busy && "true",
  };
}

function pushButton(button, context) {
  const classes = `button ${BUTTON_STYLES[button.style]}`;
  const attributes = {
    ...control(button, context),
    class: classes,
    "data-action": "click",
    "data-name": button.label ?? button.emoji?.name,
  };
  return h("button", attributes, buttonContent(button));
}

function linkButton(button) {
  return h(
    "a",
    { class: "button link", href: button.url, target: "_blank", rel: "noopener noreferrer" },
    buttonContent(button),
    icon("out"),
  );
}

function buttonContent(button) {
  return [componentEmoji(button.emoji, !button.label), button.label && h("span", {}, button.label)];
}

function selectTrigger(select, context) {
  const { message, scene } = context;
  const values = scene.picked(message.id, select.custom_id) ?? defaultsOf(select);
  const chosen = choicesOf(select, scene).filter((choice) => values.includes(choice.value));
  const name = placeholderOf(select);
  const attributes = {
    ...control(select, context),
    class: "select",
    role: "combobox",
    "aria-haspopup": "listbox",
    "aria-expanded": "false",
  };
  return h(
    "button",
    { ...attributes, "aria-label": name, "data-name": name, "data-action": "select" },
    selectContent(chosen, name),
    icon("down"),
  );
}

/** The content of a closed select: the chosen options or the placeholder. */
export function selectContent(chosen, placeholder) {
  if (!chosen.length) return h("span", { class: "placeholder" }, placeholder);
  const face = (choice) => h("span", { class: "chosen" }, componentEmoji(choice.emoji), choice.label);
  return h("span", { class: chosen.length > 1 ? "faces several" : "faces" }, chosen.map(face));
}

function section(part, context) {
  const texts = h("div", { class: "section-texts" }, components(part.components, context));
  return h(
    "div",
    { class: "section" },
    texts,
    h("div", { class: "accessory" }, components([part.accessory], context)),
  );
}

function media(item, message, kind) {
  return picture(resolve(item.media, message), item.description, { hidden: item.spoiler, kind });
}

function gallery(part, { message }) {
  const pictures = part.items.map((item) => media(item, message, "picture"));
  return h("div", { class: "gallery", "data-count": Math.min(pictures.length, 4) }, pictures);
}

function container(part, context) {
  const accent = Number.isInteger(part.accent_color) ? `--accent: ${cssColor(part.accent_color)}` : null;
  const box = h(
    "div",
    { class: accent ? "container accented" : "container", style: accent },
    components(part.components, context),
  );
  return part.spoiler ? spoiler("div", box) : box;
}

/** Finds a component of a message by custom id, at any depth. */
export function findComponent(message, customId) {
  const queue = [...(message.components ?? [])];
  for (const component of queue) {
    if (component.custom_id === customId) return component;
    queue.push(...(component.components ?? []), ...(component.accessory ? [component.accessory] : []));
  }
  return null;
}
