import { ServerError } from "../server.js";

const AGAIN_MS = [500, 1000, 2000, 5000];
const SIGNED_OUT = 4401;

/** The `studio` protocol over a socket to the server that this page came from. It comes back by itself when it was lost. */
export class Wire {
  #on;
  #socket;
  #pending = new Map();
  #ids = 0;
  #lost = 0;
  #isOpen = false;
  #isReady = false;
  #waiting = [];
  #timer;

  /** `on`: opened(), which is waited for, lost(), failed(), signedOut(), and told(method, params). */
  constructor(on) {
    this.#on = on;
    this.#open();
  }

  /** Resolves when the connection is there, and what was missed without it is known. */
  ready() {
    return this.#isReady ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The result. `onId` is given the id under which the request can be cancelled. */
  request(method, params, onId = () => {}) {
    if (!this.#isOpen) return Promise.reject(new ServerError(NOT_SENT, 0));
    return this.#send(method, params, onId);
  }

  close() {
    clearTimeout(this.#timer);
    this.#socket.onopen = this.#socket.onmessage = this.#socket.onclose = null;
    this.#socket.close();
    this.#end();
  }

  #send(method, params, onId = () => {}) {
    this.#ids += 1;
    const id = this.#ids;
    onId(id);
    const answer = new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return answer;
  }

  #open() {
    const address = new URL("/studio", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => this.#begin(socket).catch(() => {}); // it is closed, which is told by itself
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
    socket.onclose = ({ code }) => this.#closed(code);
  }

  async #begin(socket) {
    const capabilities = { streaming: false, asks: false };
    await this.#send("initialize", { clientName: "dragoman-preview", clientVersion: "1", capabilities });
    this.#isOpen = true;
    this.#lost = 0;
    await this.#on.opened();
    if (!this.#isOpen || socket !== this.#socket) return;
    this.#isReady = true;
    for (const go of this.#waiting.splice(0)) go();
  }

  #take({ id, method, params, result, error }) {
    if (method !== undefined) return this.#on.told(method, params ?? {});
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    if (error) pending.reject(new ServerError(error.message, 200, error.data?.code));
    else pending.resolve(result);
  }

  #closed(code) {
    const wasOpen = this.#isOpen;
    this.#end();
    if (code === SIGNED_OUT) return this.#on.signedOut();
    if (wasOpen) this.#on.lost();
    else this.#on.failed();
    this.#timer = setTimeout(() => this.#open(), AGAIN_MS[Math.min(this.#lost, AGAIN_MS.length - 1)]);
    this.#lost += 1;
  }

  #end() {
    this.#isOpen = false;
    this.#isReady = false;
    for (const { reject } of this.#pending.values()) reject(new ServerError(LOST, 0));
    this.#pending.clear();
  }
}

const LOST = "The connection to the server was lost. What it had begun goes on there.";
const NOT_SENT = "This was not sent: there is no connection to the server. It comes back by itself.";
