import type { Session } from "./session.ts";

/** The sessions that this node has, and those that it is about to have. */
export class OwnedSessions {
  readonly #opening = new Map<string, Promise<Session | undefined>>();
  readonly #open = new Map<string, Session>();

  get(sessionId: string): Session | undefined {
    return this.#open.get(sessionId);
  }

  /** Also one that is being opened. */
  awaited(sessionId: string): Promise<Session | undefined> | undefined {
    return this.#opening.get(sessionId);
  }

  all(): Session[] {
    return [...this.#open.values()];
  }

  /** Resolves when nothing is being opened any more. */
  async opened(): Promise<void> {
    await Promise.allSettled(this.#opening.values());
  }

  /** Whoever asks meanwhile gets the same one. Where it comes to nothing, the next one may try again. */
  add(sessionId: string, opening: Promise<Session | undefined>): Promise<Session | undefined> {
    this.#opening.set(sessionId, opening);
    opening.then(
      (session) => {
        if (session && !session.broken) this.#open.set(sessionId, session);
        else this.#forget(sessionId, undefined);
      },
      () => this.#forget(sessionId, undefined),
    );
    return opening;
  }

  remove(session: Session): void {
    this.#forget(session.id, session);
  }

  /** Another opening of the same session may have taken its place meanwhile, and stays. */
  #forget(sessionId: string, session: Session | undefined): void {
    if (this.#open.get(sessionId) !== session) return;
    this.#opening.delete(sessionId);
    this.#open.delete(sessionId);
  }
}
