import { envelope, readFromHost } from "../envelope.js";

/** The page that shows this frame, and the port over which it speaks with it from then on. */
export class HostLink {
  #port;
  #on = () => {};
  #waiting = [];
  #hasBegun = false;

  get hasBegun() {
    return this.#hasBegun;
  }

  /** Says that the frame is there, and resolves with what the page answers first. */
  begin() {
    this.#hasBegun = true;
    return new Promise((resolve) => {
      const listen = (event) => {
        const message = event.source === window.parent ? readFromHost(event.data) : undefined;
        const [port] = event.ports;
        if (message?.type !== "INIT" || !port) return;
        window.removeEventListener("message", listen);
        this.#take(port);
        resolve(message.payload);
      };
      window.addEventListener("message", listen);
      // What is said has no secret in it, and the frame, without an origin, cannot say whom it is for.
      window.parent.postMessage(envelope("READY"), "*");
    });
  }

  /** `on(type, payload)` is told what the page says from now on. */
  listen(on) {
    this.#on = on;
  }

  send(type, payload) {
    const message = envelope(type, payload);
    if (this.#port) this.#port.postMessage(message);
    else if (this.#waiting.length < 100) this.#waiting.push(message);
  }

  /** Says why the interface cannot go on, or could not even begin. */
  fail(payload) {
    if (this.#hasBegun) this.send("ERROR", payload);
    else window.parent.postMessage(envelope("ERROR", payload), "*");
  }

  close() {
    this.#port?.close();
  }

  #take(port) {
    this.#port = port;
    port.onmessage = ({ data }) => {
      const message = readFromHost(data);
      if (message) this.#on(message.type, message.payload);
    };
    for (const message of this.#waiting.splice(0)) port.postMessage(message);
  }
}
