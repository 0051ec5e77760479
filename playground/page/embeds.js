/** @file Renders embeds. */

import { h } from "./dom.js";
import { picture, resolve } from "./media.js";
import { line, link, prose } from "./prose.js";
import { formatSent } from "./timestamps.js";

/** The CSS color of a number from the API. */
export function cssColor(number) {
  return `#${number.toString(16).padStart(6, "0")}`;
}

/**
 * @param {Object} embed
 * @param {import("./scene.js").Message} message  has the files of `attachment://` URLs
 * @param {import("./scene.js").Scene} scene
 */
export function embedElement(embed, message, scene) {
  const color = Number.isInteger(embed.color) ? `--accent: ${cssColor(embed.color)}` : null;
  const thumbnail =
    embed.thumbnail && picture(resolve(embed.thumbnail, message), "Thumbnail", { kind: "thumbnail" });
  const image = embed.image && picture(resolve(embed.image, message), "Image of the embed");
  const words = h(
    "div",
    { class: "embed-words" },
    heading(embed, scene),
    embed.description && prose(embed.description, scene),
    fields(embed, scene),
  );
  return h(
    "section",
    { class: "embed", style: color },
    h("div", { class: "embed-top" }, words, thumbnail),
    image,
    footer(embed),
  );
}

function heading(embed, scene) {
  const title = embed.title && line(embed.title, scene);
  return [
    embed.author &&
      h(
        "p",
        { class: "embed-author" },
        embed.author.url ? link(embed.author.url, embed.author.name) : embed.author.name,
      ),
    title && h("h3", { class: "embed-title" }, embed.url ? link(embed.url, title) : title),
  ];
}

function fields(embed, scene) {
  if (!embed.fields?.length) return null;
  const field = ({ name, value, inline }) =>
    h(
      "div",
      { class: inline ? "inline" : null },
      h("dt", {}, line(name, scene)),
      h("dd", {}, prose(value, scene)),
    );
  return h("dl", { class: "embed-fields" }, embed.fields.map(field));
}

function footer(embed) {
  const parts = [embed.footer?.text, embed.timestamp && formatSent(embed.timestamp)].filter(Boolean);
  return parts.length > 0 && h("footer", { class: "embed-footer" }, parts.join(" • "));
}
