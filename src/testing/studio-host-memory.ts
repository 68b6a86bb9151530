import type { Connect, LinkEvents } from "../clients/studio/link.ts";
import { ManualClock } from "../core/clock.ts";

/** What a host wrote, and when. */
export interface SentLine {
  at: number;
  id?: number;
  method: string;
  params: { [name: string]: unknown; requestId?: number; runId?: string; context?: Record<string, unknown> };
}

/** A clock in the test's hands that knows what is still to come. */
export class CountedClock extends ManualClock {
  /** Timers that have neither fired nor been called off. */
  pending = 0;

  constructor() {
    super(0);
  }

  override after(ms: number, callback: () => void): () => void {
    let isOver = false;
    const over = () => {
      if (!isOver) this.pending--;
      isOver = true;
    };
    this.pending++;
    const callOff = super.after(ms, () => {
      over();
      callback();
    });
    return () => {
      over();
      callOff();
    };
  }
}

/** One runtime process that is none: it says what the test says. */
export class MemoryRuntime {
  readonly sent: SentLine[] = [];
  isOver = false;
  hasRoom = true;
  readonly #events: LinkEvents;
  readonly #clock: ManualClock;

  constructor(events: LinkEvents, clock: ManualClock) {
    this.#events = events;
    this.#clock = clock;
  }

  take(text: string): boolean {
    this.sent.push({ at: this.#clock.now(), ...JSON.parse(text) });
    return this.hasRoom;
  }

  /** The calls of that method, in order. */
  calls(method: string): SentLine[] {
    return this.sent.filter((line) => line.method === method);
  }

  say(message: object): void {
    if (!this.isOver) this.#events.line(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  tell(method: string, params: object): void {
    this.say({ method, params });
  }

  answer(id: number | undefined, result: unknown): void {
    this.say({ id, result });
  }

  refuse(id: number | undefined, code: number, message = "no"): void {
    this.say({ id, error: { code, message } });
  }

  chunk(requestId: number | undefined, index: number, chunk: string): void {
    this.tell("stream/chunk", { requestId, chunk, index, done: false });
  }

  log(line: string): void {
    this.#events.log(line);
  }

  /** The pipe takes no more until it is drained. */
  fill(): void {
    this.hasRoom = false;
  }

  drain(): void {
    this.hasRoom = true;
    if (!this.isOver) this.#events.drain();
  }

  end(message = "The runtime ended: exit code 1", neverBegan?: boolean): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#events.closed({ message, neverBegan });
  }
}

/** What a host starts in place of processes. */
export class MemoryRuntimes {
  readonly all: MemoryRuntime[] = [];
  /** Whether they answer `initialize`. */
  greet = true;
  /** What is to be waited for before one is gone. */
  closing: Promise<void> = Promise.resolve();
  readonly #clock: ManualClock;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  /** The one that was started last. */
  get last(): MemoryRuntime {
    const last = this.all.at(-1);
    if (!last) throw new Error("none was started");
    return last;
  }

  readonly connect: Connect = (events) => {
    const runtime = new MemoryRuntime(events, this.#clock);
    this.all.push(runtime);
    return {
      write: (text) => {
        const room = runtime.take(text);
        const { method, id } = runtime.sent.at(-1) ?? {};
        if (method === "initialize" && this.greet) queueMicrotask(() => runtime.answer(id, hello));
        return room;
      },
      pause: () => {},
      resume: () => {},
      close: async () => {
        await this.closing;
        runtime.end("it was closed");
      },
    };
  };
}

const hello = {
  serverName: "memory",
  serverVersion: "1",
  capabilities: { codeGeneration: true, customization: true, streaming: true, asks: true },
};
