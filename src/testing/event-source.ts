import type { ServerResponse } from "node:http";
import { encodeComment, encodeEvent } from "../transports/sse.ts";
import type { HeardRequest } from "./answering-server.ts";

/** The events of one session as a server of the `sidecar` protocol streams them, numbered `1.0`, `1.1`, `2.0` and so on. */
export class EventSource {
  readonly #events: { id: string; text: string }[] = [];
  readonly #listeners = new Map<ServerResponse, number>();
  #closed = false;
  retry = 1;

  /** Of what was told, as a client should have it. */
  get told(): object[] {
    return this.#events.map(({ id, text }) => ({ id, event: "timeline.message", data: JSON.parse(text) }));
  }

  say(...contents: string[]): void {
    for (const content of contents) {
      const number = this.#events.length;
      const id = `${1 + (number >> 1)}.${number % 2}`;
      this.#events.push({ id, text: JSON.stringify({ messageId: id, role: "assistant", content }) });
    }
    for (const response of this.#listeners.keys()) this.#catchUp(response);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const response of this.#listeners.keys()) this.#catchUp(response);
  }

  readonly answer = (request: HeardRequest, response: ServerResponse): void => {
    const cursor = request.headers["last-event-id"];
    const next = cursor === undefined ? 0 : 1 + this.#events.findIndex(({ id }) => id === cursor);
    if (this.#closed && next === this.#events.length) {
      response.writeHead(204).end();
      return;
    }
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(`retry: ${this.retry}\n\n${encodeComment("alive")}`);
    this.#listeners.set(response, next);
    response.on("close", () => this.#listeners.delete(response));
    this.#catchUp(response);
  };

  #catchUp(response: ServerResponse): void {
    const news = this.#events.slice(this.#listeners.get(response));
    this.#listeners.set(response, this.#events.length);
    response.write(news.map(({ id, text }) => encodeEvent({ id, event: "timeline.message", data: text })).join(""));
    if (this.#closed) response.end();
  }
}
