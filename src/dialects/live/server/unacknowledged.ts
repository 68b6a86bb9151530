import type { Clock } from "../../../core/clock.ts";
import { BoundedMap } from "../../bounded-map.ts";
import { endedRun, type Message } from "../messages.ts";

const AGAIN_AFTER_MS = 5000;
const MOST_TIMES_AGAIN = 3;

interface UnacknowledgedOptions {
  clock: Clock;
  send(json: string): void;
  /** Whether something that was sent has not left yet: what is still on its way cannot have been acknowledged. */
  isSending(): boolean;
  /** Whether what the client sends is not read just now: its ack may be among that. */
  isHolding(): boolean;
  /** The client does not acknowledge it; it is not sent any more. */
  onLost(unheard: { sessionId: string; seq: number }): void;
}

interface Tracked {
  sessionId: string;
  seq: number;
  text: string;
  /** What ends it: the ask, the call or the run that it is of. */
  askId?: string;
  callId: string;
  runId: string;
  timesAgain: number;
  callOff?: () => void;
}

/** What the client has yet to acknowledge. It is sent again, some times. */
export class Unacknowledged {
  readonly #options: UnacknowledgedOptions;
  readonly #tracked = new BoundedMap<Tracked>();
  #closed = false;

  constructor(options: UnacknowledgedOptions) {
    this.#options = options;
  }

  /** To be called with every message of a log before it is sent, in order. */
  note(message: Message, text: string): void {
    if (message.ack_required) this.#track(message, text);
    else if (message.type === "tool_call_response") {
      this.#forgetIf(message.session_id, ({ callId }) => callId === message.data.call_id);
    } else if (message.type === "status_update") {
      const { data } = message;
      if (data.kind === "ask") this.#forgetIf(message.session_id, ({ askId }) => askId === data.ask_id);
      const ended = endedRun(message);
      if (ended !== undefined) this.#forgetIf(message.session_id, ({ runId }) => runId === ended);
    }
  }

  /** It was handed to the link. */
  sent({ session_id, seq = 0 }: Message): void {
    const tracked = this.#tracked.get(keyOf(session_id, seq));
    if (tracked) this.#wait(tracked);
  }

  acknowledge(sessionId: string, seq: number): void {
    const tracked = this.#tracked.take(keyOf(sessionId, seq));
    tracked?.callOff?.();
  }

  forget(sessionId: string): void {
    this.#forgetIf(sessionId, () => true);
  }

  /** Nobody is left who could acknowledge anything. */
  close(): void {
    this.#closed = true;
    for (const [, tracked] of this.#tracked.takeAll()) tracked.callOff?.();
  }

  #track(message: Message, text: string): void {
    if (this.#closed || (message.type !== "tool_call_confirmation" && message.type !== "tool_call_request")) return;
    const { session_id: sessionId, seq = 0, data } = message;
    const askId = message.type === "tool_call_confirmation" ? message.data.ask_id : undefined;
    const tracked = { sessionId, seq, text, askId, callId: data.call_id, runId: data.run_id, timesAgain: 0 };
    this.#tracked.set(keyOf(sessionId, seq), tracked);
  }

  #wait(tracked: Tracked): void {
    tracked.callOff?.();
    tracked.callOff = this.#options.clock.after(AGAIN_AFTER_MS, () => this.#again(tracked), "in background");
  }

  #again(tracked: Tracked): void {
    if (this.#tracked.get(keyOf(tracked.sessionId, tracked.seq)) !== tracked) return; // too many were waited for
    if (!this.#options.isSending() && !this.#options.isHolding()) {
      if (tracked.timesAgain >= MOST_TIMES_AGAIN) {
        this.#tracked.take(keyOf(tracked.sessionId, tracked.seq));
        this.#options.onLost(tracked);
        return;
      }
      tracked.timesAgain++;
      this.#options.send(tracked.text);
    }
    this.#wait(tracked);
  }

  #forgetIf(sessionId: string, isOver: (tracked: Tracked) => boolean): void {
    if (this.#tracked.size === 0) return;
    for (const [key, tracked] of this.#tracked.takeAll()) {
      if (tracked.sessionId === sessionId && isOver(tracked)) tracked.callOff?.();
      else this.#tracked.set(key, tracked);
    }
  }
}

const keyOf = (sessionId: string, seq: number) => `${seq} ${sessionId}`;
