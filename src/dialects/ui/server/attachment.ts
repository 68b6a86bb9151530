import type { DragomanError } from "../../../core/errors.ts";
import type { AskKind } from "../../../core/events.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { Frame } from "../../dialect.ts";
import { Feed, type Sink } from "../../feed.ts";
import type { Views } from "../../views.ts";
import { ui } from "../index.ts";

interface AttachmentOptions {
  views: Views;
  session: SessionHandle;
  profile: Record<string, unknown>;
  /** The last event that the UI has, or does not want. */
  after: number;
  sink: Sink;
  onError(error: unknown): void;
  /** The log cannot be written here any more. */
  onBroken(error: DragomanError): void;
}

const answers: [capability: string, kind: AskKind][] = [
  ["supports_confirm", "confirm"],
  ["supports_prompt", "prompt"],
  ["supports_pick", "pick"],
];

/** A session that the UI follows, and whose asks it can answer. It can be told to wait, so that something else comes first. */
export class Attachment {
  readonly session: SessionHandle;
  readonly profile: Record<string, unknown>;
  /** The run of which the UI waits for the end. */
  runId: string | undefined;
  readonly #options: AttachmentOptions;
  readonly #detach: () => void;
  readonly #ignoreBroken: () => void;
  #feed: Feed | undefined;
  #closed = false;
  #holds = 0;
  /** While it waits: what the UI had when that began, and what was on its way to it. */
  #seenBefore = 0;
  #waiting: Frame[] = [];

  constructor(options: AttachmentOptions) {
    this.#options = options;
    this.session = options.session;
    this.profile = options.profile;
    this.#detach = options.session.attach(answers.filter(([can]) => options.profile[can]).map(([, kind]) => kind));
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
    return Math.max(this.#feed?.seen ?? 0, this.#options.after);
  }

  /** The UI gets what there is from now on. */
  follow(): void {
    if (this.#closed) return;
    const { views, session, profile, after, sink, onError } = this.#options;
    const attachment = this;
    const held: Sink = {
      write: (frames) => (attachment.#holds > 0 ? void attachment.#waiting.push(...frames) : sink.write(frames)),
      get unsent() {
        return attachment.#holds > 0 ? { messages: Number.POSITIVE_INFINITY, bytes: 0 } : sink.unsent;
      },
    };
    this.#feed ??= new Feed({
      views,
      sessionId: session.id,
      dialect: ui,
      profile,
      after: { seq: after },
      sink: held,
      onError,
    });
  }

  /** Nothing is sent until the returned function is called. */
  hold(): () => void {
    if (this.#holds === 0) this.#seenBefore = this.seen;
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
    const waiting = this.#waiting.splice(0);
    if (waiting.length > 0) this.#options.sink.write(waiting);
    this.pump();
  }

  pump(): void {
    this.#feed?.pump();
  }

  /** The UI can answer nothing any more. */
  detach(): void {
    this.#detach();
  }

  close(): void {
    this.#closed = true;
    this.#detach();
    this.#ignoreBroken();
    this.#feed?.close();
  }
}
