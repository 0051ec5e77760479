/** @file Renders a message as a list item. */

import { avatar, nameOf } from "./avatar.js";
import { components } from "./components.js";
import { h, icon } from "./dom.js";
import { embedElement } from "./embeds.js";
import { attachments } from "./media.js";
import { plain, prose } from "./prose.js";
import { COMPONENTS_V2, EPHEMERAL, LOADING } from "./scene.js";
import { formatMoment, formatSent } from "./timestamps.js";

/** The message type of responses to commands of the Apps menu. */
const CONTEXT_MENU = 23;

/** System messages by message type: the text after the author's name. */
const SYSTEM = {
  6: () => "pinned a message to this channel.",
  7: () => "joined the server.",
  18: (message) => `started a thread: ${message.content}`,
};

/**
 * @param {import("./scene.js").Message} message
 * @param {import("./scene.js").Scene} scene
 * @returns {HTMLLIElement}
 */
export function messageElement(message, scene) {
  const { id, author } = message;
  const hooks = {
    "data-message": id,
    "data-author": author.id,
    "data-sent": message.timestamp,
    "data-opens": String(opensGroup(message)),
  };
  const body = h(
    "div",
    { class: "message-body" },
    header(message),
    content(message, scene),
    failure(id, scene),
    footer(message),
  );
  const article = h(
    "article",
    { "aria-label": `Message of ${nameOf(author)}` },
    reference(message, scene),
    avatar(author),
    body,
    appsButton(message),
  );
  return h("li", { class: classesOf(message, scene), tabindex: "-1", ...hooks }, article);
}

function classesOf(message, scene) {
  const ephemeral = message.flags & EPHEMERAL && "ephemeral";
  return ["message", ephemeral, scene.pingsMe(message) && "pinging"].filter(Boolean).join(" ");
}

/** True if the message always has a header, even after another one of its author. */
function opensGroup(message) {
  return Boolean(
    message.interaction_metadata?.name ||
    message.referenced_message ||
    message.flags & EPHEMERAL ||
    SYSTEM[message.type],
  );
}

/** The line above a message: the command or message that it responds to. */
function reference(message, scene) {
  const { interaction_metadata: interaction, referenced_message: original } = message;
  if (interaction?.name) {
    const user = nameOf(interaction.user);
    return h(
      "div",
      { class: "reference" },
      icon("reply"),
      avatar(interaction.user),
      h("strong", {}, user),
      " used ",
      h("span", { class: "mention" }, message.type === CONTEXT_MENU ? interaction.name : `/${interaction.name}`),
    );
  }
  if (!original) return null;
  const words = original.content ? plain(original.content, scene) : "Press to see the message";
  return h(
    "button",
    { type: "button", class: "reference", "data-action": "jump", "data-target": original.id },
    icon("reply"),
    h("strong", {}, nameOf(original.author)),
    h("span", {}, words),
  );
}

function header(message) {
  const { author, timestamp } = message;
  const badge = author.bot && h("span", { class: "app-badge" }, "APP");
  return h(
    "header",
    { class: "message-header" },
    h(
      "button",
      { type: "button", class: "author", "data-action": "apps", "data-user": author.id },
      nameOf(author),
    ),
    badge,
    h("time", { datetime: timestamp, title: fullDate(timestamp) }, formatSent(timestamp)),
  );
}

/** Opens the commands for the message, which Discord shows under Apps. Ephemeral messages have none. */
function appsButton({ id, flags }) {
  if (flags & EPHEMERAL) return null;
  return h(
    "button",
    {
      type: "button",
      class: "icon-button apps-button",
      "aria-label": "Apps for this message",
      "data-action": "apps",
      "data-target": id,
    },
    icon("dots"),
  );
}

function content(message, scene) {
  if (message.flags & LOADING) return loading(message.author);
  if (SYSTEM[message.type]) return h("p", { class: "system" }, SYSTEM[message.type](message));
  const parts = components(message.components ?? [], { message, scene });
  if (message.flags & COMPONENTS_V2) return h("div", { class: "content layout" }, parts);
  const embeds = (message.embeds ?? []).map((embed) => embedElement(embed, message, scene));
  return h(
    "div",
    { class: "content" },
    message.content && prose(message.content, scene),
    edited(message),
    attachments(message),
    embeds,
    h("div", { class: "rows" }, parts),
  );
}

function loading(author) {
  const dots = h("span", { class: "dots", "aria-hidden": "true" });
  return h("p", { class: "loading" }, dots, `${nameOf(author)} is thinking…`);
}

/** Discord marks edited text, but not edited layouts. */
function edited({ edited_timestamp: when }) {
  return when && h("small", { class: "edited", title: fullDate(when) }, "(edited)");
}

/** The tooltip of a time. */
function fullDate(iso) {
  return formatMoment(Date.parse(iso) / 1000, "F");
}

function failure(id, scene) {
  const words = scene.failed.get(id);
  return words && h("p", { class: "failure", role: "alert" }, icon("warning"), words);
}

function footer(message) {
  if (!(message.flags & EPHEMERAL)) return null;
  const dismiss = h(
    "button",
    { type: "button", class: "text-button", "data-action": "dismiss", "data-target": message.id },
    "Dismiss message",
  );
  return h(
    "footer",
    { class: "ephemeral-footer" },
    icon("eye"),
    h("span", {}, "Only you can see this"),
    " • ",
    dismiss,
  );
}
