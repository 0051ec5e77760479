/**
 * @file Searches slash commands and parses the values of their options. Pure functions, no DOM.
 *
 * @typedef {Object} Command
 * @property {string} path  the full name: "gang new"
 * @property {string} title  the full name in the person's language
 * @property {string} description
 * @property {Object[]} options  Discord's option objects, required ones first
 */

const SUBCOMMAND = 1;
const GROUP = 2;

export const OPTION = {
  STRING: 3,
  INTEGER: 4,
  BOOLEAN: 5,
  USER: 6,
  CHANNEL: 7,
  ROLE: 8,
  MENTIONABLE: 9,
  NUMBER: 10,
  ATTACHMENT: 11,
};

/** An invalid value of an option. The message is shown to the person. */
export class OptionError extends Error {}

/** A name or description in the person's language, if the app has translated it. */
export function localized(thing, field, locale) {
  return thing[`${field}_localizations`]?.[locale] ?? thing[field];
}

/**
 * All commands that can be sent. Each subcommand becomes a command.
 *
 * @param {Object[]} commands
 * @param {string} [locale]
 * @returns {Command[]} sorted by name
 */
export function flatten(commands, locale) {
  const slash = commands.filter((command) => (command.type ?? 1) === 1);
  return slash
    .flatMap((command) => leaves(command, [], [], locale))
    .sort((one, other) => one.title.localeCompare(other.title));
}

function leaves(node, names, titles, locale) {
  const path = [...names, node.name];
  const title = [...titles, localized(node, "name", locale)];
  const options = node.options ?? [];
  const below = options.filter((option) => option.type === SUBCOMMAND || option.type === GROUP);
  if (below.length) return below.flatMap((option) => leaves(option, path, title, locale));
  return [
    { path: path.join(" "), title: title.join(" "), description: localized(node, "description", locale), options },
  ];
}

/**
 * The commands whose name contains the text after the slash. Those that begin with it come first. If the text begins
 * with a whole name, the rest is for the options, as in `gang hand table:3`.
 */
export function search(commands, typed) {
  const wanted = typed.trim().toLowerCase();
  const whole = commands.filter((command) => wanted.startsWith(`${command.title.toLowerCase()} `));
  if (whole.length) return whole;
  const starts = commands.filter((command) => command.title.toLowerCase().startsWith(wanted));
  const contains = commands.filter(
    (command) => !starts.includes(command) && command.title.toLowerCase().includes(wanted),
  );
  return [...starts, ...contains];
}

/**
 * Parses options typed after a command's name: 3 for `table` in `table:3`. If the text has no option's name, all of it
 * is the value of the first option.
 *
 * @returns {[Object, string][]} options and their texts
 */
export function typedOptions({ options }, rest, locale) {
  const named = new Map(options.map((option) => [localized(option, "name", locale).toLowerCase(), option]));
  const pairs = [...rest.matchAll(/(\S+?):\s*(.*?)(?=\s+[^\s:]+:|$)/gs)];
  const found = pairs.map(([, name, value]) => [named.get(name.toLowerCase()), value.trim()]);
  if (found.length && found.every(([option]) => option)) return found;
  return rest && options.length ? [[options[0], rest]] : [];
}

/**
 * The values to choose from, if they are known without autocompletion. Null for a free text or number.
 *
 * @returns {{label: string, value: *, user?: Object, detail?: string}[]|null}
 */
export function offers(option, scene) {
  const users = () =>
    scene.people.map((user) => ({
      label: user.global_name || user.username,
      value: user.id,
      user,
      detail: user.username,
    }));
  const roles = () => scene.roles.map((role) => ({ label: `@${role.name}`, value: role.id }));
  if (option.choices?.length)
    return option.choices.map((choice) => ({
      label: localized(choice, "name", scene.me.locale),
      value: choice.value,
    }));
  switch (option.type) {
    case OPTION.BOOLEAN:
      return [
        { label: "True", value: true },
        { label: "False", value: false },
      ];
    case OPTION.USER:
      return users();
    case OPTION.CHANNEL:
      return scene.channels.map((channel) => ({ label: `#${channel.name}`, value: channel.id }));
    case OPTION.ROLE:
      return roles();
    case OPTION.MENTIONABLE:
      return [...users(), ...roles()];
    default:
      return null;
  }
}

/** The offers that contain the typed text. */
export function filterOffers(list, typed) {
  const wanted = typed.trim().toLowerCase();
  return list.filter((offer) =>
    [offer.label, offer.detail ?? ""].some((words) => words.toLowerCase().includes(wanted)),
  );
}

/**
 * Parses the typed value of an option.
 *
 * @param {Object} option
 * @param {string} typed  not empty
 * @param {Array|null} list  the result of `offers`
 * @throws {OptionError}
 */
export function parseTyped(option, typed, list) {
  if (list) return pickByName(list, typed);
  if (option.type === OPTION.INTEGER || option.type === OPTION.NUMBER) return parseNumber(option, typed);
  if (option.type === OPTION.ATTACHMENT) throw new OptionError("The file is still being read");
  if (typed.length < (option.min_length ?? 0)) throw new OptionError(`At least ${option.min_length} characters`);
  if (typed.length > (option.max_length ?? 6000))
    throw new OptionError(`At most ${option.max_length ?? 6000} characters`);
  return typed;
}

function pickByName(list, typed) {
  const wanted = typed.trim().toLowerCase().replace(/^[@#]/, "");
  const found = list.find(
    (offer) => offer.label.toLowerCase().replace(/^[@#]/, "") === wanted || String(offer.value) === typed,
  );
  if (!found) throw new OptionError("Pick one of the list");
  return found.value;
}

function parseNumber(option, typed) {
  const value = Number(typed);
  const isWhole = option.type === OPTION.INTEGER;
  if (!Number.isFinite(value) || (isWhole && !Number.isSafeInteger(value)))
    throw new OptionError(isWhole ? "A whole number, please" : "A number, please");
  if (value < (option.min_value ?? -Infinity)) throw new OptionError(`At least ${option.min_value}`);
  if (value > (option.max_value ?? Infinity)) throw new OptionError(`At most ${option.max_value}`);
  return value;
}
