import type * as z from "zod";
import type { calls, incoming } from "../../dialects/operations/calls.ts";
import type { ConnectionMessage } from "../../dialects/operations/connection.ts";

// The dialect's own tables, as types: a call cannot differ here from what the server takes.

type Calls = typeof calls;
export type CallName = Exclude<keyof Calls, "connect">;
export type CallParams<N extends CallName> = z.input<Calls[N]["params"]>;
export type CallResult<N extends CallName> = z.output<Calls[N]["result"]>;

/** A message of an operation. One whose `sequence` is negative is of the connection, and outside the order. */
export type OperationMessage = ConnectionMessage;
export type MessageType = OperationMessage["type"];
/** What is said over the socket. */
export type Said = z.input<typeof incoming>;

export type DocumentName = "spec" | "plan" | "task";
export type OperationKind = "clarify" | "analyze" | "plan";
type OperationParams = CallParams<"POST /features/{id}/clarify">;
/** Whether what is saved is pushed, whether documents are replaced unasked, the engine and the model. */
export type StartParams = { [K in "push" | "replace" | "model" | "engine"]?: OperationParams[K] };
export type SaveParams = { [K in "message" | "push"]?: CallParams<"PUT /features/{id}/spec">[K] };
export type FeatureParams = { [K in "title" | "content" | "push"]?: CallParams<"POST /features">[K] };
/**
 * As a person writes it (the letter, the id or the words of an option, or other words where the question says `allow_text`; yes or no; a
 * text), or as the question's kind has it.
 */
export type Answer = CallParams<"POST /operations/{id}/answer">["answer"];

export type SignedIn = Extract<CallResult<"POST /auth/verify">, { valid: true }>;
export type ListedFeature = CallResult<"GET /features">["features"][number];
export type Feature = CallResult<"GET /features/{id}">;
export type StoredDocument = CallResult<"GET /features/{id}/spec">;
export type SavedDocument = CallResult<"PUT /features/{id}/spec">;
export type StartedOperation = CallResult<"POST /features/{id}/clarify">;
export type Session = CallResult<"GET /sessions/{id}">;
/** Its title, engine and model. */
export type SessionParams = { [K in "title" | "engine" | "model"]?: CallParams<"POST /sessions">[K] };
export type ListedEngine = CallResult<"GET /engines">["engines"][number];
export type OfferedModels = CallResult<"GET /engines/{id}/models">;
export type Operation = CallResult<"GET /operations/{id}">;
export type OperationQuestion = Operation["questions"][number];
export type MessagePage = CallResult<"GET /operations/{id}/messages">;
export type Answered = CallResult<"POST /operations/{id}/answer">;
export type Cancelled = CallResult<"POST /operations/{id}/cancel">;
