/** @file The WebSocket to the server. It reconnects by itself, and matches answers to requests. */

const FIRST_PAUSE = 300;
/** A page is right again within three seconds after the server is back. */
const MAX_PAUSE = 2500;
/** Milliseconds after which a request counts as lost. The coach may take three minutes. */
const PATIENCE = 190_000;

/**
 * @typedef {Object} Listener
 * @property {() => Object} hello                     the first frame of each connection
 * @property {(frame: any) => void} onFrame           a frame that answers no request
 * @property {(isOpen: boolean) => void} onState
 */

export class Socket {
  #address;
  #listener;
  /** @type {WebSocket | null} */
  #socket = null;
  #pause = FIRST_PAUSE;
  #timer = 0;
  #next = 1;
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
    addEventListener("online", () => this.#again());
    document.addEventListener("visibilitychange", () => document.hidden || this.#again());
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

  close() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #connect() {
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = ({ data }) => socket === this.#socket && this.#receive(JSON.parse(data));
    socket.onclose = () => socket === this.#socket && this.#lost();
  }

  /** @param {WebSocket} socket */
  #opened(socket) {
    this.#pause = FIRST_PAUSE;
    socket.send(JSON.stringify({ hello: this.#listener.hello() }));
    this.#listener.onState(true);
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
    for (const { reject } of this.#waiting.values()) reject({ refusal: "", rule: "" });
    this.#waiting.clear();
    this.#listener.onState(false);
    this.#timer = window.setTimeout(() => this.#connect(), this.#pause * (0.5 + Math.random() / 2));
    this.#pause = Math.min(this.#pause * 2, MAX_PAUSE);
  }

  /** Connects at once when the network or the page is back. */
  #again() {
    if (this.#socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.#timer);
    this.#connect();
  }
}
