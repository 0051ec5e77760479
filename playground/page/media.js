/** @file Renders images and files of attachments and components. */

import { h, icon } from "./dom.js";
import { link, spoiler } from "./prose.js";

/**
 * Resolves `attachment://name` to the file of the message. Other URLs are kept.
 *
 * @param {{url: string}} media
 * @param {import("./scene.js").Message} message
 */
export function resolve(media, message) {
  const name = media.url.match(/^attachment:\/\/(.+)$/)?.[1];
  const file = name && (message.attachments ?? []).find((attachment) => attachment.filename === name);
  return file ? { ...media, ...file } : media;
}

/**
 * An image that opens large when pressed. Its size is set in advance, if known, to avoid layout shifts.
 *
 * @param {{url: string, width?: number|null, height?: number|null, filename?: string}} media
 * @param {string|null|undefined} description  the alternative text, by default "Image"
 */
export function picture(media, description, { hidden = false, kind = "picture" } = {}) {
  const image = h("img", {
    src: media.url,
    alt: description || "Image",
    width: media.width,
    height: media.height,
  });
  const isMoving = /\.(gif|webp)$/i.test(media.filename ?? "");
  const opener = h(
    "button",
    { type: "button", class: isMoving ? `${kind} moving` : kind, title: description, "data-action": "picture", "data-key": media.url },
    image,
  );
  return hidden ? spoiler("div", opener) : opener;
}

export function fileCard(file, hidden = false) {
  const card = h(
    "div",
    { class: "file" },
    icon("file"),
    h("div", {}, link(file.url, file.filename ?? file.name), h("small", {}, formatSize(file.size))),
  );
  return hidden ? spoiler("div", card) : card;
}

function formatSize(bytes) {
  if (!Number.isFinite(bytes)) return "";
  const [unit, divisor] = bytes < 1024 ? ["bytes", 1] : bytes < 1024 ** 2 ? ["KiB", 1024] : ["MiB", 1024 ** 2];
  return `${Math.round((bytes / divisor) * 10) / 10} ${unit}`;
}

/** The attachments of a message. With Components V2, only components show files. */
export function attachments(message) {
  return (message.attachments ?? []).map((file) => {
    const hidden = file.filename.startsWith("SPOILER_");
    const isPicture =
      file.content_type?.startsWith("image/") || /\.(png|jpe?g|gif|webp|avif)$/i.test(file.filename);
    return isPicture ? picture(file, file.description, { hidden }) : fileCard(file, hidden);
  });
}
