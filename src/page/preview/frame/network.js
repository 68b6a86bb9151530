import { boundBroken } from "../envelope.js";

/** Sends requests by the page around the frame, which alone can reach the API and knows the credentials for it. */
export class Network {
  #link;
  #newError;
  #pending = new Map();
  #ids = 0;

  /** `newError(message)` is what a request without an answer fails with. */
  constructor(link, newError) {
    this.#link = link;
    this.#newError = newError;
  }

  /** A transport, as generated interfaces take one. */
  send = ({ method, url, headers, body, auth }, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const broken = boundBroken({ method, url, headers, body, auth });
      if (broken) throw this.#newError(broken);
      this.#ids += 1;
      const requestId = String(this.#ids);
      const abort = () => {
        this.#pending.delete(requestId);
        this.#link.send("UI_EVENT", { name: "abort", detail: requestId });
        reject(signal.reason);
      };
      this.#pending.set(requestId, { resolve, reject, settle: () => signal.removeEventListener("abort", abort) });
      signal.addEventListener("abort", abort);
      this.#link.send("NETWORK_REQUEST", { requestId, method, url, headers, body, auth });
    });

  /** What the page says to one of them. */
  answer({ requestId, error, status, headers, body }) {
    const pending = this.#pending.get(requestId);
    if (!pending) return;
    this.#pending.delete(requestId);
    pending.settle();
    if (error === undefined) pending.resolve({ status, headers, body });
    else pending.reject(this.#newError(error));
  }
}
