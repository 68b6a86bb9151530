import type * as z from "zod";
import type { calls } from "../../dialects/studio/calls.ts";
import type { Message } from "../../dialects/studio/messages.ts";

// The dialect's own tables, as types: a call cannot differ here from what the server takes.

type Calls = typeof calls;
/** Those that are answered. */
export type Method = Exclude<keyof Calls, "exit">;
export type Params<M extends Method> = z.input<Calls[M]["params"]>;
export type Result<M extends Method> = z.output<Calls[M]["result"]>;

export type Capabilities = NonNullable<Params<"initialize">["capabilities"]>;
export type ServerInfo = Result<"initialize">;
export type Context = NonNullable<Params<"chat">["context"]>;
export type Answer = Params<"ask/answer">["answer"];
export type ListedSession = Result<"session/watch">;

type Told = Extract<Message, { method: string }>;
/** What the server tells without being asked, by the name of the notification. */
export type Notifications = { [M in Told["method"]]: Extract<Told, { method: M }>["params"] };
export type Chunk = Notifications["stream/chunk"];
export type OpenedAsk = Notifications["ask/opened"];
