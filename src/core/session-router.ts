import type { Attachments } from "./attachments.ts";
import type { Clock } from "./clock.ts";
import { DragomanError } from "./errors.ts";
import { hasRun } from "./landmarks.ts";
import type { Letter } from "./mailbox.ts";
import type { Owner } from "./nodes.ts";
import type { OwnedSessions } from "./owned-sessions.ts";
import { Moved, type PostOffice } from "./post-office.ts";
import type { Session } from "./session.ts";
import { acceptedRun, perform, type SessionCommand } from "./session-command.ts";
import type { Store } from "./store.ts";

/** How long a command follows a session that goes from one node to another. */
const MOST_TRIES = 50;
const CHASE_MS = 100;

interface RouterOptions {
  store: Store;
  clock: Clock;
  sessions: OwnedSessions;
  attachments: Attachments;
  post: PostOffice;
  /** The session, when this node has it or can have it. */
  own(sessionId: string): Promise<Session | undefined>;
}

/** Brings a command to whoever has the session, and has it if nobody does. */
export class SessionRouter {
  readonly #options: RouterOptions;

  constructor(options: RouterOptions) {
    this.#options = options;
  }

  async command(sessionId: string, command: SessionCommand): Promise<unknown> {
    const { store, clock, sessions, own } = this.#options;
    let again = false;
    for (let tries = 1; ; tries++) {
      try {
        const session = await own(sessionId);
        if (!session) return await this.#postTo(sessionId, command, again);
        if (session.broken) throw session.broken;
        // It may have been given back between these two lines.
        if (sessions.get(sessionId) === session) return await perform(session, command, store, again);
      } catch (error) {
        if (!isOnItsWay(error)) throw error;
        if (tries >= MOST_TRIES) throw unreachable();
        again ||= !(error instanceof Moved) || error.taken;
        if (tries > 1) await new Promise<void>((resolve) => clock.after(CHASE_MS, resolve));
      }
    }
  }

  /** Does what another node wants of a session that this one has, or had. */
  async deliver({ sessionId, epoch }: Letter, command: SessionCommand, again: boolean): Promise<unknown> {
    const { store, sessions } = this.#options;
    const session = await sessions.awaited(sessionId);
    if (session?.fence.epoch === epoch && sessions.get(sessionId) === session) {
      return perform(session, command, store, again);
    }
    await store.release({ sessionId, epoch }); // should it be thought to be ours still
    throw new DragomanError("stale_owner", "the session has another owner");
  }

  async #postTo(sessionId: string, command: SessionCommand, again: boolean): Promise<unknown> {
    const { store, attachments } = this.#options;
    const owner = await store.nodes.owner(sessionId);
    if (!owner) throw new Moved(false); // given back just now
    await attachments.tell(sessionId); // the owner may ask at once
    try {
      return await this.#send(owner, command, again);
    } catch (error) {
      // It was too slow to say so, but did it.
      if (!(error instanceof DragomanError) || error.code !== "owner_unreachable" || command.do !== "prompt")
        throw error;
      const { runId } = command.request;
      if (!(await hasRun(store, sessionId, runId))) throw error;
      return acceptedRun(store, sessionId, runId);
    }
  }

  #send(owner: Owner, command: SessionCommand, again: boolean): Promise<unknown> {
    const { store, post, own } = this.#options;
    const { sessionId } = owner;
    return post.send(owner, command, again, async () => {
      const now = await store.nodes.owner(sessionId);
      if (now?.epoch !== owner.epoch || now.node !== owner.node) return true;
      return now.state !== "alive" && (await own(sessionId)) !== undefined;
    });
  }
}

const unreachable = () =>
  new DragomanError("owner_unreachable", "The session goes from one process to another. Try again in some seconds.");

/** The session is about to be, or just came to be, another node's. */
function isOnItsWay(error: unknown): boolean {
  return error instanceof Moved || (error instanceof DragomanError && error.code === "stale_owner");
}
