import type { OperationsError } from "./operations-error.ts";
import type { OperationMessage } from "./protocol.ts";

export type StreamState =
  | "connecting"
  | "open"
  /** The connection is gone; it is tried again. */
  | "reconnecting"
  /** Whoever takes the messages is far behind: there is no connection until he has caught up. */
  | "paused"
  | "closed";

export interface StateChange {
  state: StreamState;
  /** Of `reconnecting`: the attempt that comes, from 1, and in how long. */
  attempt?: number;
  inMs?: number;
  /** Why, where something went wrong. */
  error?: OperationsError;
}

export interface StreamEvents {
  /** In order, each once. */
  message: OperationMessage;
  /** A word of the connection's: its `sequence` is negative, and it has no place in the order. */
  system: OperationMessage;
  state: StateChange;
  /** The sequence numbers of thinking that the server left out because this side was too slow. */
  dropped: number[];
  /** A listener threw this. */
  fault: unknown;
}
