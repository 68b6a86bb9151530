import type { Part } from "../answer.ts";
import type { ModelRequest } from "../conversation.ts";
import type { JsonObject } from "../json-values.ts";
import type { Usage } from "../usage.ts";

/** What a request's path asks for. */
export interface Asked {
  what: "answer" | "count";
  /** Where the path says it, and not the body. */
  model?: string;
  stream?: boolean;
}

/** An answer that is to be told. */
export interface Reply {
  id: string;
  request: ModelRequest;
  parts: Part[];
  usage: Usage;
  /** Seconds since 1970. */
  createdAt: number;
}

/** One moment of a stream: something is sent, or time passes, or the connection is gone. */
export type Beat =
  | { send: unknown; event?: string }
  | { waitMs: number }
  /** The usual pause behind a piece of a text. */
  | "pause"
  | "cut";

/** One provider's way to ask a model. It makes values of values; the server sends them. */
export interface Wire {
  /** For whoever asked for something else. */
  routes: string[];
  asked(path: string): Asked | undefined;
  read(body: JsonObject, asked: Asked): ModelRequest;
  /** The answer in one body. */
  whole(reply: Reply): unknown;
  /** The answer as it comes. */
  stream(reply: Reply): Iterable<Beat>;
  count?(tokens: number): unknown;
  failure(status: number, message: string): unknown;
}
