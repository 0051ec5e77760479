/** @file The WebSocket of a phone. It reconnects automatically. */

const FIRST_PAUSE = 500;
const MAX_PAUSE = 8000;

export class Socket {
  #address;
  #listener;
  #socket = null;
  #pause = FIRST_PAUSE;
  #timer = null;
  #isClosed = false;

  /**
   * @param {string} person
   * @param {string} channel
   * @param {{onFrame: (frame: Object) => void, onState: (isOpen: boolean) => void}} listener
   */
  constructor(person, channel, listener) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.#address = `${scheme}//${location.host}/page/socket?${new URLSearchParams({ person, channel })}`;
    this.#listener = listener;
    this.#connect();
  }

  /** @returns {boolean} true if the frame was sent. Frames aren't queued while the connection is lost. */
  send(frame) {
    const isOpen = this.#socket.readyState === WebSocket.OPEN;
    if (isOpen) this.#socket.send(JSON.stringify(frame));
    return isOpen;
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#socket.close();
  }

  #connect() {
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = FIRST_PAUSE;
      this.#listener.onState(true);
    };
    socket.onmessage = ({ data }) => !this.#isClosed && this.#listener.onFrame(JSON.parse(data));
    socket.onclose = () => this.#lost();
  }

  #lost() {
    if (this.#isClosed) return;
    this.#listener.onState(false);
    this.#timer = setTimeout(() => this.#connect(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, MAX_PAUSE);
  }
}
