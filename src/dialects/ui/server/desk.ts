import { DragomanError } from "../../../core/errors.ts";
import type { Origin } from "../../../core/events.ts";
import { Gate } from "../../../core/gate.ts";
import { endOfRun, hasRun } from "../../../core/landmarks.ts";
import type { Caller } from "../../../core/roles.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import { isUnderWay, type SessionSummary } from "../../../core/summary.ts";
import { BoundedMap } from "../../bounded-map.ts";
import { checkEngineOf, engineOfNew, type Wanted } from "../../engine-choice.ts";
import type { Sink } from "../../feed.ts";
import { notification } from "../../json-rpc.ts";
import { checkModel } from "../../models.ts";
import type { Views } from "../../views.ts";
import { Attachment } from "./attachment.ts";
import type { Node, Services } from "./services.ts";
import { VisibleSessions } from "./visible-sessions.ts";

interface DeskOptions {
  services: Services;
  /** Who is at the other end; without one it is the user, who may do everything. */
  caller?: Caller;
  sink: Sink;
  /** Sends what the log does not say. */
  send(json: string): void;
  onError(error: unknown): void;
}

/** What does the work of a session, or of a run. */
type Working = { engine: string; model?: string };

/** Each is a page in memory where the UI does not read. */
const MOST_WATCHED = 16;

/** The sessions that a UI has on its desk: the current one, and others of which it has not been told everything. */
export class Desk {
  readonly #options: DeskOptions;
  readonly visible: VisibleSessions;
  readonly #attachments = new Map<string, Attachment>();
  /** In which session an ask was put, and a run was started. */
  readonly #sessionOfAsk = new BoundedMap<string>();
  readonly #sessionOfRun = new BoundedMap<string>();
  /** What the UI can. It counts from the next run on: in another profile the events of a run have other numbers. */
  profile: Record<string, unknown> = {};
  #current: string | undefined;
  /** The UI answers nothing any more, and then: nor is it told anything. */
  #detached = false;
  #closed = false;
  readonly #turns = new Gate(1);
  readonly #attaching = new Gate(1);

  constructor(options: DeskOptions) {
    this.#options = options;
    this.visible = new VisibleSessions(options.services, options.caller);
  }

  node(): Promise<Node> {
    return this.#options.services.node();
  }

  /** One after the other, in the order in which they came: a second run finds the session that the first one made. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.pass(work);
  }

  /** The session that a call means. */
  async named(sessionId: string | undefined): Promise<string> {
    const id = sessionId || this.#current;
    if (id === undefined)
      throw new DragomanError("session_not_found", "There is no session yet. Name one, or start a run.");
    await this.visible.known(id);
    return id;
  }

  /** The session that a call means, if there is one. */
  async meant(sessionId: string | undefined): Promise<SessionSummary | undefined> {
    if (sessionId) return this.visible.known(sessionId);
    return this.#current === undefined ? undefined : (await this.node()).runtime.store.session(this.#current);
  }

