/**
 * @file Builds elements without a framework. A screen is built anew for every update of the table, and `update.js`
 * changes what differs. So elements have no listeners: buttons name their action in `data-do`.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an element. Attributes that are null, undefined or false are omitted, true sets an empty attribute, and
 * `style` is an object of CSS properties. Children can be nested lists. Empty ones are skipped.
 *
 * @param {string} tag
 * @param {Object<string, *>} [attributes]
 * @param {...*} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  return /** @type {HTMLElement} */ (filled(document.createElement(tag), attributes, children));
}

/**
 * The same for an element of a drawing.
 *
 * @param {string} tag
 * @param {Object<string, *>} [attributes]
 * @param {...*} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (filled(document.createElementNS(SVG, tag), attributes, children));
}

/**
 * @param {Element} element
 * @param {Object<string, *>} attributes
 * @param {*[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...children.flat(Infinity).filter(isPresent));
  return element;
}

/**
 * The policy of the page forbids style attributes, but not styles that are set by a script.
 *
 * @param {*} element
 * @param {string} name
 * @param {*} value
 */
function setAttribute(element, name, value) {
  if (!isPresent(value)) return;
  if (name === "style") for (const [key, each] of Object.entries(value)) element.style.setProperty(key, each);
  else element.setAttribute(name, value === true ? "" : value);
}

/** @param {*} value */
function isPresent(value) {
  return value !== null && value !== undefined && value !== false && value !== "";
}

/**
 * A button. It stays focusable while it is disabled, so that the keyboard's place isn't lost.
 *
 * @param {string} action
 * @param {*} label
 * @param {Object<string, *>} [attributes]
 */
export function button(action, label, { disabled = false, ...attributes } = {}) {
  const state = { "aria-disabled": disabled ? "true" : null };
  return h("button", { type: "button", "data-do": action, "data-key": action, ...state, ...attributes }, label);
}

/** Outlines on a 24 by 24 grid, drawn in the color of the text. */
const ICONS = {
  back: "M15 5l-7 7 7 7",
  crown: "M3 18h18M4 15L3 7l5 4 4-7 4 7 5-4-1 8z",
  first: "M18 5l-9 7 9 7zM6 5v14",
  halt: "M8 5v14M16 5v14",
  last: "M6 5l9 7-9 7zM18 5v14",
  link: "M10 14a4 4 0 006 .5l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6-.5l-3 3a4 4 0 006 6l1-1",
  next: "M9 5l7 7-7 7",
  out: "M14 4h5v16h-5M11 8l-4 4 4 4M7 12h9",
  point: "M12 20V5M5 12l7-7 7 7",
  run: "M7 5l12 7-12 7z",
  silent: "M4 9v6h4l5 5V4L8 9zM17 9l5 6M22 9l-5 6",
  sound: "M4 9v6h4l5 5V4L8 9zM17 9a4 4 0 010 6M19.5 6a8 8 0 010 12",
};

/**
 * An icon, hidden from screen readers: its button needs a text or a label.
 *
 * @param {keyof typeof ICONS} name
 */
export function icon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: ICONS[name] }),
  );
}
