import type * as z from "zod";
import type { calls, requests } from "../../dialects/sidecar/calls.ts";
import type { DataOf, Message } from "../../dialects/sidecar/messages.ts";

// The dialect's own tables, as types: a call cannot differ here from what the server takes.

type Calls = typeof calls;
export type Method = keyof Calls;
export type Params<M extends Method> = z.input<Calls[M]["params"]>;
export type Result<M extends Method> = z.output<Calls[M]["result"]>;

/** What a stream tells. `id` is what to go on after; a notice that belongs to no event of the log has none. */
export type SidecarEvent = Message & { id?: string };
export type EventName = Message["event"];
export type EventData<Name extends EventName> = DataOf<Name>;

type Requests = typeof requests;
export type ToolCall = z.output<Requests["tool-callback"]["params"]>;
export type ToolReply = z.input<Requests["tool-callback"]["result"]>;
