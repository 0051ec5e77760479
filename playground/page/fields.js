/**
 * @file The fields of a modal. Each is rendered once and can then be read and validated.
 *
 * @typedef {Object} Field
 * @property {HTMLElement} element  the control itself
 * @property {string|null} customId  null for a text display
 * @property {() => (string|string[]|boolean|null)} read
 * @property {() => string|null} fault  the error message, if the value is invalid
 * @typedef {{scene: import("./scene.js").Scene, layers: import("./layers.js").Layers, name: string, id: string}} FieldContext
 */

import { selectContent } from "./components.js";
import { h, icon } from "./dom.js";
import { prose } from "./prose.js";
import { SELECTS, boundsOf, choicesOf, defaultsOf, placeholderOf } from "./select.js";
import { Sheet } from "./sheet.js";

const CHECKBOX = 23;
const PARAGRAPH = 2;

const REQUIRED = "This field is required";

const BUILDERS = {
  4: textField,
  10: (text, { scene }) => silent(prose(text.content, scene)),
  19: () => silent(h("p", { class: "note" }, "The playground takes no files here.")),
  21: radioField,
  22: checkboxesField,
  23: checkboxField,
};
for (const type of SELECTS) BUILDERS[type] = selectField;

/** @param {Object} component @param {FieldContext} context @returns {Field|null} */
export function fieldFor(component, context) {
  return BUILDERS[component.type]?.(component, context) ?? null;
}

function silent(element) {
  return { element, customId: null, read: () => null, fault: () => null };
}

/** Fields are required by default, except a single checkbox. */
export function isRequired(component) {
  return component.type !== CHECKBOX && (component.required ?? true);
}

function textField(component, { id }) {
  const { placeholder, value } = component;
  const [min, max] = [component.min_length ?? 0, component.max_length ?? 4000];
  const isLong = component.style === PARAGRAPH;
  const shared = {
    id,
    placeholder,
    maxlength: max,
    "aria-required": isRequired(component) && "true",
    "data-custom-id": component.custom_id,
  };
  const input = isLong
    ? h("textarea", { ...shared, rows: "4" })
    : h("input", { ...shared, type: "text", autocomplete: "off" });
  input.value = value ?? "";
  const fault = () => {
    if (!input.value) return isRequired(component) ? REQUIRED : null;
    return input.value.length < min ? `At lowest ${min} characters, please` : null;
  };
  return { element: withCounter(input, max), customId: component.custom_id, read: () => input.value, fault };
}

/** As on Discord, only paragraphs have a character counter. */
function withCounter(input, max) {
  if (input.localName === "input") return input;
  const counter = h("small", { class: "counter", "aria-hidden": "true" });
  const count = () => {
    counter.textContent = max - input.value.length;
  };
  input.addEventListener("input", count);
  count();
  return h("div", { class: "counted" }, input, counter);
}

function selectField(component, { scene, layers, name, id }) {
  const choices = choicesOf(component, scene);
  const { min, max } = boundsOf(component);
  const content = h("span", {});
  let values = [];
  const choose = (chosen) => {
    values = chosen;
    const picked = choices.filter((choice) => values.includes(choice.value));
    content.replaceChildren(selectContent(picked, placeholderOf(component)));
  };
  const lowest = isRequired(component) ? min : 0;
  const open = () => new Sheet({ title: name, choices, chosen: values, min: lowest, max, onDone: choose }, layers);
  choose(defaultsOf(component));
  const element = trigger(component, { id, name, onclick: open }, content);
  const fault = () => countFault(values.length, isRequired(component), min, max);
  return { element, customId: component.custom_id, read: () => values, fault };
}

function trigger(component, { id, name, onclick }, content) {
  const popup = { role: "combobox", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-label": name };
  const hooks = { id, "data-custom-id": component.custom_id, disabled: component.disabled };
  return h("button", { type: "button", class: "select", ...popup, ...hooks, onclick }, content, icon("down"));
}

function countFault(count, required, min, max) {
  if (!count) return required ? REQUIRED : null;
  if (count < min) return `Choose at lowest ${min}`;
  return count > max ? `Choose at most ${max}` : null;
}

function radioField(component, { name, id }) {
  const element = optionGroup(component, "radio", { name, id });
  const read = () => element.querySelector("input:checked")?.value ?? null;
  return {
    element,
    customId: component.custom_id,
    read,
    fault: () => (isRequired(component) && read() === null ? REQUIRED : null),
  };
}

function checkboxesField(component, { name, id }) {
  const element = optionGroup(component, "checkbox", { name, id });
  const read = () => [...element.querySelectorAll("input:checked")].map((box) => box.value);
  const [min, max] = [component.min_values ?? 1, component.max_values ?? component.options.length];
  return {
    element,
    customId: component.custom_id,
    read,
    fault: () => countFault(read().length, isRequired(component), min, max),
  };
}

function optionGroup(component, type, { name, id }) {
  const option = ({ label, value, description, default: isChosen }) => {
    const input = h("input", { type, name: id, value, checked: isChosen });
    return h(
      "label",
      { class: "option" },
      input,
      h("span", {}, label, description && h("small", {}, description)),
    );
  };
  const role = type === "radio" ? "radiogroup" : "group";
  return h(
    "div",
    { id, role, class: "options", "aria-label": name, "data-custom-id": component.custom_id },
    component.options.map(option),
  );
}

function checkboxField(component, { name, id }) {
  const input = h("input", {
    id,
    type: "checkbox",
    checked: component.default,
    "aria-label": name,
    "data-custom-id": component.custom_id,
  });
  return { element: input, customId: component.custom_id, read: () => input.checked, fault: () => null };
}
