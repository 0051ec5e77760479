/** @file What a viewer has chosen in this browser. Inside Discord's frame the store may be closed: then it's forgotten. */

const PREFIX = "gang-of-four.";

/**
 * @param {string} name
 * @param {string} usual
 */
export function preference(name, usual) {
  try {
    return localStorage.getItem(PREFIX + name) ?? usual;
  } catch {
    return usual;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function prefer(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // The choice holds until the page is closed.
  }
}
