import type { Clock } from "../../../core/clock.ts";
import { DragomanError } from "../../../core/errors.ts";
import type { AskKind } from "../../../core/events.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { Store } from "../../../core/store.ts";
import { isUnderWay, type SessionSummary } from "../../../core/summary.ts";
import type { Cursor } from "../../view.ts";
import { Attachment } from "./attachment.ts";
import type { CreditGate } from "./credit.ts";
import type { LiveLink } from "./services.ts";
import type { Sessions } from "./sessions.ts";
import type { About, Speaker } from "./speaker.ts";
import { type Snapshot, stateOf } from "./state-of.ts";
import { ToolClock } from "./tool-clock.ts";
import type { Unacknowledged } from "./unacknowledged.ts";

export const MOST_SESSIONS = 16;

const asksOfPeople: AskKind[] = ["confirm", "prompt", "pick"];

interface FollowedOptions {
  clock: Clock;
  sessions: Sessions;
  link: LiveLink;
  credit: CreditGate;
  speaker: Speaker;
  unacknowledged: Unacknowledged;
  /** Whether what the client answers counts. */
  mayApprove: boolean;
  /** A session cannot be followed any more. */
  onError(error: unknown, sessionId: string): void;
}

interface Follow {
  /** Without it, what comes after the state. */
  after?: Cursor;
  /** The client runs tools of the session. */
  runsTools?: boolean;
  correlationId?: string;
}

/** The sessions that the client follows; the last one that it started, attached to or prompted is the current one. */
export class FollowedSessions {
  readonly #options: FollowedOptions;
  readonly #attachments = new Map<string, Attachment>();
  #current: string | undefined;
  #detached = false;
  #closed = false;
  readonly #onceEnded: (() => void)[] = [];

  constructor(options: FollowedOptions) {
    this.#options = options;
  }

  get current(): string | undefined {
    return this.#current;
  }

