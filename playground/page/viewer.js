/** @file Shows an image large, over the whole page. */

import { h } from "./dom.js";

/** @param {HTMLImageElement} image  the small image */
export function viewPicture(image) {
  const close = h(
    "button",
    { type: "button", class: "viewer-close", "aria-label": "Close the picture" },
    h("img", { src: image.src, alt: image.alt }),
  );
  const caption = h("p", {}, image.alt);
  const dialog = h(
    "dialog",
    { class: "viewer", onclick: () => dialog.close(), onclose: () => dialog.remove() },
    close,
    caption,
  );
  document.body.append(dialog);
  dialog.showModal();
}
