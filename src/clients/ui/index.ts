import { commandKind, serverKind, targetKind } from "../target-kind.ts";
import { LinkedUiClient } from "./client.ts";
import type { ClientOptions } from "./client-options.ts";
import type { Connect } from "./link.ts";
import { loadedLink } from "./loaded-link.ts";
import type { Result } from "./protocol.ts";
import { lastingRestart, type ServerOptions, splitTarget, type Watched } from "./server-options.ts";
import type { SpawnOptions } from "./spawn.ts";
import { UiError } from "./ui-error.ts";
import { webSocketLink } from "./web-socket-link.ts";

export type { LinkEnd } from "../link-end.ts";
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
export type { ServerOptions } from "./server-options.ts";
export type { SpawnOptions } from "./spawn.ts";
export type { RestartOptions, State, StateChange } from "./supervisor.ts";
export { type ClientErrorCode, UiError } from "./ui-error.ts";

type UiOptions = ClientOptions & (SpawnOptions | ServerOptions);

const ofEvery = ["client", "handlers", "capabilities", "timeouts", "restart", "onLog"];
const kinds = {
  url: { takes: [...serverKind.takes, "session", "after", ...ofEvery] },
  command: { ...commandKind, takes: [...commandKind.takes, ...ofEvery] },
};

/** The UI side of the `ui` protocol, with a runtime that it starts, keeps alive and ends, or with a server that is there. */
export class UiClient extends LinkedUiClient {
  #toWatch: Watched | undefined;

  constructor(options: UiOptions) {
    const { watched, ...linked } = linkFor(options);
    super({ ...options, ...linked });
    this.#toWatch = watched;
  }

  /** Resolves when the runtime is up and has said what it can do. */
  static spawn(options: ClientOptions & SpawnOptions): Promise<StartedUiClient> {
    return started(options);
  }

  /** Resolves when the server has said what it can do, and the session is watched if one is named. */
  static connect(options: ClientOptions & ServerOptions): Promise<StartedUiClient> {
    return started({ ...options, url: options.url }); // without an address a runtime would be started
  }

  override async start(): Promise<void> {
    await super.start();
    const watched = this.#toWatch;
    if (!watched) return;
    this.#toWatch = undefined;
    try {
      await this.watch(watched.sessionId, { after: watched.after });
    } catch (error) {
      this.#toWatch = watched;
      throw error;
    }
  }
}

/** A client whose runtime has said what it can do. */
export interface StartedUiClient extends UiClient {
  readonly server: Result<"initialize">;
}

async function started(options: UiOptions): Promise<StartedUiClient> {
  const client = new UiClient(options);
  try {
    await client.start();
    return client as StartedUiClient;
  } catch (error) {
    await client.close();
    throw error;
  }
}

function linkFor(options: UiOptions): { connect: Connect; restart?: ClientOptions["restart"]; watched?: Watched } {
  try {
    targetKind(options, kinds);
    if (!("url" in options)) return { connect: ofCommand(options), restart: options.restart };
    const { target, watched } = splitTarget(options);
    return { connect: webSocketLink(target), restart: lastingRestart(options.restart), watched };
  } catch (error) {
    throw new UiError("invalid", `There is nothing to connect to: ${(error as Error).message}`);
  }
}

function ofCommand(options: SpawnOptions): Connect {
  return loadedLink(async () => (await import("./spawn.ts")).spawned(options));
}
