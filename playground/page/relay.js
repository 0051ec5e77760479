/**
 * @file Passes a phone's messages to the app's page, in a hidden frame of the same origin as that page. The Embedded App
 * SDK listens to Discord's own pages and to its own origin only, so a phone's page can't speak to it directly.
 */

addEventListener("message", ({ source, data }) => {
  if (source === parent) parent.frames[data.frame]?.postMessage(data.message, location.origin);
});
