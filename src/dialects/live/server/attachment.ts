import type { DragomanError } from "../../../core/errors.ts";
import type { AskKind } from "../../../core/events.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { Frame } from "../../dialect.ts";
import { Feed } from "../../feed.ts";
import type { Listeners } from "../../listeners.ts";
import type { Cursor } from "../../view.ts";
import type { Views } from "../../views.ts";
import { live } from "../index.ts";
import { endedRun, type Message } from "../messages.ts";
import { priorityOf } from "../priority.ts";
import type { CreditGate, Outgoing } from "./credit.ts";
import type { LiveLink } from "./services.ts";
import type { Snapshot } from "./state-of.ts";
import type { ToolClock } from "./tool-clock.ts";
import type { Unacknowledged } from "./unacknowledged.ts";

interface AttachmentOptions {
  views: Views;
  session: SessionHandle;
  /** What the client can answer. */
  kinds: AskKind[];
  listeners?: Listeners;
  link: Pick<LiveLink, "unsent">;
  credit: CreditGate;
  unacknowledged: Unacknowledged;
  toolClock: ToolClock;
  /** The client is told that a run has ended. */
  onRunEnd(): void;
  /** The log could not be read, or cannot be written any more. */
  onError(error: unknown): void;
  /** The session is closed, and the client was given all of it. */
  onEnd(): void;
}

/** A session that the client follows, and whose asks it can answer. */
export class Attachment {
  readonly session: SessionHandle;
  readonly #options: AttachmentOptions;
  readonly #detach: () => void;
  readonly #ignoreBroken: () => void;
  #feed: Feed | undefined;
  #closed = false;

  constructor(options: AttachmentOptions) {
    this.#options = options;
    this.session = options.session;
    const { session, kinds, listeners } = options;
    this.#detach = listeners ? listeners.add(session, kinds) : session.attach(kinds);
    this.#ignoreBroken = options.session.onBroken((error: DragomanError) => options.onError(error));
  }

  get kinds(): readonly AskKind[] {
    return this.#options.kinds;
  }

  /** The last event of which the client was given all there is to say, as far as it has credit. */
  get seen(): number {
    return this.#feed?.seen ?? 0;
  }

  /** The client gets everything after the cursor. */
  follow(after: Cursor): void {
    if (this.#closed) return;
    const { views, session, link, credit, onError, onEnd } = this.#options;
    const sink = {
      write: (frames: Frame[]) =>
        credit.write(
          session.id,
          frames.map((frame) => this.#outgoing(frame)),
        ),
      get unsent() {
        const waiting = credit.pendingOf(session.id);
        const { messages, bytes } = link.unsent;
        return { messages: messages + waiting.messages, bytes: bytes + waiting.bytes };
      },
    };
    this.#feed = new Feed({ views, sessionId: session.id, dialect: live, after, sink, onError, onEnd });
  }

  /** What was open when the client was told of it. */
  noteState({ openCalls, openConfirmations }: Snapshot): void {
    this.#options.toolClock.begin(openCalls, openConfirmations);
  }

  pump(): void {
    this.#feed?.pump();
  }

  /** The client can answer nothing any more. */
  detach(): void {
    this.#detach();
  }

  close(): void {
    this.#closed = true;
    this.#detach();
    this.#ignoreBroken();
    this.#feed?.close();
    this.#options.toolClock.close();
  }

  #outgoing({ text, message }: Frame): Outgoing {
    const { unacknowledged, toolClock, onRunEnd } = this.#options;
    const told = message as Message;
    toolClock.note(told);
    unacknowledged.note(told, text);
    if (endedRun(told) !== undefined) onRunEnd();
    const priority = priorityOf(told);
    return told.ack_required ? { text, priority, onSent: () => unacknowledged.sent(told) } : { text, priority };
  }
}
