/** @file Builds DOM elements without a framework: `h` creates an element, `icon` one of the page's icons. */

const SVG = "http://www.w3.org/2000/svg";

/** SVG paths on a 24 by 24 grid, drawn in the color of the text. */
const OUTLINES = {
  check: "M5 12.5l4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6L6 18",
  dots: "M5 12h.01M12 12h.01M19 12h.01",
  down: "M6 9l6 6 6-6",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z M12 9a3 3 0 100 6 3 3 0 000-6z",
  file: "M6 2h8l5 5v15H6z M14 2v5h5",
  grow: "M9 4H4v5M15 20h5v-5M4 4l6 6M20 20l-6-6",
  hash: "M9 3L7 21M17 3l-2 18M4 8.5h17M3 15.5h17",
  moon: "M20 14.5A8.5 8.5 0 019.5 4 8.5 8.5 0 1020 14.5z",
  out: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  plus: "M12 5v14M5 12h14",
  reply: "M4 20v-6a6 6 0 016-6h10M15 3l5 5-5 5",
  rocket: "M5 15c-1 1-2 5-2 5s4-1 5-2M9 14l-4-1 3-5h4M10 15l1 4 5-3v-4M10 15l-1-1c1-6 5-11 12-12-1 7-6 11-11 13zM15 8.5v.01",
  send: "M4 4l17 8-17 8 3-8z M7 12h14",
  shrink: "M10 4v6H4M14 20v-6h6M10 10L4 4M14 14l6 6",
  slash: "M5 3h14a2 2 0 012 2v14a2 2 0 01-2 2H5a2 2 0 01-2-2V5a2 2 0 012-2z M15 7l-6 10",
  sun: "M12 7.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9z M12 1.5v3M12 19.5v3M1.5 12h3M19.5 12h3M4.6 4.6l2.1 2.1M17.3 17.3l2.1 2.1M19.4 4.6l-2.1 2.1M6.7 17.3l-2.1 2.1",
  warning: "M12 3L1.5 21h21z M12 10v5M12 18v.01",
};

/**
 * Creates an element. Attributes that are null, undefined or false are omitted, true sets an empty attribute, and
 * functions such as `onclick` become listeners. Children can be nested lists. Empty ones are skipped.
 *
 * @param {string} tag
 * @param {Object<string, *>} [attributes]
 * @param {...*} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...children.flat(Infinity).filter(isPresent));
  return element;
}

function setAttribute(element, name, value) {
  if (typeof value === "function") element.addEventListener(name.slice(2), value);
  else if (isPresent(value)) element.setAttribute(name, value === true ? "" : value);
}

function isPresent(value) {
  return value !== null && value !== undefined && value !== false;
}

/**
 * An icon. It is hidden from screen readers, so its button needs a text or label.
 *
 * @param {keyof typeof OUTLINES} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", OUTLINES[name]);
  svg.setAttribute("class", "icon");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.append(path);
  return svg;
}

let counter = 0;

/** An element id that is unique on the page. */
export function uniqueId(prefix) {
  counter += 1;
  return `${prefix}-${counter}`;
}
