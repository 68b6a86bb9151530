import type { DragomanError } from "./errors.ts";
import type { AskKind, ClientTools, Origin } from "./events.ts";
import type { RunRules } from "./rules.ts";
import type { RunRequest } from "./session.ts";
import type { RunStatus } from "./summary.ts";

export interface SessionChange {
  title?: string;
  model?: string;
  engine?: string;
  rules?: RunRules;
  clientTools?: ClientTools;
}

/**
 * A session as everyone uses it, whichever node has it. What is asked of it is done here when this node is the owner or can become
 * it, and otherwise by the owner, to which it is posted.
 */
export interface SessionHandle {
  readonly id: string;
  /** Starts a run, or puts it in the queue. Resolves when that is on disk. */
  prompt(request: RunRequest): Promise<{ runId: string; queued: boolean }>;
  /** `accepted` is false when the run had ended already. Resolves when the cancelling is on disk. */
  cancel(runId: string, reason: string, by?: Origin): Promise<{ accepted: boolean; status: RunStatus }>;
  /** The first valid answer wins, on whichever node it is given. Resolves when it is on disk. */
  answer(askId: string, answer: unknown, by: Origin): Promise<void>;
  update(change: SessionChange): Promise<void>;
  /** Ends the session for good: nothing runs in it any more. */
  close(reason?: string): Promise<void>;
  /**
   * Says that someone is here who can answer such asks, until the returned function is called; an open ask then stays open. While
   * someone is attached, a run whose owner is lost is brought to its end.
   */
  attach(kinds: Iterable<AskKind>): () => void;
  /** Whether a run is active or waiting, on whichever node. */
  busy(): Promise<boolean>;
  /** Resolves when no run is active and none is waiting at this node. */
  settled(): Promise<void>;
  /** Called when this node has the session and cannot write its log any more. */
  onBroken(listener: (error: DragomanError) => void): () => void;
}
