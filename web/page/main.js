/** @file The entry point: finds out who looks, connects, and shows what the address names. */

import { startAnnouncing } from "./announce.js";
import { App } from "./app.js";
import { keepTime } from "./clock.js";
import { startDragging } from "./drag.js";
import { Game } from "./game.js";
import { Activity, addressOf, fetchSetup, isInFrame, socketAddress } from "./session.js";
import { Socket } from "./socket.js";
import { loadTexts, say } from "./texts.js";

const page = /** @type {HTMLElement} */ (document.getElementById("page"));
const app = new App(page);
/** @type {Activity | null} */
let activity = null;
/** What Discord's frame needs; null in a browser. @type {import("./session.js").Setup | null} */
let setup = null;
/** @type {string | null} */
let session = null;
/** The table whose button opened the Activity. @type {number | null} */
let launched = null;
let language = usable(navigator.language);

async function start() {
  document.documentElement.classList.toggle("framed", isInFrame());
  startAnnouncing();
  keepTime();
  startDragging(() => (app.screen instanceof Game ? app.screen : null));
  const labels = speak(language);
  if (!isInFrame()) return connect(labels);
  [, setup] = await Promise.all([labels, fetchSetup()]);
  app.base = `${setup.web_url}/`;
  await enter(setup);
}

/** Begins a session in Discord's frame. @param {import("./session.js").Setup} found */
async function enter(found) {
  if (!found.has_sdk) return app.tell(say("needs_bundle"));
  const isAgain = activity !== null;
  try {
    activity ??= await Activity.open(found);
    await authorize();
  } catch {
    return app.tell(say("frame_refused"), "retry", say("again"));
  }
  if (isAgain) launched = null;
  connect(Promise.resolve());
}

async function authorize() {
  const opened = await /** @type {Activity} */ (activity).authorize();
  session = opened.session;
  launched = opened.table;
  const spoken = await activity?.language();
  if (spoken && spoken !== language) await speak(spoken);
}

/** @param {string} wanted */
async function speak(wanted) {
  await loadTexts(addressOf("api/texts"), wanted);
  language = wanted;
}

/**
 * Connects. What arrives waits for the labels, which are loaded meanwhile.
 *
 * @param {Promise<void>} labels
 */
function connect(labels) {
  app.socket = new Socket(socketAddress(), {
    hello: () => ({ session, language }),
    onFrame: (frame) => labels.then(() => receive(frame)),
    onLost: () => labels.then(() => app.socket?.isEnded || app.setConnected(false)),
  });
  return labels;
}

/** @param {any} frame */
function receive(frame) {
  if (frame.welcome) show(frame.welcome.language);
  else if (frame.table) app.showTable(frame.table);
  else if (frame.changes) app.changeTable(frame.changes);
  else if (frame.language) speak(frame.language).then(() => app.draw(), () => {});
  else if (frame.open) app.openTable(frame.open);
  else if (frame.gone) app.tell(frame.gone, "home", say("home"));
  else if (frame.bye === "") leave();
  else if (frame.bye) app.setConnected(false, frame.bye);
}

/** Shows the table that was launched, or what was shown before the connection was lost. @param {string} spoken */
async function show(spoken) {
  app.setConnected(true);
  if (spoken !== language.split("-")[0]) await speak(spoken).catch(() => {}); // the labels stay as they are
  if (launched) {
    const table = launched;
    launched = null;
    return app.openTable(table);
  }
  return app.resume();
}

/** Without a session the viewer logs in. */
async function leave() {
  app.socket?.close();
  app.setConnected(true);
  const hasFailed = new URLSearchParams(location.search).has("login");
  if (!setup) return app.tell(say(hasFailed ? "frame_refused" : "login_why"), "login", say("login"));
  await enter(setup);
}

/** A language tag that browsers accept: some systems name others. @param {string} tag */
function usable(tag) {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return "en";
  }
}

start().catch(() => {
  page.textContent = "The table can't be reached. Load the page again in a moment.";
});
