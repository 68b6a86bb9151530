import { DragomanError } from "../core/errors.ts";
import type { Event } from "../core/events.ts";
import { foldStart } from "../core/landmarks.ts";
import type { Range, Store } from "../core/store.ts";
import type { SessionSummary } from "../core/summary.ts";
import { readWhole } from "../core/whole.ts";
import { Backlog } from "./backlog.ts";
import { CatchUp } from "./catch-up.ts";
import type { Dialect, Frame, NumberedFrame } from "./dialect.ts";
import { type Cursor, isAfter, type Reader, type View } from "./view.ts";
import type { Views } from "./views.ts";

/** Large enough that a client is not waited for after every few kilobytes; a page has at most about 1 MB. */
const PAGE = 500;
/** Of the log, by whoever reads it alone: everyone else waits while it is folded. */
const CATCH_UP_PAGE = 200;
/** A connection with this much unsent is given no more; the rest waits in the log, not in memory. With a page it is about 1 MB. */
const MOST_UNSENT_MESSAGES = 100;
const MOST_UNSENT_BYTES = 512 * 1024;
/** Of a connection that is caught up with: a page of its own may have a megabyte by itself. */
const MOST_UNSENT_BYTES_CATCHING_UP = 64 * 1024;

/** Where frames go. `write` must not wait; `unsent` is what has not left yet. */
export interface Sink {
  write(frames: Frame[]): void;
  readonly unsent: { messages: number; bytes: number };
}

const readAsIs = (store: Store, sessionId: string, range: Range) => store.read(sessionId, range);

/** The last event of which a client with this cursor has had everything for certain. */
const wholeOf = ({ seq, k }: Cursor) => (k === undefined ? seq : seq - 1);

interface FeedOptions {
  views: Views;
  sessionId: string;
  dialect: Dialect;
  profile?: unknown;
  /** What the client has already; nothing is the beginning of the session. */
  after?: Cursor;
  sink: Sink;
  /** The log could not be read, or was removed (`session_not_found`); the feed has ended. */
  onError?(error: unknown): void;
  /** The session is closed and the client was given all of it. */
  onEnd?(): void;
  /** There is nothing more to give the client, or no room for it, or the feed has ended: `seen` is as it stays for now. */
  onPause?(): void;
}

/** Brings one client a session, replay and live alike: woken, it reads on after its cursor while the client keeps up. */
export class Feed {
  readonly #options: FeedOptions;
  readonly #key: string;
  readonly #read: Reader;
  readonly #unsubscribe: () => void;
  readonly #backlog: Backlog;
  #cursor: Cursor;
  #catchUp: CatchUp | undefined;
  #view: View | undefined;
  #pumping = false;
  #again = false;
  #rung = false;
  /** The head of the log when there was nothing more to say. */
  #headTold = 0;
  #sawEnd = false;
  #closed = false;

