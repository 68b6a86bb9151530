import type * as z from "zod";
import type { calls } from "../../dialects/live/calls.ts";
import type { DataOf, Message, MessageType } from "../../dialects/live/messages.ts";
import type { SessionState } from "../../dialects/live/session-view.ts";

// The dialect's own tables, as types: a message cannot differ here from what the server takes.

type Calls = typeof calls;
/** What a client may send. */
export type SentType = keyof Calls;
export type SentData<T extends SentType> = z.input<Calls[T]["params"]>;

export type LiveMessage = Message;
export type { DataOf, MessageType, SessionState };

export type ListedSession = DataOf<"session_list">["sessions"][number];
export type ListedEngine = DataOf<"engine_list">["engines"][number];
export type OfferedModels = DataOf<"model_list">;
export type Confirmation = DataOf<"tool_call_confirmation">;
export type ToolResponse = DataOf<"tool_call_response">;
export type RunStatus = Extract<DataOf<"status_update">, { kind: "run" }>;

/** An envelope of ours. */
export interface Sent<T extends SentType = SentType> {
  type: T;
  session_id?: string;
  correlation_id?: string;
  ack_required?: true;
  data: SentData<T>;
}

/** A place in a session's log: after all messages of the event, or after the one with that `k`. */
export interface Cursor {
  seq: number;
  k?: number;
}
