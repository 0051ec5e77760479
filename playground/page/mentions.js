/** @file Mentions as a person writes them: `@Ana` becomes `<@id>`, as Discord's client turns it before sending. */

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
  names.sort(([one], [other]) => other.length - one.length); // "@Ana Maria" is not "@Ana" with more words
  return names.reduce((text, [name, id]) => text.replaceAll(mentionOf(name), `<@${id}>`), content);
}

function mentionOf(name) {
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w<])@${literal}(?!\\w)`, "giu");
}
