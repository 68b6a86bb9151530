import type { Clock } from "../../core/clock.ts";
import { Alarm } from "./alarm.ts";
import type { Inbox } from "./inbox.ts";
import { highest, isPlaced, leftOutIn, messageIn } from "./message-text.ts";
import { OperationsError } from "./operations-error.ts";
import type { Place } from "./place.ts";
import type { MessagePage, OperationMessage } from "./protocol.ts";
import type { CallOptions } from "./rest-link.ts";
import type { StreamAnswers } from "./stream-answers.ts";

/** How a connection ended: with the operation, because whoever reads is too slow, or otherwise. */
export type Ending =
  | { how: "complete" }
  | { how: "full" }
  /** `wasOpen`: the server had accepted it. */
  | { how: "broken"; error: OperationsError; wasOpen: boolean };

interface ReceptionOptions {
  operationId: string;
  clock: Clock;
  inbox: Inbox;
  answers: StreamAnswers;
  silenceMs?: number;
  recover?: boolean;
  stopped: AbortSignal;
  messages(place: Place, limit: number, options: CallOptions): Promise<MessagePage>;
  /** Something new came. */
  onProgress(): void;
  /** Ends the connection from this side. */
  leave(ending: Ending): void;
}

const SILENCE_MS = 30_000;
/** What is missing may be said to be left out only after what follows it. */
const GAP_MS = 5000;
const PAGE = 1000;

/** What comes over one connection, and what does not. */
export class StreamReception {
  readonly #options: ReceptionOptions;
  readonly #silence: Alarm;
  readonly #gap: Alarm;
  #refusal: OperationMessage | undefined;
  #over = false;

  constructor(options: ReceptionOptions) {
    const { clock, silenceMs = SILENCE_MS } = options;
    this.#options = options;
    this.#silence = new Alarm(clock, silenceMs, () => void this.#askWhetherBehind());
    this.#gap = new Alarm(clock, GAP_MS, () => this.#closeGap());
  }

  begin(): void {
    this.#silence.touch();
  }

  /** Throws what is no message. */
  hear(value: unknown): void {
    const message = messageIn(value);
    const { operationId, inbox, answers } = this.#options;
    this.#silence.touch();
    if (inbox.hasGap) this.#gap.touch();
    if (inbox.isFull) this.#makeRoom();
    if (this.#over) return; // it comes again on the next connection
    if (!isPlaced(message)) this.#hearOfConnection(message);
    else if (message.operation_id === operationId) this.#told(inbox.accept(message));
    answers.heard(message);
  }

  /** Why the server closed it, in its own words where it said some. */
  explain(error: OperationsError): OperationsError {
    const { status, closeCode } = error;
    const code = this.#refusal?.metadata?.code;
    if (!this.#refusal || code === undefined) return error;
    return new OperationsError(code, this.#refusal.content, { status, closeCode });
  }

  end(): void {
    this.#over = true;
    this.#silence.stop();
    this.#gap.stop();
  }

  #hearOfConnection(message: OperationMessage): void {
    const { inbox, recover } = this.#options;
    if (message.type === "error" && message.metadata?.request_id === undefined) this.#refusal = message;
    inbox.accept(message);
    if (leftOutIn(message).length === 0) return;
    if (recover) void this.#readBack(message);
    else this.#told(inbox.acceptLoss(message));
  }

  #told(messages: OperationMessage[]): void {
    const { inbox, onProgress } = this.#options;
    if (messages.length > 0) onProgress();
    if (inbox.hasGap) this.#gap.touch();
    else this.#gap.stop();
    if (messages.some(({ type }) => type === "complete")) this.#leave({ how: "complete" });
  }

  /** What was left out, before what came after it. What history does not have either is lost. */
  async #readBack(notice: OperationMessage): Promise<void> {
    const { inbox, messages, stopped } = this.#options;
    const last = highest(leftOutIn(notice));
    inbox.expectLoss(notice);
    try {
      let more = true;
      while (more && !this.#over && inbox.last < last) {
        const from = inbox.last;
        const page = await messages(inbox.place, PAGE, { signal: stopped });
        for (const message of page.messages) if (!this.#over && !inbox.isFull) this.#told(inbox.accept(message));
        more = page.more && inbox.last > from && !inbox.isFull; // what history lacks would be asked for again and again
      }
    } catch {
      // it is known to be lost, and can be read later
    }
    if (this.#over) return;
    // What there was no room for is not lost: it comes on the next connection.
    if (inbox.isFull && inbox.last < last) this.#leave({ how: "full" });
    else this.#told(inbox.acceptLoss(notice));
  }

  #makeRoom(): void {
    if (this.#options.inbox.hasGap) this.#closeGap();
    if (this.#options.inbox.isFull) this.#leave({ how: "full" });
  }

  /** Nobody said why something is missing: another connection may bring it, and if it does not, it is not waited for. */
  #closeGap(): void {
    const { inbox } = this.#options;
    if (this.#over || !inbox.hasGap) return;
    if (!inbox.mayComeAgain()) this.#told(inbox.giveUpMissing());
    else this.#leave(late(`Message ${inbox.last + 1} is missing, and those after it have come`));
  }

  async #askWhetherBehind(): Promise<void> {
    const { inbox, messages, stopped, silenceMs = SILENCE_MS } = this.#options;
    try {
      const page = await messages(inbox.place, 1, { signal: stopped });
      if (this.#over) return;
      const isBehind = page.messages.some(({ sequence }) => sequence > inbox.last);
      if (isBehind) this.#leave(late(`Nothing came for ${silenceMs} ms, though there is message ${inbox.last + 1}`));
      else this.#silence.touch();
    } catch (error) {
      if (!this.#over) this.#leave({ how: "broken", error: error as OperationsError, wasOpen: true });
    }
  }

  #leave(ending: Ending): void {
    if (this.#over) return;
    this.end();
    this.#options.leave(ending);
  }
}

function late(message: string): Ending {
  return { how: "broken", error: new OperationsError("timeout", message), wasOpen: true };
}
