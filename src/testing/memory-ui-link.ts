import type { Connect, LinkEvents } from "../clients/ui/link.ts";
import { UiError } from "../clients/ui/ui-error.ts";

interface Sent {
  id?: string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: unknown;
}

/** A runtime in the test's own hands: it sees what the client sent and says what the test says. */
export class MemoryRuntime {
  readonly sent: Sent[] = [];
  opened = 0;
  paused = false;
  /** What `write` gives from now on; false is a pipe that is full. */
  hasRoom = true;
  /** Whether `initialize` is answered. */
  greets = true;
  #events: LinkEvents | undefined;

  readonly connect: Connect = (events) => {
    this.opened++;
    this.#events = events;
    this.paused = false;
    return {
      write: (text) => {
        for (const line of text.split("\n").filter(Boolean)) this.#receive(JSON.parse(line));
        return this.hasRoom;
      },
      pause: () => {
        this.paused = true;
      },
      resume: () => {
        this.paused = false;
      },
      close: async () => this.end("it was closed"),
    };
  };

  /** The methods that were called, in order. */
  get methods(): (string | undefined)[] {
    return this.sent.map(({ method }) => method);
  }

  say(message: object): void {
    this.#events?.line(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  tell(method: string, params: object): void {
    this.say({ method, params });
  }

  /** Answers the latest call of that method. */
  answer(method: string, result: unknown): void {
    const id = this.sent.findLast((one) => one.method === method)?.id;
    this.say({ id, result });
  }

  drain(): void {
    this.hasRoom = true;
    this.#events?.drain();
  }

  end(reason = "it ended"): void {
    const events = this.#events;
    this.#events = undefined;
    events?.closed(new UiError("closed", reason));
  }

  #receive(message: Sent): void {
    this.sent.push(message);
    if (message.method !== "initialize" || !this.greets) return;
    const result = { protocol_version: "0", server: { name: "memory", version: "1" } };
    queueMicrotask(() => this.say({ id: message.id, result }));
  }
}
