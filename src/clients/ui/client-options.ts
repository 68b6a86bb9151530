import type { AskHandlers } from "./asks.ts";
import type { CallOptions } from "./client-calls.ts";
import type { Method, UiCapabilities, UiContext } from "./protocol.ts";
import type { RestartOptions } from "./supervisor.ts";

/** In milliseconds; `default` is for the methods that are not named. */
export type Timeouts = Partial<Record<Method | "default", number>>;

export interface ClientOptions {
  /** Who is speaking: the program that uses this library. */
  client: { name: string; version: string };
  handlers?: AskHandlers;
  /** What the user interface can show beside answering asks, which is derived from the handlers. */
  capabilities?: Omit<UiCapabilities, "supports_confirm" | "supports_prompt" | "supports_pick">;
  timeouts?: Timeouts;
  /** `false`: a runtime that ends stays down. `resume`: read again what was logged of sessions whose run was cut off. */
  restart?: false | (RestartOptions & { resume?: boolean });
  /** The same as a listener of `log`. */
  onLog?(line: string): void;
}

export interface RunInput extends CallOptions {
  text: string;
  /** The session to go on with; the connection's current one if it is left out, and a new one if there is none. */
  sessionId?: string;
  uiContext?: UiContext;
  meta?: Record<string, unknown>;
  /** Of the session that the run begins, if it begins one. */
  engine?: string;
  /** Of this run, and of the session if it begins one. */
  model?: string;
}
