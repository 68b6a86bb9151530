import type { DragomanError } from "../../../core/errors.ts";
import type { AskKind } from "../../../core/events.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import { Bell } from "../../bell.ts";
import type { Frame } from "../../dialect.ts";
import { Feed, type Sink } from "../../feed.ts";
import type { Listeners } from "../../listeners.ts";
import type { Views } from "../../views.ts";
import { ui } from "../index.ts";
import type { Message } from "../messages.ts";

interface AttachmentOptions {
  views: Views;
  session: SessionHandle;
  profile: Record<string, unknown>;
  listeners?: Listeners;
  /** The last event that the UI has, or does not want. */
  after: number;
  sink: Sink;
  /** The UI is put a question. */
  onAsk(askId: string): void;
  onError(error: unknown): void;
  /** The log cannot be written here any more. */
  onBroken(error: DragomanError): void;
}

const answers: [capability: string, kind: AskKind][] = [
  ["supports_confirm", "confirm"],
  ["supports_prompt", "prompt"],
  ["supports_pick", "pick"],
];

/** Several sessions may have a page each for one connection: with so much unsent, theirs wait here for their turn. */
const FULL_BYTES = 512 * 1024;

function isEndOf(runId: string | undefined, { method, params }: Message): boolean {
  return method === "run.status" && params.run_id === runId && !["running", "awaiting_ui"].includes(params.status);
}

/** A session that the UI follows, and whose asks it can answer. It can be told to wait, so that something else comes first. */
export class Attachment {
  readonly session: SessionHandle;
  readonly profile: Record<string, unknown>;
  /** It stays on the desk whether something happens in it or not. */
  watched = false;
  /** The run of which the UI waits for the end. */
  runId: string | undefined;
  /** Where nothing is to be told after the end of that run: what is done then. */
  leave: (() => void) | undefined;
  readonly #options: AttachmentOptions;
  readonly #detach: () => void;
  readonly #ignoreBroken: () => void;
  #feed: Feed | undefined;
  /** Rings when the UI may have been told more, or is told nothing more. */
  readonly #bell = new Bell();
  #after: number;
  #closed = false;
  #detached = false;
  #holds = 0;
  /** While it is held: what the UI had when that began. */
  #seenBefore = 0;
  /** What is on its way to the UI. */
  #waiting: Frame[] = [];

  constructor(options: AttachmentOptions) {
    this.#options = options;
    this.session = options.session;
    this.profile = options.profile;
    this.#after = options.after;
    const { session, profile, listeners } = options;
    const kinds = answers.filter(([can]) => profile[can]).map(([, kind]) => kind);
    this.#detach = listeners ? listeners.add(session, kinds) : session.attach(kinds);
    this.#ignoreBroken = options.session.onBroken((error) => options.onBroken(error));
  }

  /** Whether the UI is given what there is. */
  get follows(): boolean {
    return this.#feed !== undefined;
  }

  /** How many calls keep it waiting. */
  get holds(): number {
    return this.#holds;
  }

  /** The last event of which the UI was given all there is to say. */
  get seen(): number {
    if (this.#holds > 0) return this.#seenBefore;
    return Math.max(this.#feed?.seen ?? 0, this.#after);
  }

  /** Whether some of that has yet to be sent. */
  get waits(): boolean {
    return this.#waiting.length > 0;
  }

  /** The UI gets what there is from now on. */
  follow(): void {
    if (this.#closed || this.#feed) return;
    const { views, session, profile } = this.#options;
    const sink = this.#sink();
    const feed = new Feed({
      ...{ views, sessionId: session.id, dialect: ui, profile, after: { seq: this.#after }, sink },
      onPause: () => this.#bell.ring(),
      onEnd: () => {
        this.watched = false; // nothing will ever happen in it again
      },
      onError: (error) => {
        if (this.#feed !== feed) return;
        this.#stop(this.seen); // whoever asks for the session again has it read again
        this.watched = false;
        this.#options.onError(error);
      },
    });
    this.#feed = feed;
  }

  /** The UI wants everything after that event, also what it had. It comes when the session is followed again. */
  restart(after: number): void {
    this.#stop(after);
    this.#seenBefore = after;
    this.#waiting = [];
  }

  #stop(after: number): void {
    this.#after = after;
    this.#feed?.close();
    this.#feed = undefined;
    this.#bell.ring();
  }

  #sink(): Sink {
    const attachment = this;
    return {
      write: (frames) => {
        if (attachment.#mustWait) attachment.#waiting.push(...frames);
        else attachment.#write(frames);
      },
      get unsent() {
        return attachment.#mustWait
          ? { messages: Number.POSITIVE_INFINITY, bytes: 0 }
          : attachment.#options.sink.unsent;
      },
    };
  }

  get #mustWait(): boolean {
    return this.#holds > 0 || this.waits || this.#options.sink.unsent.bytes >= FULL_BYTES;
  }

  #write(frames: Frame[]): void {
    const { runId, leave } = this;
    const end = frames.findIndex(({ message }) => isEndOf(runId, message as Message));
    const told = leave && end >= 0 ? frames.slice(0, end + 1) : frames;
    for (const { ask } of told) if (ask !== undefined) this.#options.onAsk(ask);
    this.#options.sink.write(told);
    if (end < 0) return;
    this.runId = undefined;
    leave?.();
  }

  /** Nothing is sent until the returned function is called. */
  hold(): () => void {
    if (this.#holds === 0) {
      this.#sendWaiting();
      this.#seenBefore = this.seen;
    }
    this.#holds++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds--;
      if (this.#holds === 0) this.#goOn();
    };
  }

  #goOn(): void {
    this.#sendWaiting();
    this.pump();
  }

  #sendWaiting(): void {
    const waiting = this.#waiting.splice(0);
    if (waiting.length > 0) this.#write(waiting);
    this.#bell.ring();
  }

  pump(): void {
    if (this.#holds === 0 && this.#options.sink.unsent.bytes < FULL_BYTES) this.#sendWaiting();
    this.#feed?.pump();
  }

  /** Resolves when the UI was told all up to that event, or will be told nothing more. */
  async told(seq: number): Promise<void> {
    while (this.#tells && (this.seen < seq || this.waits)) await this.#bell.rung();
  }

  get #tells(): boolean {
    return !this.#closed && !this.#detached && (this.follows || this.#holds > 0);
  }

  /** The UI can answer nothing any more. */
  detach(): void {
    this.#detached = true;
    this.#detach();
    this.#bell.ring();
  }

  close(): void {
    this.#closed = true;
    this.#detach();
    this.#ignoreBroken();
    this.#feed?.close();
    this.#bell.ring();
  }
}
