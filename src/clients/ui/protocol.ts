import type * as z from "zod";
import type { calls, requests } from "../../dialects/ui/calls.ts";
import type { AgentEvent, Message } from "../../dialects/ui/messages.ts";

// The dialect's own tables, as types: a call cannot differ here from what the runtime takes.

type Calls = typeof calls;
export type Method = keyof Calls;
export type Params<M extends Method> = z.input<Calls[M]["params"]>;
export type Result<M extends Method> = z.output<Calls[M]["result"]>;

export type UiContext = Params<"ui.context.update">;
export type UiCapabilities = NonNullable<Params<"initialize">["ui_capabilities"]>;
export type ServerCapabilities = NonNullable<Result<"initialize">["server_capabilities"]>;

type Requests = typeof requests;
export type RequestMethod = keyof Requests;
export type RequestParams<M extends RequestMethod> = z.output<Requests[M]["params"]>;
export type RequestResult<M extends RequestMethod> = z.input<Requests[M]["result"]>;

export type { AgentEvent };

export type NotificationParams<M extends Message["method"]> = Extract<Message, { method: M }>["params"];
export type AgentEventNotify = NotificationParams<"agent.event">;
/** `code` is the client's own: the status of a run whose runtime is gone. */
export type RunStatusNotify = NotificationParams<"run.status"> & { code?: "connection_lost" };
export type RunStatus = RunStatusNotify["status"];

/** What is told of runs, by the name under which listeners hear of it. */
export interface Updates {
  event: AgentEventNotify;
  status: RunStatusNotify;
  context: NotificationParams<"run.context">;
  todos: NotificationParams<"todos.update">;
  artifact: NotificationParams<"artifact.created">;
  lost: NotificationParams<"run.lost">;
}
export type UpdateKind = keyof Updates;

/** One piece of news of a run, to be told apart by `type`. */
export type RunUpdate = { [K in UpdateKind]: { type: K } & Updates[K] }[UpdateKind];
