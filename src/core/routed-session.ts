import type { DragomanError } from "./errors.ts";
import type { AskKind, Origin } from "./events.ts";
import type { RunRequest, Session } from "./session.ts";
import type { SessionCommand } from "./session-command.ts";
import type { SessionChange, SessionHandle } from "./session-handle.ts";
import type { Store } from "./store.ts";
import { isUnderWay, type RunStatus } from "./summary.ts";

/** What a runtime does for the sessions that it gives out. */
export interface Routes {
  readonly store: Store;
  newId(): string;
  /** Has the command done by whoever has the session. */
  command(sessionId: string, command: SessionCommand): Promise<unknown>;
  attach(sessionId: string, kinds: Iterable<AskKind>): () => void;
  /** The session, if this node has it. */
  owned(sessionId: string): Session | undefined;
  onBroken(sessionId: string, listener: (error: DragomanError) => void): () => void;
}

export class RoutedSession implements SessionHandle {
  readonly id: string;
  readonly #routes: Routes;

  constructor(id: string, routes: Routes) {
    this.id = id;
    this.#routes = routes;
  }

  prompt(request: RunRequest): Promise<{ runId: string; queued: boolean }> {
    // The id is chosen here, so that the same prompt posted twice is one run.
    const isNew = request.runId === undefined;
    const chosen = { ...request, runId: request.runId ?? this.#routes.newId() };
    return this.#do({ do: "prompt", request: chosen, isNew });
  }

  cancel(runId: string, reason: string, by?: Origin): Promise<{ accepted: boolean; status: RunStatus }> {
    return this.#do({ do: "cancel", runId, reason, by });
  }

  answer(askId: string, answer: unknown, by: Origin): Promise<void> {
    return this.#do({ do: "answer", askId, answer, by });
  }

  update(change: SessionChange): Promise<void> {
    return this.#do({ do: "update", change });
  }

  close(reason?: string): Promise<void> {
    return this.#do({ do: "close", reason });
  }

  attach(kinds: Iterable<AskKind>): () => void {
    return this.#routes.attach(this.id, kinds);
  }

  async busy(): Promise<boolean> {
    if (this.#routes.owned(this.id)?.busy) return true;
    const summary = await this.#routes.store.session(this.id);
    return summary !== undefined && (isUnderWay(summary) || summary.queued.length > 0);
  }

  async settled(): Promise<void> {
    await this.#routes.owned(this.id)?.settled();
  }

  onBroken(listener: (error: DragomanError) => void): () => void {
    return this.#routes.onBroken(this.id, listener);
  }

  /** What a command gives is what the session's method of that name does. */
  async #do<T>(command: SessionCommand): Promise<T> {
    return (await this.#routes.command(this.id, command)) as T;
  }
}