  /** The current one first. */
  get ids(): string[] {
    const ids = [...this.#attachments.keys()];
    return ids.sort((a, b) => Number(b === this.#current) - Number(a === this.#current));
  }

  get(sessionId: string): SessionHandle | undefined {
    return this.#attachments.get(sessionId)?.session;
  }

  makeCurrent(sessionId: string): void {
    this.#current = sessionId;
  }

  /** To be called before one more is followed, or made. */
  checkRoom(sessionId?: string): void {
    if (this.#attachments.size < MOST_SESSIONS || (sessionId && this.#attachments.has(sessionId))) return;
    const message = `A connection follows at most ${MOST_SESSIONS} sessions. Leave one with session_end and detach, or open another connection.`;
    throw new DragomanError("queue_full", message, { most: MOST_SESSIONS });
  }

  /** A new one, from its beginning. */
  async begin(session: SessionHandle, runsTools: boolean): Promise<void> {
    const attachment = await this.#attach(session, runsTools);
    attachment.follow({ seq: 0 });
  }

  /** Its state comes first, and then what is new to the client. One that is followed already is begun anew. */
  async follow(session: SessionHandle, summary: SessionSummary, { after, runsTools, correlationId }: Follow) {
    this.checkRoom(session.id);
    this.#options.speaker.checkRoomToAnswer();
    const state = await this.#state(summary); // where it cannot be read, everything stays as it was
    const before = this.#attachments.get(session.id);
    const attachment = await this.#attach(session, runsTools ?? before?.kinds.includes("tool") ?? false);
    attachment.noteState(state);
    this.#options.speaker.answer("session_state", state.json, { sessionId: session.id, correlationId });
    if (summary.closed && !after)
      this.#ended(attachment); // nothing more comes
    else attachment.follow(after ?? { seq: state.lastSeq });
  }

  /** Answers with the state of a session, whether it is followed or not. */
  async tellState(summary: SessionSummary, about: About): Promise<void> {
    const { speaker } = this.#options;
    speaker.checkRoomToAnswer();
    const { json } = await this.#state(summary);
    speaker.answer("session_state", json, about);
  }

  leave(sessionId: string): void {
    const { credit, unacknowledged } = this.#options;
    this.#attachments.get(sessionId)?.close();
    this.#attachments.delete(sessionId);
    credit.forget(sessionId);
    unacknowledged.forget(sessionId);
    if (this.#current === sessionId) this.#current = undefined;
    this.#tellEnd();
  }

  /** To be called when something that was sent has left, or may be sent now. */
  pump(): void {
    for (const attachment of this.#attachments.values()) attachment.pump();
  }

  /** The client is gone or going: its sessions go on without its answers. */
  detach(): void {
    this.#detached = true;
    for (const attachment of this.#attachments.values()) attachment.detach();
  }

  close(): void {
    this.#closed = true;
    for (const attachment of this.#attachments.values()) attachment.close();
    this.#attachments.clear();
    this.#tellEnd();
  }

  /** Whether a run that came by that connection is under way or waits, in a session that is followed. */
  async hasRunOf(connection: string): Promise<boolean> {
    const { store } = (await this.#options.sessions.node()).runtime;
    for (const sessionId of this.ids) {
      if (await hasRunOf(store, sessionId, connection)) return true;
    }
    return false;
  }

  /** Resolves when the client is next told of the end of a run, or follows less than now. */
  nextEnd(): Promise<void> {
    return new Promise((resolve) => this.#onceEnded.push(resolve));
  }

  /** Whether the client was given everything of its sessions. */
  async caughtUp(): Promise<boolean> {
    const { sessions, credit } = this.#options;
    for (const { session, seen } of [...this.#attachments.values()]) {
      const { lastSeq = 0 } = (await (await sessions.node()).runtime.store.session(session.id)) ?? {};
      if (seen < lastSeq) return false;
    }
    return credit.pending === 0;
  }

  async #state(summary: SessionSummary): Promise<Snapshot> {
    const { sessions, link } = this.#options;
    await link.room(); // nothing long is made for who does not read
    const { views } = await sessions.node();
    return stateOf(views, summary, sessions.addresses(summary));
  }

  async #attach(session: SessionHandle, runsTools: boolean): Promise<Attachment> {
    const { clock, sessions, speaker, mayApprove, onError } = this.#options;
    const { views } = await sessions.node();
    const { id: sessionId } = session;
    const kinds: AskKind[] = mayApprove ? [...asksOfPeople, ...(runsTools ? (["tool"] as const) : [])] : [];
    const toolClock = new ToolClock({
      clock,
      say: (status, correlationId) => void speaker.sayIfFree(status, { sessionId, correlationId }),
    });
    const attachment: Attachment = new Attachment({
      ...this.#options,
      views,
      session,
      kinds,
      listeners: sessions.listeners,
      toolClock,
      onRunEnd: () => this.#tellEnd(),
      onError: (error) => {
        if (this.#attachments.get(sessionId) !== attachment) return;
        this.leave(sessionId);
        onError(error, sessionId);
      },
      onEnd: () => this.#ended(attachment),
    });
    if (this.#attachments.has(sessionId)) this.leave(sessionId);
    this.#attachments.set(sessionId, attachment);
    this.#current = sessionId;
    if (this.#detached) attachment.detach();
    // A message may outlive the connection it came on: nobody would ever end what it follows.
    if (this.#closed) this.close();
    return attachment;
  }

  /** What still waits for credit is sent all the same. */
  #ended(attachment: Attachment): void {
    const { id } = attachment.session;
    if (this.#attachments.get(id) !== attachment) return;
    attachment.close();
    this.#attachments.delete(id);
    if (this.#current === id) this.#current = undefined;
    this.#tellEnd();
  }

  #tellEnd(): void {
    for (const tell of this.#onceEnded.splice(0)) tell();
  }
}

async function hasRunOf(store: Store, sessionId: string, connection: string): Promise<boolean> {
  const summary = await store.session(sessionId);
  if (!summary) return false;
  const { run, queued } = summary;
  for (const { seq } of [...(run && isUnderWay(summary) ? [run] : []), ...queued]) {
    const [event] = await store.read(sessionId, { after: seq - 1, limit: 1 });
    const began = event?.type === "run.started" || event?.type === "run.queued";
    if (began && event.by.connection === connection) return true;
  }
  return false;
}
