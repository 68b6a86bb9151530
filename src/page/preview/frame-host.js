import { element } from "../element.js";
import { envelope, readFromFrame } from "./envelope.js";
import { Meter } from "./meter.js";

const START_MS = 15_000;
/** An interface that has said nothing for so long does nothing any more. Browsers slow down what is not seen. */
const SILENT_MS = 6_000;
const LOOK_MS = 1_000;
const MOST_MESSAGES = 1000;
const MOST_MESSAGES_MS = 5_000;
const MOST_MALFORMED = 50;
const MOST_REQUESTS = 50;

/**
 * One frame with a generated interface: what is said to it, and what of what it says is believed. It may run anything, so it is cut off
 * when it says too much, and told of as stopped when it says nothing any more.
 */
export class FrameHost {
  box;
  #on;
  #told;
  #port;
  /** When it began, or was last not to be seen: it starts in its own time, and not by saying that it is about to. */
  #began = performance.now();
  #heard = performance.now();
  #looks;
  #meter = new Meter(MOST_MESSAGES, MOST_MESSAGES_MS);
  #malformed = 0;
  #requests = new Map();
  #hidden = false;
  #isOver = false;
  #isLoaded = false;
  #isShown = false;
  #leaving = new AbortController();

  /**
   * `told`: the theme and the connection that it begins with. `on`: shown(ms), stopped(why), request(request, signal), log(level, text),
   * connect(), route(hash), link(address), save(name, file).
   */
  constructor({ src, title, told, on }) {
    this.#told = told;
    this.#on = on;
    this.box = element("iframe", {
      class: "frame",
      title,
      sandbox: "allow-scripts",
      src,
      referrerpolicy: "no-referrer",
    });
    this.box.addEventListener("load", () => this.#loaded());
    window.addEventListener("message", (event) => this.#meet(event), { signal: this.#leaving.signal });
    this.#looks = setInterval(() => this.#look(), LOOK_MS);
  }

  /** Only what is different is sent. */
  tell({ theme, connection }) {
    const before = this.#told;
    this.#told = { theme, connection };
    if (theme !== before.theme) this.#send("THEME_CHANGE", { theme });
    const { mode, server } = before.connection;
    if (connection.mode !== mode || connection.server !== server) this.#send("RENDER_DATA", { connection });
  }

  /** Whether it is in sight: what is not may be slow. */
  setHidden(isHidden) {
    this.#hidden = isHidden;
    this.#wait();
    if (isHidden) return;
    const { width, height } = this.box.getBoundingClientRect();
    this.#send("RESIZE", { width, height });
  }

  close() {
    this.#send("DESTROY", {});
    this.#end();
    this.box.remove();
  }

  /** A frame is loaded once. Whatever is in it after that, it is not the interface. */
  #loaded() {
    if (this.#isLoaded) this.#stop(LEFT);
    this.#isLoaded = true;
  }

  /** The first that it says comes to the window, and only of it: the frame has no origin that could be checked. */
  #meet(event) {
    if (event.source !== this.box.contentWindow || event.source === null) return;
    if (!this.#meter.take()) return this.#stop(FLOODED);
    const message = readFromFrame(event.data);
    if (message?.type === "ERROR" && !this.#port) return this.#failed(message.payload);
    if (message?.type !== "READY" || this.#port) return this.#dropped();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }) => this.#take(data);
    this.#heard = performance.now();
    const { theme, connection } = this.#told;
    event.source.postMessage(envelope("INIT", { theme, connection }), "*", [port2]);
  }

  #take(data) {
    if (this.#isOver) return;
    if (!this.#meter.take()) return this.#stop(FLOODED);
    const message = readFromFrame(data);
    if (!message) return this.#dropped();
    this.#heard = performance.now();
    this.#handlers[message.type]?.(message.payload);
  }

  #handlers = {
    RENDER_COMPLETE: ({ ms }) => {
      this.#isShown = true;
      this.#on.shown(ms);
    },
    NETWORK_REQUEST: (request) => this.#ask(request),
    LOG: ({ level, text }) => this.#on.log(level, text),
    ERROR: (error) => this.#failed(error),
    UI_EVENT: ({ name, detail = "", file }) => {
      if (name === "abort") this.#requests.get(detail)?.abort();
      else if (name !== "alive") this.#on[name](detail, file);
    },
  };

  async #ask({ requestId, ...request }) {
    if (this.#requests.has(requestId)) return this.#dropped();
    const refuse = (error) => this.#send("NETWORK_RESPONSE", { requestId, error: error.slice(0, 2000) });
    // Whatever it makes of what it was told.
    if (this.#told.connection.mode !== "live") return refuse("The interface shows sample data: nobody is asked.");
    if (this.#requests.size >= MOST_REQUESTS) return refuse("Too many requests are under way.");
    const asked = new AbortController();
    this.#requests.set(requestId, asked);
    try {
      const { status, headers, body } = await this.#on.request(request, asked.signal);
      this.#send("NETWORK_RESPONSE", { requestId, status, headers, body });
    } catch (error) {
      refuse(error.message);
    } finally {
      this.#requests.delete(requestId);
    }
  }

  #send(type, payload) {
    this.#port?.postMessage(envelope(type, payload));
  }

  /** Counted, and not looked at any further. */
  #dropped() {
    this.#malformed += 1;
    if (this.#malformed === 1) this.#on.log("warn", "The interface said something that is not understood.");
    if (this.#malformed > MOST_MALFORMED) this.#stop(FLOODED);
  }

  /** It cannot go on, or could not begin. */
  #failed({ message, stack }) {
    if (stack) this.#on.log("error", stack);
    this.#stop(message);
  }

  #look() {
    if (this.#hidden || document.hidden) return this.#wait();
    const now = performance.now();
    if (!this.#isShown && now - this.#began > START_MS) this.#stop("The interface does not start.");
    else if (this.#isShown && now - this.#heard > SILENT_MS) this.#stop("The interface does not answer any more.");
  }

  #wait() {
    this.#began = performance.now();
    this.#heard = this.#began;
  }

  #stop(why) {
    if (this.#isOver) return;
    this.#end();
    this.box.remove();
    this.#on.stopped(why);
  }

  #end() {
    this.#isOver = true;
    this.#leaving.abort();
    clearInterval(this.#looks);
    for (const asked of this.#requests.values()) asked.abort();
    this.#port?.close();
  }
}

const LEFT = "The interface tried to leave its frame, so it was stopped.";
const FLOODED = "The interface sent too many messages, so it was stopped.";
