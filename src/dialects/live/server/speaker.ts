import type { Clock } from "../../../core/clock.ts";
import { DragomanError } from "../../../core/errors.ts";
import { isoTime } from "../../iso-time.ts";
import type { DataOf, MessageType } from "../messages.ts";
import { priorityOf } from "../priority.ts";
import type { CreditGate } from "./credit.ts";
import type { LiveLink } from "./services.ts";

/** With more answers than this waiting for credit, no more are made. */
const MOST_ANSWERS_WAITING = 16;

/** Which session a message is of, and which message of the client's it is about. */
export interface About {
  sessionId?: string;
  correlationId?: string;
}

/** Types of what the connection says by itself: it waits for no credit. */
type Urgent = "error" | "interrupt" | "flow_control" | "ack" | "backpressure_alert" | "heartbeat";

interface SpeakerOptions {
  clock: Clock;
  link: Pick<LiveLink, "send">;
  credit: CreditGate;
}

/** Says what is of the connection and not of a log: it has no number, and the time is that at which it is sent. */
export class Speaker {
  readonly #options: SpeakerOptions;
  #lastAt = 0;
  #answersWaiting = 0;

  constructor(options: SpeakerOptions) {
    this.#options = options;
  }

  /** At once. */
  say<Type extends Urgent>(type: Type, data: DataOf<Type>, about: About = {}): void {
    this.#options.link.send(this.#text(type, JSON.stringify(data), about));
  }

  /** Of a tool, and only where nothing waits that would have to come before it. */
  sayIfFree(data: DataOf<"tool_execution_status">, about: About): boolean {
    const { credit } = this.#options;
    if (credit.credit <= 0 || credit.pending > 0) return false;
    const text = () => this.#text("tool_execution_status", JSON.stringify(data), about);
    credit.write(about.sessionId ?? "", [{ text, priority: 2 }]);
    return true;
  }

  /** To be called before an answer is made. */
  checkRoomToAnswer(): void {
    if (this.#answersWaiting < MOST_ANSWERS_WAITING) return;
    const message = `${MOST_ANSWERS_WAITING} answers wait for credit. Grant some with flow_control, and ask again.`;
    throw new DragomanError("queue_full", message);
  }

  /** In its turn among what its session has to say. */
  answer(type: MessageType, json: string, about: About): void {
    this.#answersWaiting++;
    const onSent = () => void this.#answersWaiting--;
    const text = () => this.#text(type, json, about);
    const message = { text, bytes: json.length, priority: priorityOf({ type }), isAnswer: true, onSent };
    this.#options.credit.write(about.sessionId ?? "", [message]);
  }

  #text(type: MessageType, data: string, { sessionId = "", correlationId }: About): string {
    this.#lastAt = Math.max(this.#lastAt, this.#options.clock.now());
    const correlation = correlationId === undefined ? "" : `,"correlation_id":${JSON.stringify(correlationId)}`;
    const head = `{"type":"${type}","timestamp":"${isoTime(this.#lastAt)}","session_id":${JSON.stringify(sessionId)}`;
    return `${head}${correlation},"data":${data}}`;
  }
}
