/**
 * @file Who looks at the page. In a browser, a cookie of the login says it. In Discord's frame, the Embedded App SDK asks
 * the viewer, and the server answers with a session that stays in this page's memory.
 */

const SCOPES = /** @type {const} */ (["identify"]);
/** Milliseconds after which Discord's client is taken not to answer. */
const PATIENCE = 20_000;

/** @returns {boolean} */
export function isInFrame() {
  return new URLSearchParams(location.search).has("frame_id");
}

/**
 * The address of a path of the server. Discord's proxy has all of them under `/.proxy`.
 *
 * @param {string} path  without a slash at its beginning
 */
export function addressOf(path) {
  const isProxied = isInFrame() && !location.pathname.startsWith("/.proxy");
  return new URL(isProxied ? `/.proxy/${path}` : path, document.baseURI);
}

/** The address of the WebSocket. */
export function socketAddress() {
  const address = addressOf("api/socket");
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  return address;
}

/**
 * @typedef {Object} Setup
 * @property {string} application_id
 * @property {boolean} has_sdk  the host has built the part for Discord
 * @property {string} web_url   the page's address outside Discord
 */

/** @returns {Promise<Setup>} */
export async function fetchSetup() {
  return (await fetch(addressOf("api/setup"))).json();
}

/** The Activity in Discord's frame. */
export class Activity {
  #sdk;
  #setup;

  /**
   * @param {any} sdk
   * @param {Setup} setup
   */
  constructor(sdk, setup) {
    this.#sdk = sdk;
    this.#setup = setup;
  }

  /**
   * Connects to Discord's client.
   *
   * @param {Setup} setup
   */
  static async open(setup) {
    const path = "./sdk.js";
    const { DiscordSDK } = await import(path);
    const sdk = new DiscordSDK(setup.application_id);
    await inTime(sdk.ready());
    return new Activity(sdk, setup);
  }

  /** The language of the viewer's client; empty if it doesn't tell. @returns {Promise<string>} */
  async language() {
    try {
      return (await inTime(this.#sdk.commands.userSettingsGetLocale())).locale;
    } catch {
      return "";
    }
  }

  /**
   * Asks the viewer, unless they have agreed before, and lets the server make a session of it.
   *
   * @returns {Promise<{session: string, table: number | null}>}
   */
  async authorize() {
    const { application_id: client_id } = this.#setup;
    const asked = { client_id, response_type: "code", state: "", prompt: "none", scope: [...SCOPES] };
    const { code } = await this.#sdk.commands.authorize(asked);
    const body = JSON.stringify({ code, instance_id: this.#sdk.instanceId });
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(addressOf("api/activity"), { method: "POST", body, headers });
    if (!answer.ok) throw new Error(`the server refused: ${answer.status}`);
    const { access_token, session, table } = await answer.json();
    await this.#sdk.commands.authenticate({ access_token });
    return { session, table };
  }
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
function inTime(promise) {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("Discord does not answer")), PATIENCE));
  return Promise.race([promise, /** @type {Promise<T>} */ (late)]);
}
