import type { ToolCall } from "./protocol.ts";

/** A signed request can be sent again for so long, so for so long it is known what was done with it. */
const KEPT_MS = 10 * 60 * 1000;
const MOST_CALLS = 100_000;
const MOST_REPLY_BYTES = 64 * 1024 * 1024;
/** Whoever lost the connection and asks again does so within seconds. */
const GRACE_MS = 5000;

export interface ToolCallsOptions {
  /** Never fails. */
  perform(call: ToolCall, signal: AbortSignal): Promise<string>;
  now(): number;
  graceMs?: number;
  mostCalls?: number;
  mostReplyBytes?: number;
}

/** Why a call is not done, with the HTTP status that says so. */
export class NotDone extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

interface Entry {
  digest: string;
  /** Nothing when there was no room to keep it. */
  reply: Promise<string> | undefined;
  bytes: number;
  finishedAt: number | undefined;
  waiting: number;
  readonly controller: AbortController;
  timer?: ReturnType<typeof setTimeout>;
}

/** Each call is done once, however often it is asked for; everyone who asks gets the same reply. */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #entries = new Map<string, Entry>();
  #replyBytes = 0;
  #closed = false;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  /** `digest` is of the whole request: under a name that was used for another one nothing is done. */
  async reply(call: ToolCall, digest: string, left: AbortSignal): Promise<string> {
    const key = JSON.stringify([call.sessionId, call.callId]);
    const entry = this.#entries.get(key) ?? this.#begin(key, call, digest);
    if (entry.digest !== digest) throw new NotDone(409, "The callId was used for another call already");
    if (!entry.reply) throw new NotDone(410, "The call was done already, and its reply is not kept any more");
    const leave = this.#wait(entry);
    left.addEventListener("abort", leave, { once: true });
    try {
      return await entry.reply;
    } finally {
      left.removeEventListener("abort", leave);
      leave();
    }
  }

  /** Nothing is done any more, and what is under way is told so. */
  close(): void {
    this.#closed = true;
    for (const { controller, timer } of this.#entries.values()) {
      clearTimeout(timer);
      controller.abort();
    }
  }

  #begin(key: string, call: ToolCall, digest: string): Entry {
    this.#forgetOld();
    if (this.#closed) throw new NotDone(503, "The plugin takes no calls any more");
    const { mostCalls = MOST_CALLS } = this.#options;
    if (this.#entries.size >= mostCalls) throw new NotDone(503, "Too many calls at once; try again later");
    const controller = new AbortController();
    const entry: Entry = { digest, reply: undefined, bytes: 0, finishedAt: undefined, waiting: 0, controller };
    this.#entries.set(key, entry);
    entry.reply = this.#options.perform(call, controller.signal).then((text) => {
      this.#finish(entry, text);
      return text;
    });
    return entry;
  }

  /** Gives the function by which one who waits goes away. When the last one has, the call is given up after a while. */
  #wait(entry: Entry): () => void {
    clearTimeout(entry.timer);
    entry.waiting++;
    let gone = false;
    return () => {
      if (gone) return;
      gone = true;
      const isOver = entry.finishedAt !== undefined || entry.controller.signal.aborted;
      if (--entry.waiting > 0 || isOver) return;
      entry.timer = setTimeout(() => entry.controller.abort(), this.#options.graceMs ?? GRACE_MS);
    };
  }

  #finish(entry: Entry, text: string): void {
    clearTimeout(entry.timer);
    entry.finishedAt = this.#options.now();
    entry.bytes = Buffer.byteLength(text);
    this.#replyBytes += entry.bytes;
    for (const older of this.#entries.values()) {
      if (this.#replyBytes <= (this.#options.mostReplyBytes ?? MOST_REPLY_BYTES)) return;
      if (older.finishedAt !== undefined) this.#dropReply(older);
    }
  }

  #dropReply(entry: Entry): void {
    this.#replyBytes -= entry.bytes;
    entry.bytes = 0;
    entry.reply = undefined;
  }

  #forgetOld(): void {
    const before = this.#options.now() - KEPT_MS;
    for (const [key, entry] of this.#entries) {
      if (entry.finishedAt === undefined) continue;
      if (entry.finishedAt > before) return;
      this.#dropReply(entry);
      this.#entries.delete(key);
    }
  }
}
