import { DragomanError } from "../../../core/errors.ts";
import type { Origin } from "../../../core/events.ts";
import { Gate } from "../../../core/gate.ts";
import { hasRun } from "../../../core/landmarks.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import { BoundedMap } from "../../bounded-map.ts";
import { checkEngineOf, engineOfNew, type Wanted } from "../../engine-choice.ts";
import { checkModel } from "../../models.ts";
import type { FollowedSession } from "./followed-session.ts";
import type { FollowedSessions } from "./followed-sessions.ts";
import type { Node, Services } from "./services.ts";
import type { VisibleSessions } from "./visible-sessions.ts";

interface ConnectionSessionsOptions {
  services: Services;
  visible: VisibleSessions;
  followed: FollowedSessions;
}

/** Which session a call means, as its `context` says it, and what is to do the work. */
export interface Where extends Wanted {
  sessionId?: string;
  tabId?: string;
}

/** The sessions of one connection: its own, one for each tab, and those that it watches. */
export class ConnectionSessions {
  readonly #services: Services;
  readonly #visible: VisibleSessions;
  readonly #followed: FollowedSessions;
  readonly #tabs = new BoundedMap<string>();
  readonly #turns = new Gate(1);
  /** Of this connection; of one that came with an address, the one that it names and no other. */
  #own: string | undefined;
  #given: Promise<string> | undefined;

  constructor({ services, visible, followed }: ConnectionSessionsOptions) {
    this.#services = services;
    this.#visible = visible;
    this.#followed = followed;
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
    return this.#services.node();
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

  /** The session that a request is to be in, followed from before it: the one that is named, or the tab's, or the connection's. */
  async take({ sessionId, tabId, ...wanted }: Where, by: Origin): Promise<FollowedSession> {
    if (sessionId !== undefined) {
      const summary = await this.#visible.known(sessionId);
      await this.#checkWorking(summary, wanted);
      if (tabId !== undefined) this.#tabs.set(tabId, sessionId);
      return this.#followed.follow(sessionId, summary.lastSeq);
    }
    const known = this.idOf({ tabId });
    if (known !== undefined) {
      const given = tabId === undefined && this.#given !== undefined;
      const summary = given ? await this.#visible.known(known) : await (await this.node()).runtime.store.session(known);
      if (summary && (given || !summary.closed)) {
        await this.#checkWorking(summary, wanted);
        return this.#followed.follow(known, summary.lastSeq);
      }
    }
    const session = await this.#create(wanted, by);
    if (tabId === undefined) this.#own = session.id;
    else this.#tabs.set(tabId, session.id);
    return this.#followed.follow(session.id, 0);
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
      if (this.#followed.isAwaited(already)) {
        const message =
          "A request is under way in this session, and is told here. Wait for it, or use a connection more.";
        throw new DragomanError("conflict", message);
      }
      this.#followed.leave(already);
    }
    const followed = await this.#followed.follow(sessionId, after ?? lastSeq);
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
    if (!this.#followed.isAwaited(followed)) this.#followed.leave(followed);
    return true;
  }

  /** A request for which it was taken was refused. */
  giveBack(followed: FollowedSession): void {
    if (!followed.watched && !this.#followed.isAwaited(followed) && !followed.hadRequests)
      this.#followed.leave(followed);
  }

  /** A session that need not be followed. */
  async open(sessionId: string): Promise<SessionHandle> {
    await this.#visible.known(sessionId);
    return (await this.node()).runtime.open(sessionId);
  }

  async withRun(runId: string): Promise<SessionHandle> {
    const { store } = (await this.node()).runtime;
    for (const session of this.#followed.handles()) if (await hasRun(store, session.id, runId)) return session;
    const message = `There is no run ${runId} in the sessions that are followed here. Name its sessionId.`;
    throw new DragomanError("run_not_found", message);
  }

  async #create(wanted: Wanted, by: Origin): Promise<SessionHandle> {
    const node = await this.node();
    const working = await engineOfNew(node, wanted);
    return node.runtime.create({ workspace: this.#services.workspace, ...working, by });
  }

  async #checkWorking(summary: SessionSummary, { engine, model }: Wanted): Promise<void> {
    checkEngineOf(summary, engine, "session/update");
    await checkModel((await this.node()).runtime, summary.engine, model);
  }
}

/** A number that is none is no reason to refuse the session. */
function refusedIfMissing(error: unknown): void {
  if (error instanceof DragomanError && error.code === "session_not_found") throw error;
}
