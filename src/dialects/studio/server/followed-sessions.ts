import { DragomanError } from "../../../core/errors.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { Sink } from "../../feed.ts";
import { FollowedSession, type Manner } from "./followed-session.ts";
import type { OpenRequests } from "./open-requests.ts";
import type { Services } from "./services.ts";

/** So many sessions are followed on one connection. */
const MOST_FOLLOWED = 32;

interface FollowedSessionsOptions {
  services: Services;
  requests: OpenRequests;
  manner: Manner;
  sink: Sink;
  /** The log of a session cannot be read or written any more: whoever waits for something in it waits in vain. */
  onLost(session: FollowedSession, error: unknown): void;
}

/** What the host of one connection is told of, and how. */
export class FollowedSessions {
  readonly #options: FollowedSessionsOptions;
  /** The oldest first. */
  readonly #byId = new Map<string, FollowedSession>();
  #manner: Manner;
  #detached = false;
  #closed = false;

  constructor(options: FollowedSessionsOptions) {
    this.#options = options;
    this.#manner = options.manner;
  }

  get(sessionId: string): FollowedSession | undefined {
    return this.#byId.get(sessionId);
  }

  /** Of all of them. */
  handles(): SessionHandle[] {
    return [...this.#byId.values()].map(({ session }) => session);
  }

  /** How the host is told from now on. Where a request is under way it counts from the next one on. */
  async become(manner: Manner): Promise<void> {
    this.#manner = manner;
    for (const followed of [...this.#byId.values()]) await this.#renewed(followed);
  }

  /** One that is followed already goes on from where it is. */
  async follow(sessionId: string, after: number): Promise<FollowedSession> {
    const already = this.#byId.get(sessionId);
    if (already) return this.#renewed(already);
    this.#makeRoom();
    const { runtime } = await this.#options.services.node();
    return this.#newFollowed(await runtime.open(sessionId), after);
  }

  /** Whether a request of this host is under way in it. */
  isAwaited({ stamp }: FollowedSession): boolean {
    return this.#options.requests.under(stamp).length > 0;
  }

  leave(followed: FollowedSession): void {
    followed.close();
    const { id } = followed.session;
    if (this.#byId.get(id) === followed) this.#byId.delete(id);
  }

  /** To be called when something that was sent has left. */
  pump(): void {
    for (const followed of this.#byId.values()) followed.pump();
  }

  /** The host can answer nothing any more. */
  detach(): void {
    this.#detached = true;
    for (const followed of this.#byId.values()) followed.detach();
  }

  close(): void {
    this.#closed = true;
    for (const followed of this.#byId.values()) followed.close();
    this.#byId.clear();
  }

  /** Whether the host was given everything of its sessions. */
  async caughtUp(): Promise<boolean> {
    for (const followed of this.#byId.values()) if (followed.seen < (await this.#endOf(followed))) return false;
    return true;
  }

  /** In the manner that holds now, if nothing is under way that began in another one. */
  async #renewed(followed: FollowedSession): Promise<FollowedSession> {
    const same = JSON.stringify(followed.manner) === JSON.stringify(this.#manner);
    if (same || this.isAwaited(followed)) return followed;
    const { seen, watched, follows } = followed;
    this.leave(followed);
    const renewed = await this.#newFollowed(followed.session, seen);
    renewed.watched = watched;
    renewed.hadRequests = followed.hadRequests;
    if (follows) renewed.follow();
    return renewed;
  }

  async #newFollowed(session: SessionHandle, after: number): Promise<FollowedSession> {
    const { services, requests, sink } = this.#options;
    const { views } = await services.node();
    const followed: FollowedSession = new FollowedSession({
      views,
      session,
      manner: this.#manner,
      listeners: services.listeners,
      after,
      requests,
      sink,
      onLost: (error) => this.#lose(followed, error),
      onBroken: (error) => void this.#broken(followed, error),
    });
    if (this.#detached) followed.detach();
    // A call may outlive the connection it came on: nobody would ever end what it follows.
    if (this.#closed) followed.close();
    else this.#byId.set(session.id, followed);
    return followed;
  }

  /** One that nobody asked to watch, and in which nothing of this host is under way, makes room for another. */
  #makeRoom(): void {
    if (this.#byId.size < MOST_FOLLOWED) return;
    const idle = [...this.#byId.values()].find((one) => !one.watched && !this.isAwaited(one));
    if (!idle) {
      const message = `${MOST_FOLLOWED} sessions are followed on this connection. Call session/unwatch, or use another connection.`;
      throw new DragomanError("queue_full", message);
    }
    this.leave(idle);
  }

  #lose(followed: FollowedSession, error: unknown): void {
    followed.isLost = true;
    this.leave(followed);
    this.#options.onLost(followed, error);
  }

  /** What the log has is told first: a run may have its end in it. */
  async #broken(followed: FollowedSession, error: DragomanError): Promise<void> {
    const end = await this.#endOf(followed).catch(() => 0); // who cannot write may not be able to read either
    await followed.told(end);
    if (!followed.isLost) this.#options.onLost(followed, error);
  }

  async #endOf({ session }: FollowedSession): Promise<number> {
    const { runtime } = await this.#options.services.node();
    return (await runtime.store.session(session.id))?.lastSeq ?? 0;
  }
}
