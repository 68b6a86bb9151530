import { DragomanError } from "../../../core/errors.ts";
import type { Origin } from "../../../core/events.ts";
import { Gate } from "../../../core/gate.ts";
import { hasRun } from "../../../core/landmarks.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import { BoundedMap } from "../../bounded-map.ts";
import { checkEngineOf, engineOfNew, type Wanted } from "../../engine-choice.ts";
import type { Sink } from "../../feed.ts";
import { checkModel } from "../../models.ts";
import { FollowedSession, type Manner } from "./followed-session.ts";
import type { OpenRequests } from "./open-requests.ts";
import type { Node, Services } from "./services.ts";
import type { VisibleSessions } from "./visible-sessions.ts";

/** So many sessions are followed on one connection. */
const MOST_FOLLOWED = 32;

interface ConnectionSessionsOptions {
  services: Services;
  visible: VisibleSessions;
  requests: OpenRequests;
  manner: Manner;
  sink: Sink;
  /** The log of a session cannot be read or written any more: whoever waits for something in it waits in vain. */
  onLost(session: FollowedSession, error: unknown): void;
}

/** Which session a call means, as its `context` says it, and what is to do the work. */
export interface Where extends Wanted {
  sessionId?: string;
  tabId?: string;
}

/** The sessions of one connection: its own, one for each tab, and those that it watches. */
export class ConnectionSessions {
  readonly #options: ConnectionSessionsOptions;
  readonly #visible: VisibleSessions;
  /** The oldest first. */
  readonly #followed = new Map<string, FollowedSession>();
  readonly #tabs = new BoundedMap<string>();
  readonly #turns = new Gate(1);
  /** Of this connection; of one that came with an address, the one that it names and no other. */
  #own: string | undefined;
  #given: Promise<string> | undefined;
  #manner: Manner;
  #detached = false;
  #closed = false;

  constructor(options: ConnectionSessionsOptions) {
    this.#options = options;
    this.#manner = options.manner;
    this.#visible = options.visible;
  }