  /** The session that a run is to be in: the one that is named, or the current one, or a new one; and what does the work of the run. */
  async take(
    sessionId: string | undefined,
    about: { fresh: boolean; by: Origin; usual: Working },
    wanted: Wanted,
  ): Promise<{ attachment: Attachment; working: Working }> {
    const { runtime } = await this.node();
    const id = sessionId || (about.fresh ? undefined : this.#current);
    await this.#leaveAllBut(this.#current, id);
    if (id === undefined) {
      const { workspace } = this.#options.services;
      const working = await engineOfNew({ runtime, ...about.usual }, wanted);
      return {
        attachment: await this.#attach(await runtime.create({ workspace, ...working, by: about.by }), 0),
        working,
      };
    }
    const { lastSeq, ...session } = await this.visible.known(id);
    checkEngineOf(session, wanted.engine, "engine.set");
    await checkModel(runtime, session.engine, wanted.model);
    // From before the run is asked for: whose process died in the middle of a run is told of its end then.
    const attachment = await this.#attach(await runtime.open(id), lastSeq);
    return { attachment, working: { engine: session.engine, model: wanted.model ?? session.model } };
  }

  /** A session that the UI looks at is followed when it is on the desk; with a run under way, wherever that is, it comes there. */
  async look(sessionId: string): Promise<Attachment | undefined> {
    const { runtime } = await this.node();
    const summary = await runtime.store.session(sessionId);
    const run = summary && runUnderWay(summary);
    if (!summary || (!this.#attachments.has(sessionId) && !run && summary.queued.length === 0)) return undefined;
    await this.#leaveAllBut(this.#current, sessionId);
    const attachment = await this.#attach(await runtime.open(sessionId), summary.lastSeq);
    if (run) attachment.runId = run.runId;
    attachment.leave = undefined;
    return attachment;
  }

  /** From now on the session stays on the desk: after that event of its log, or from its head on. */
  async watch(
    sessionId: string,
    after: number | undefined,
  ): Promise<{ attachment: Attachment; summary: SessionSummary }> {
    const summary = await this.visible.known(sessionId);
    const { lastSeq } = summary;
    if (after !== undefined && after > lastSeq) {
      const message = `The log has ${lastSeq} events, and after is ${after}. Leave it out to be told what happens from now on.`;
      throw new DragomanError("invalid_params", message, { last_seq: lastSeq });
    }
    this.#checkRoomToWatch(sessionId);
    await this.#leaveAllBut(this.#current, sessionId); // those that were closed meanwhile
    const { runtime } = await this.node();
    const attachment = await this.#attach(await runtime.open(sessionId), after ?? lastSeq);
    if (after !== undefined) attachment.restart(after);
    attachment.watched = true;
    attachment.leave = undefined;
    this.#current ??= sessionId;
    return { attachment, summary };
  }

  #checkRoomToWatch(sessionId: string): void {
    const watched = [...this.#attachments.values()].filter((one) => one.watched && one.session.id !== sessionId);
    if (watched.length < MOST_WATCHED) return;
    const message = `${MOST_WATCHED} sessions are watched already. Call session.unwatch for one of them first.`;
    throw new DragomanError("precondition_failed", message, { most: MOST_WATCHED });
  }

  /** False when it was not watched. What is told of a run that was started here goes on to its end, and no further. */
  unwatch(sessionId: string): boolean {
    const attachment = this.#attachments.get(sessionId);
    if (!attachment?.watched) return false;
    attachment.watched = false;
    const { runId, holds } = attachment;
    const isOwn = runId !== undefined && this.#sessionOfRun.get(runId) === sessionId;
    if (isOwn) attachment.leave = () => this.#leave(attachment);
    else if (holds === 0) this.#leave(attachment);
    return true;
  }

  #leave(attachment: Attachment): void {
    attachment.close();
    if (this.#attachments.get(attachment.session.id) === attachment) this.#attachments.delete(attachment.session.id);
  }

  /** The run that it was taken for was refused: unless it is there for something else too, it leaves the desk. */
  giveBack(attachment: Attachment): void {
    if (attachment.follows || attachment.watched || attachment.holds > 1) return;
    this.#leave(attachment);
  }

  /** A run was started: its session is the current one from now on. */
  started(runId: string, attachment: Attachment): void {
    this.#sessionOfRun.set(runId, attachment.session.id);
    attachment.leave = undefined;
    this.#current = attachment.session.id;
  }

  /** The session of a run that was started here, or lies in one of the sessions on the desk. */
  async sessionOfRun(runId: string): Promise<SessionHandle> {
    const { runtime } = await this.node();
    const known = this.#sessionOfRun.get(runId);
    for (const id of known ? [known] : this.#attachments.keys()) {
      if (known || (await hasRun(runtime.store, id, runId))) return runtime.open(id);
    }
    throw new DragomanError("run_not_found", `There is no run ${runId}.`);
  }

  async sessionOfAsk(askId: string): Promise<SessionHandle> {
    const id = this.#sessionOfAsk.get(askId);
    if (id === undefined) throw new DragomanError("ask_not_found", `There is no ask ${askId}.`);
    return (await this.node()).runtime.open(id);
  }

  /** To be called when something that was sent has left. */
  pump(): void {
    for (const attachment of this.#attachments.values()) attachment.pump();
  }

  /** The UI is gone: its sessions go on without it. */
  detach(): void {
    this.#detached = true;
    for (const attachment of this.#attachments.values()) attachment.detach();
  }

  close(): void {
    this.#closed = true;
    this.detach();
    for (const attachment of this.#attachments.values()) attachment.close();
    this.#attachments.clear();
  }

  /** Whether the UI was given everything of its sessions. */
  async caughtUp(): Promise<boolean> {
    for (const attachment of this.#attachments.values()) if (!(await this.#hasAll(attachment))) return false;
    return true;
  }

  /** Where the log cannot be written any more a run has no end in it, and the UI would wait for one forever. */
  async #tellBroken(attachment: Attachment, error: DragomanError): Promise<void> {
    const { runId } = attachment;
    if (runId === undefined) return;
    const { store } = (await this.node()).runtime;
    try {
      await attachment.told(await this.#endOf(attachment));
      if ((await endOfRun(store, attachment.session.id, runId)) !== undefined) return;
    } catch {} // who cannot write may not be able to read either
    if (attachment.runId !== runId) return; // it was refused, or this was told already
    attachment.runId = undefined;
    const ended = { run_id: runId, status: "error", message: error.message };
    this.#options.send(JSON.stringify(notification("run.status", ended)));
  }

  async #hasAll(attachment: Attachment): Promise<boolean> {
    return attachment.seen >= (await this.#endOf(attachment)) && !attachment.waits;
  }

  async #endOf({ session }: Attachment): Promise<number> {
    const { runtime } = await this.node();
    return (await runtime.store.session(session.id))?.lastSeq ?? 0;
  }

  /** Whether nothing happens in it, the UI was told everything, and no call is about it. */
  async #isAtRest(attachment: Attachment): Promise<boolean> {
    return attachment.holds === 0 && !(await attachment.session.busy()) && (await this.#hasAll(attachment));
  }

  /** One after the other, so that a session is never there twice. */
  #attach(session: SessionHandle, known: number): Promise<Attachment> {
    return this.#attaching.pass(async () => {
      const attached = this.#attachments.get(session.id);
      if (attached && (attached.profile === this.profile || !(await this.#isAtRest(attached)))) return attached;
      const after = attached?.seen ?? known;
      attached?.close();
      const attachment = this.#newAttachment(session, after, (await this.node()).views);
      attachment.watched = attached?.watched ?? false;
      if (this.#detached) attachment.detach();
      // A call may outlive the connection it came on: nobody would ever end what it follows.
      if (this.#closed) attachment.close();
      else this.#attachments.set(session.id, attachment);
      return attachment;
    });
  }

  #newAttachment(session: SessionHandle, after: number, views: Views): Attachment {
    const { sink, onError } = this.#options;
    const onAsk = (askId: string) => void this.#sessionOfAsk.set(askId, session.id);
    const onBroken = (error: DragomanError) => void this.#tellBroken(attachment, error);
    const { profile } = this;
    const { listeners } = this.#options.services;
    const attachment = new Attachment({ views, session, profile, listeners, after, sink, onAsk, onError, onBroken });
    return attachment;
  }

  async #leaveAllBut(...kept: (string | undefined)[]): Promise<void> {
    for (const [id, attachment] of this.#attachments) {
      if (kept.includes(id) || attachment.watched || !(await this.#isAtRest(attachment))) continue;
      this.#leave(attachment);
    }
  }
}

function runUnderWay(summary: SessionSummary): SessionSummary["run"] {
  return isUnderWay(summary) ? summary.run : undefined;
}
