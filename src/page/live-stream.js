const names = [
  "plan.start",
  "plan.step",
  "plan.complete",
  "timeline.message",
  "timeline.toolCall",
  "tool.approval",
  "error",
];

const AGAIN_MS = 2000;

/**
 * A session's events, each once and in order. The browser's EventSource comes back by itself after a lost connection; where the server
 * turned it away it gives up, and this asks `whatNow` and begins again after what was seen.
 */
export class LiveStream {
  #sessionId;
  #on;
  #source;
  #lastId = "";
  #timer;
  #closed = false;

  /** `on`: event(name, data, seq), state("live" | "lost"), and whatNow(), which gives "again" or what state it is then. */
  constructor(sessionId, on) {
    this.#sessionId = sessionId;
    this.#on = on;
    this.#open();
  }

  close() {
    this.#closed = true;
    this.#source.close();
    clearTimeout(this.#timer);
  }

  #open() {
    const after = this.#lastId === "" ? "" : `?lastEventId=${encodeURIComponent(this.#lastId)}`;
    const source = new EventSource(`/stream/${encodeURIComponent(this.#sessionId)}${after}`);
    this.#source = source;
    source.addEventListener("open", () => this.#on.state("live"));
    for (const name of names) source.addEventListener(name, (event) => this.#take(source, name, event));
  }

  /** An `error` is the protocol's when it has data, and the connection's when it has none. */
  #take(source, name, event) {
    if (this.#closed || source !== this.#source) return;
    if (!(event instanceof MessageEvent)) return this.#lost(source);
    if (isBefore(event.lastEventId, this.#lastId)) return;
    this.#lastId = event.lastEventId;
    this.#on.event(name, JSON.parse(event.data), Number.parseInt(event.lastEventId, 10));
  }

  async #lost(source) {
    this.#on.state("lost");
    if (source.readyState !== EventSource.CLOSED) return;
    const next = await this.#on.whatNow().catch(() => "again");
    if (this.#closed) return;
    if (next !== "again") return this.#on.state(next);
    this.#timer = setTimeout(() => this.#open(), AGAIN_MS);
  }
}

/** Ids are `<seq>.<k>`. What the connection itself says has none, and comes with that of the event before it. */
function isBefore(id, other) {
  const [[seq, k], [otherSeq, otherK]] = [id, other].map((text) => text.split(".").map(Number));
  return seq < otherSeq || (seq === otherSeq && k < otherK);
}
