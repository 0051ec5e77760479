/** @file Converts typed mentions: `@Ana` becomes `<@id>`, as in Discord's client. */

import { nameOf } from "./avatar.js";

/**
 * @param {string} content
 * @param {import("./scene.js").User[]} people
 */
export function withMentions(content, people) {
  const names = people.flatMap((user) => [
    [nameOf(user), user.id],
    [user.username, user.id],
  ]);
  names.sort(([one], [other]) => other.length - one.length); // "@Ana Maria" before "@Ana"
  return names.reduce((text, [name, id]) => text.replaceAll(mentionOf(name), `<@${id}>`), content);
}

function mentionOf(name) {
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w<])@${literal}(?!\\w)`, "giu");
}
