/** @file The WebSocket to the server. It reconnects by itself, and matches answers to requests. */

const FIRST_PAUSE = 300;
/** A page is right again within three seconds after the server is back. */
const MAX_PAUSE = 2500;
/** Milliseconds after which a request counts as lost. The coach may take three minutes. */
const PATIENCE = 190_000;
/** Milliseconds without a frame after which the connection counts as lost. The server sends one every 20 seconds. */
const SILENCE = 45_000;
const CHECK = 5000;

/**
 * @typedef {Object} Listener
 * @property {() => Object} hello                     the first frame of each connection
 * @property {(frame: any) => void} onFrame           a frame that answers no request
 * @property {() => void} onLost                      the connection is lost; another one is begun
 */

export class Socket {
  #address;
  #listener;
  /** @type {WebSocket | null} */
  #socket = null;
  #pause = FIRST_PAUSE;
  #timer = 0;
  #next = 1;
  #ended = new AbortController();
  /** When the server was last heard, or the connection begun. */
  #heard = 0;
  /** @type {Map<number, {resolve: (ok: any) => void, reject: (refusal: any) => void}>} */
  #waiting = new Map();

  /**
   * @param {URL} address
   * @param {Listener} listener
   */
  constructor(address, listener) {
    this.#address = address;
    this.#listener = listener;
    this.#connect();
    const { signal } = this.#ended;
    addEventListener("online", () => this.#again(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden || this.#again(), { signal });
    const checks = setInterval(() => this.#check(), CHECK);
    signal.addEventListener("abort", () => clearInterval(checks));
  }

  /**
   * Sends a request. Resolves with the answer; rejects with a `Refusal`, whose text is empty if the connection is lost.
   *
   * @param {string} action
   * @param {Object} [facts]
   * @returns {Promise<any>}
   */
  request(action, facts = {}) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) return reject({ refusal: "", rule: "" });
      this.#waiting.set(id, { resolve, reject });
      setTimeout(() => this.#waiting.delete(id) && reject({ refusal: "", rule: "" }), PATIENCE);
      this.#socket.send(JSON.stringify({ id, do: action, ...facts }));
    });
  }

  /** True if no other connection follows. */
  get isEnded() {
    return this.#ended.signal.aborted;
  }

  close() {
    this.#ended.abort();
    clearTimeout(this.#timer);
    this.#leave();
  }

  /** Requests without an answer are refused. */
  #leave() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    for (const { reject } of this.#waiting.values()) reject({ refusal: "", rule: "" });
    this.#waiting.clear();
  }

  #connect() {
    this.#heard = Date.now();
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ hello: this.#listener.hello() }));
    socket.onmessage = ({ data }) => socket === this.#socket && this.#hear(JSON.parse(data));
    socket.onclose = () => socket === this.#socket && this.#lost();
  }

  /** @param {any} frame */
  #hear(frame) {
    this.#heard = Date.now();
    if (frame.welcome) this.#pause = FIRST_PAUSE;
    this.#receive(frame);
  }

  /** @param {any} frame */
  #receive(frame) {
    const asked = this.#waiting.get(frame.id);
    if (!asked) return this.#listener.onFrame(frame);
    this.#waiting.delete(frame.id);
    if ("refusal" in frame) asked.reject(frame);
    else asked.resolve(frame.ok);
  }

  #lost() {
    this.#leave();
    this.#listener.onLost();
    this.#timer = window.setTimeout(() => this.#connect(), this.#pause * (0.5 + Math.random() / 2));
    this.#pause = Math.min(this.#pause * 2, MAX_PAUSE);
  }

  /** Ends a connection that is dead although the browser hasn't noticed: the network has changed, or a computer slept. */
  #check() {
    if (this.#socket && Date.now() - this.#heard > SILENCE) this.#lost();
  }

  /** Connects at once when the network or the page is back. */
  #again() {
    this.#check();
    if (this.#socket) return;
    clearTimeout(this.#timer);
    this.#connect();
  }
}
