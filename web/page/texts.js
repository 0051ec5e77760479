/** @file The page's labels in the viewer's language. The server sends them from its catalogs. */

/** @type {Object<string, string | Object<string, string>>} */
let texts = {};
let plurals = new Intl.PluralRules("en");

/**
 * Loads the labels. Throws if the server can't be reached.
 *
 * @param {URL} address
 * @param {string} language
 */
export async function loadTexts(address, language) {
  address.searchParams.set("language", language);
  const answer = await fetch(address);
  texts = await answer.json();
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

/**
 * A label with its facts. Without labels, it is the key, so that a missing one is seen.
 *
 * @param {string} key
 * @param {Object<string, string | number>} [facts]
 * @returns {string}
 */
export function say(key, facts = {}) {
  const text = texts[key] ?? key;
  return filled(typeof text === "string" ? text : text.other, facts);
}

/**
 * A label in the plural form for `number`, which is among its facts.
 *
 * @param {string} key
 * @param {number} number
 */
export function count(key, number) {
  const forms = texts[key] ?? key;
  const text = typeof forms === "string" ? forms : (forms[plurals.select(number)] ?? forms.other);
  return filled(text, { number });
}

/**
 * @param {string} text
 * @param {Object<string, string | number>} facts
 */
function filled(text, facts) {
  return text.replace(/\{(\w+)\}/g, (found, name) => String(facts[name] ?? found));
}
