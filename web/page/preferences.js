/**
 * @file What a viewer has chosen in this browser. Inside Discord's frame the store may be closed: then a choice holds
 * until the page is closed.
 */

const PREFIX = "gang-of-four.";
/** The choices since the page was loaded. @type {Map<string, string>} */
const chosen = new Map();

/**
 * @param {string} name
 * @param {string} usual
 */
export function preference(name, usual) {
  try {
    return chosen.get(name) ?? localStorage.getItem(PREFIX + name) ?? usual;
  } catch {
    return usual;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function prefer(name, value) {
  chosen.set(name, value);
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // The store is closed.
  }
}
