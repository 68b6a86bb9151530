import type { Clock } from "../../core/clock.ts";
import { OperationsError } from "./operations-error.ts";
import type { Answer, OperationMessage, Said } from "./protocol.ts";

/** The server answers at once; who waits longer is better off with another way. */
const REPLY_MS = 10_000;

/** `unknown`: it was sent, and the reply never came. */
type Outcome = "taken" | "unknown";

interface Waiting {
  settle(outcome: Outcome | OperationsError): void;
}

/** What was said over the socket and waits for its reply. */
export class StreamAnswers {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Waiting>();
  #ids = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Fails with what the server refused it with; nothing where it could not be sent at all. */
  send(askId: string, answer: Answer, send: (said: Said) => boolean): Promise<Outcome> | undefined {
    const id = `a${++this.#ids}`;
    if (!send({ type: "answer", request_id: id, ask_id: askId, answer })) return undefined;
    return new Promise((resolve, reject) => {
      const callOff = this.#clock.after(REPLY_MS, () => this.#waiting.get(id)?.settle("unknown"));
      const settle = (outcome: Outcome | OperationsError) => {
        callOff();
        this.#waiting.delete(id);
        if (outcome instanceof OperationsError) reject(outcome);
        else resolve(outcome);
      };
      this.#waiting.set(id, { settle });
    });
  }

  /** Whether the message is the reply to something of ours. */
  heard({ type, content, metadata }: OperationMessage): boolean {
    const waiting = this.#waiting.get(String(metadata?.request_id));
    if (!waiting) return false;
    waiting.settle(type === "error" ? new OperationsError(metadata?.code ?? "refused", content) : "taken");
    return true;
  }

  /** The connection is gone, and with it the replies. */
  lost(): void {
    for (const { settle } of [...this.#waiting.values()]) settle("unknown");
  }
}
