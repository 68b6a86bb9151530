import { LinkedUiClient } from "./client.ts";
import type { ClientOptions } from "./client-options.ts";
import { type SpawnOptions, spawned } from "./spawn.ts";

export type { AskContext, AskHandlers } from "./asks.ts";
export { LinkedUiClient } from "./client.ts";
export type { CallOptions, SearchOptions } from "./client-calls.ts";
export type { ClientOptions, RunInput, Timeouts } from "./client-options.ts";
export type { Strays } from "./connection.ts";
export type { History } from "./history-reader.ts";
export type { Connect, Link, LinkEvents } from "./link.ts";
export type { ClientEvents } from "./news.ts";
export type * from "./protocol.ts";
export type { RunHandle, RunOutcome } from "./runs.ts";
export type { Gap } from "./seq-check.ts";
export type { SpawnOptions } from "./spawn.ts";
export type { RestartOptions, State, StateChange } from "./supervisor.ts";
export { type ClientErrorCode, UiError } from "./ui-error.ts";

/** The UI side of the `ui` protocol, with a runtime that it starts, keeps alive and ends. */
export class UiClient extends LinkedUiClient {
  constructor(options: ClientOptions & SpawnOptions) {
    super({ ...options, connect: spawned(options) });
  }

  /** Resolves when the runtime is up and has said what it can do. */
  static async spawn(options: ClientOptions & SpawnOptions): Promise<UiClient> {
    const client = new UiClient(options);
    await client.start();
    return client;
  }
}