  constructor(options: FeedOptions) {
    const { views, sessionId, dialect, profile } = options;
    this.#options = options;
    this.#key = JSON.stringify([sessionId, dialect.name, dialect.profile.parse(profile ?? {})]);
    const { store } = views;
    this.#read = (range) => (dialect.wholeResults ? readWhole : readAsIs)(store, sessionId, range);
    this.#cursor = options.after ?? { seq: 0 };
    this.#backlog = new Backlog((lost) => dialect.fold(sessionId, profile).lost(lost));
    this.#unsubscribe = store.wake(sessionId, () => {
      this.#rung = true;
      this.#view?.wake();
      this.pump();
    });
    this.pump();
  }

  /** The last event of which the client was given all there is to say. */
  get seen(): number {
    const view = this.#catchUp ? undefined : this.#view;
    if (!view || view.behind || view.after(this.#cursor, 1).length > 0) return wholeOf(this.#cursor);
    return Math.max(this.#cursor.seq, view.head);
  }

  /** To be called when the sink has sent something. */
  pump(): void {
    this.#again = true;
    if (this.#pumping || this.#closed) return;
    this.#pumping = true;
    this.#pumpAll().catch((error) => {
      this.close();
      this.#options.onError?.(error);
    });
  }

  /** The client is gone. It costs the session nothing. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#unsubscribe();
    this.#leaveView();
    this.#options.onPause?.();
  }

  async #pumpAll(): Promise<void> {
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        await this.#pumpWhileRoom();
      }
    } finally {
      this.#pumping = false; // in the same breath as the last look at `again`, or a bell would be missed
      this.#options.onPause?.();
    }
  }

  async #pumpWhileRoom(): Promise<void> {
    while (!this.#closed && this.#hasRoom()) {
      const frames = await this.#next();
      if (this.#closed) return;
      this.#deliver(frames ?? []);
      if (frames) continue;
      this.#write(this.#backlog.takeNotice());
      if (this.#sawEnd || this.#view?.ended) this.#options.onEnd?.();
      await this.#checkStillThere();
      return;
    }
  }

  #hasRoom(): boolean {
    const { messages, bytes } = this.#options.sink.unsent;
    const most = this.#catchUp ? MOST_UNSENT_BYTES_CATCHING_UP : MOST_UNSENT_BYTES;
    const room = messages < MOST_UNSENT_MESSAGES && bytes < most;
    if (!room) this.#backlog.stall();
    return room;
  }

  /** The next frames; `undefined` when there are none as yet. */
  async #next(): Promise<NumberedFrame[] | undefined> {
    if (this.#catchUp || !this.#view) return this.#readOn();
    await this.#view.advance();
    this.#backlog.measure(this.#cursor.seq, this.#view.head);
    if (this.#view.reaches(this.#cursor)) {
      const frames = this.#view.after(this.#cursor, PAGE);
      if (frames.length === 0) this.#cursor = { seq: Math.max(this.#cursor.seq, this.#view.head) };
      return frames.length > 0 || this.#view.behind ? frames : undefined;
    }
    this.#leaveView();
    return this.#readOn();
  }

  async #readOn(): Promise<NumberedFrame[] | undefined> {
    this.#catchUp ??= await this.#beginCatchUp();
    const catchUp = this.#catchUp;
    const read = () => this.#read({ after: catchUp.at, limit: CATCH_UP_PAGE });
    const events = await this.#options.views.inTurn(read);
    if (this.#closed) return undefined;
    this.#crossGap(catchUp, events[0]);
    this.#sawEnd ||= events.some(({ type }) => type === "session.closed");
    const frames = events.flatMap((event) => catchUp.push(event, this.#cursor));
    if (events.length > 0 && catchUp.at < catchUp.until) return frames;
    frames.push(...catchUp.takeAsks());
    if (events.length < CATCH_UP_PAGE) this.#joinView(catchUp);
    return frames;
  }

  async #beginCatchUp(): Promise<CatchUp> {
    const { views, sessionId, dialect, profile } = this.#options;
    const until = (await this.#summary())?.lastSeq ?? 0;
    const first = this.#backlog.begin(until);
    this.#backlog.measure(this.#cursor.seq, until);
    const start = await foldStart(views.store, sessionId, this.#cursor.seq);
    return new CatchUp({ fold: dialect.fold(sessionId, profile), at: start - 1, until, first });
  }

  /** The client is told at once what was pruned before it got that far: all that came before has been delivered. */
  #crossGap(catchUp: CatchUp, next: Event | undefined): void {
    const gap = catchUp.cross(next, wholeOf(this.#cursor));
    if (!gap) return;
    this.#write([...this.#backlog.takeNotice(), gap.notice]);
    this.#cursor = { seq: gap.to };
  }

  /** A bell that rings though nothing has come may ring because the session was removed. */
  async #checkStillThere(): Promise<void> {
    const head = this.#view?.head ?? 0;
    const forNothing = this.#rung && head === this.#headTold;
    this.#rung = false;
    this.#headTold = head;
    if (forNothing) await this.#summary();
  }

  async #summary(): Promise<SessionSummary | undefined> {
    const { views, sessionId } = this.#options;
    const summary = await views.store.session(sessionId);
    // One of which nothing was ever read may be yet to come.
    if (summary || this.#cursor.seq === 0 || this.#closed) return summary;
    throw new DragomanError("session_not_found", `The session ${sessionId} was removed.`);
  }

  #joinView({ fold, at }: CatchUp): void {
    const { views } = this.#options;
    const view = views.join(this.#key, this.#read, fold, at);
    if (!view.reaches({ seq: at })) {
      views.leave(this.#key); // it ran ahead: read on alone
      return;
    }
    this.#view = view;
    this.#catchUp = undefined;
    this.#cursor = { seq: at };
  }

  #leaveView(): void {
    if (this.#view) this.#options.views.leave(this.#key);
    this.#view = undefined;
  }

  #deliver(frames: NumberedFrame[]): void {
    let cursor: Cursor = this.#cursor;
    for (const frame of frames) if (isAfter(frame, cursor)) cursor = frame;
    this.#cursor = { seq: cursor.seq, k: cursor.k };
    this.#write(this.#backlog.sift(frames));
  }

  #write(frames: Frame[]): void {
    if (frames.length > 0) this.#options.sink.write(frames);
  }
}