  /** The session that is meant; nothing where it is not made yet. */
  idOf({ sessionId, tabId }: Where): string | undefined {
    return sessionId ?? (tabId === undefined ? this.#own : this.#tabs.get(tabId));
  }

  /** One after the other, in the order in which they came: a second call finds the session that the first one made. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.pass(work);
  }

  node(): Promise<Node> {
    return this.#options.services.node();
  }

  /** The session that the connection was made for. Rejects where there is none such. */
  get given(): Promise<string> | undefined {
    return this.#given;
  }

  /** The connection was made for this session, and follows it. */
  async beginWith(sessionId: string, after?: number): Promise<void> {
    this.#own = sessionId;
    const watched = this.inTurn(async () => (await this.watch(sessionId, after)).followed.follow());
    this.#given = watched.catch(refusedIfMissing).then(() => sessionId);
    this.#given.catch(() => {}); // told to whoever asks for it, and by what follows
    await watched;
  }

  /** How the host is told from now on. Where a request is under way it counts from the next one on. */
  async become(manner: Manner): Promise<void> {
    this.#manner = manner;
    for (const followed of [...this.#followed.values()]) await this.#renewed(followed);
  }

  /** The session that a request is to be in, followed from before it: the one that is named, or the tab's, or the connection's. */
  async take({ sessionId, tabId, ...wanted }: Where, by: Origin): Promise<FollowedSession> {
    if (sessionId !== undefined) {
      const summary = await this.#visible.known(sessionId);
      await this.#checkWorking(summary, wanted);
      if (tabId !== undefined) this.#tabs.set(tabId, sessionId);
      return this.#follow(sessionId, summary.lastSeq);
    }
    const known = this.idOf({ tabId });
    if (known !== undefined) {
      const given = tabId === undefined && this.#given !== undefined;
      const summary = given ? await this.#visible.known(known) : await (await this.node()).runtime.store.session(known);
      if (summary && (given || !summary.closed)) {
        await this.#checkWorking(summary, wanted);
        return this.#follow(known, summary.lastSeq);
      }
    }
    const session = await this.#create(wanted, by);
    if (tabId === undefined) this.#own = session.id;
    else this.#tabs.set(tabId, session.id);
    return this.#follow(session.id, 0);
  }

  /** Follows it from `after` on, or from now on. With an `after` it is read again, unless something is under way. */
  async watch(sessionId: string, after?: number): Promise<{ followed: FollowedSession; summary: SessionSummary }> {
    const summary = await this.#visible.known(sessionId);
    const { lastSeq } = summary;
    if (after !== undefined && !(after <= lastSeq)) {
      const message = `after is a number of the session's log, which ends at ${lastSeq}: give one from 0 to that.`;
      throw new DragomanError("invalid_params", message, { lastSeq });
    }
    const already = this.#followed.get(sessionId);
    if (already && after !== undefined) {
      if (this.#isAwaited(already)) {
        const message =
          "A request is under way in this session, and is told here. Wait for it, or use a connection more.";
        throw new DragomanError("conflict", message);
      }
      this.#leave(already);
    }
    const followed = await this.#follow(sessionId, after ?? lastSeq);
    followed.watched = true;
    return { followed, summary };
  }

  /** One that is watched is told from now on. */
  followIfThere(sessionId: string): void {
    this.#followed.get(sessionId)?.follow();
  }

  unwatch(sessionId: string): boolean {
    const followed = this.#followed.get(sessionId);
    if (!followed?.watched) return false;
    followed.watched = false;
    if (!this.#isAwaited(followed)) this.#leave(followed);
    return true;
  }

  /** A request for which it was taken was refused. */
  giveBack(followed: FollowedSession): void {
    if (!followed.watched && !this.#isAwaited(followed) && !followed.hadRequests) this.#leave(followed);
  }

  /** A session that need not be followed. */
  async open(sessionId: string): Promise<SessionHandle> {
    await this.#visible.known(sessionId);
    return (await this.node()).runtime.open(sessionId);
  }

  /** Of all that are followed. */
  handles(): SessionHandle[] {
    return [...this.#followed.values()].map(({ session }) => session);
  }

  async withRun(runId: string): Promise<SessionHandle> {
    const { store } = (await this.node()).runtime;
    for (const session of this.handles()) if (await hasRun(store, session.id, runId)) return session;
    const message = `There is no run ${runId} in the sessions that are followed here. Name its sessionId.`;
    throw new DragomanError("run_not_found", message);
  }

  /** To be called when something that was sent has left. */
  pump(): void {
    for (const followed of this.#followed.values()) followed.pump();
  }

  detach(): void {
    this.#detached = true;
    for (const followed of this.#followed.values()) followed.detach();
  }

  close(): void {
    this.#closed = true;
    for (const followed of this.#followed.values()) followed.close();
    this.#followed.clear();
  }

  /** Whether the host was given everything of its sessions. */
  async caughtUp(): Promise<boolean> {
    for (const followed of this.#followed.values()) if (!(await this.#hasAll(followed))) return false;
    return true;
  }

  async #create(wanted: Wanted, by: Origin): Promise<SessionHandle> {
    const node = await this.node();
    const working = await engineOfNew(node, wanted);
    return node.runtime.create({ workspace: this.#options.services.workspace, ...working, by });
  }

  async #checkWorking(summary: SessionSummary, { engine, model }: Wanted): Promise<void> {
    checkEngineOf(summary, engine, "session/update");
    await checkModel((await this.node()).runtime, summary.engine, model);
  }

  async #follow(sessionId: string, after: number): Promise<FollowedSession> {
    const already = this.#followed.get(sessionId);
    if (already) return this.#renewed(already);
    await this.#makeRoom();
    const { runtime } = await this.node();
    return this.#newFollowed(await runtime.open(sessionId), after);
  }

  /** In the manner that holds now, if nothing is under way that began in another one. */
  async #renewed(followed: FollowedSession): Promise<FollowedSession> {
    const same = JSON.stringify(followed.manner) === JSON.stringify(this.#manner);
    if (same || this.#isAwaited(followed)) return followed;
    const { seen, watched, follows } = followed;
    this.#leave(followed);
    const renewed = await this.#newFollowed(followed.session, seen);
    renewed.watched = watched;
    renewed.hadRequests = followed.hadRequests;
    if (follows) renewed.follow();
    return renewed;
  }

  async #newFollowed(session: SessionHandle, after: number): Promise<FollowedSession> {
    const { requests, sink, onLost } = this.#options;
    const { views } = await this.node();
    const lost = (error: unknown) => {
      this.#leave(followed);
      onLost(followed, error);
    };
    const followed: FollowedSession = new FollowedSession({
      views,
      session,
      manner: this.#manner,
      listeners: this.#options.services.listeners,
      after,
      requests,
      sink,
      onLost: lost,
      onBroken: (error) => void this.#toldAll(followed).then(() => onLost(followed, error)),
    });
    if (this.#detached) followed.detach();
    // A call may outlive the connection it came on: nobody would ever end what it follows.
    if (this.#closed) followed.close();
    else this.#followed.set(session.id, followed);
    return followed;
  }

  /** One that nobody asked to watch, and in which nothing of this host is under way, makes room for another. */
  async #makeRoom(): Promise<void> {
    if (this.#followed.size < MOST_FOLLOWED) return;
    const idle = [...this.#followed.values()].find((one) => !one.watched && !this.#isAwaited(one));
    if (!idle) {
      const message = `${MOST_FOLLOWED} sessions are followed on this connection. Call session/unwatch, or use another connection.`;
      throw new DragomanError("queue_full", message);
    }
    this.#leave(idle);
  }

  #isAwaited({ stamp }: FollowedSession): boolean {
    return this.#options.requests.under(stamp).length > 0;
  }

  #leave(followed: FollowedSession): void {
    followed.close();
    const { id } = followed.session;
    if (this.#followed.get(id) === followed) this.#followed.delete(id);
  }

  /** Resolves when the host was told what the log has, or cannot be. */
  async #toldAll(followed: FollowedSession): Promise<void> {
    try {
      while (!this.#closed && !(await this.#hasAll(followed))) await new Promise((resolve) => setTimeout(resolve, 5));
    } catch {} // who cannot write may not be able to read either
  }

  async #hasAll({ session, seen }: FollowedSession): Promise<boolean> {
    const { lastSeq = 0 } = (await (await this.node()).runtime.store.session(session.id)) ?? {};
    return seen >= lastSeq;
  }
}

/** A number that is none is no reason to refuse the session. */
function refusedIfMissing(error: unknown): void {
  if (error instanceof DragomanError && error.code === "session_not_found") throw error;
}
