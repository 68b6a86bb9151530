import { commandKind, serverKind, targetKind } from "../target-kind.ts";
import { type WebSocketTarget, webSocketLink } from "../ui/web-socket-link.ts";
import { StudioClient, type StudioOptions } from "./client.ts";
import type { Connect } from "./link.ts";
import type { CommandTarget } from "./node-links.ts";
import type { ServerInfo } from "./protocol.ts";
import { type StreamTarget, streamLink } from "./stream-link.ts";
import { StudioError } from "./studio-error.ts";

export type { LinkEnd } from "../link-end.ts";
export type { WebSocketTarget } from "../ui/web-socket-link.ts";
export type { EnvironmentOptions } from "./allowed-environment.ts";
export { StudioClient, type StudioEvents, type StudioOptions } from "./client.ts";
export type { DebugEntry } from "./debug-log.ts";
export { type HostEvents, type HostRequestOptions, type HostSettings, type HostTarget, StudioHost } from "./host.ts";
export type { HostState, StateChange } from "./host-states.ts";
export type { Connect, Link, LinkEvents } from "./link.ts";
export type { CommandTarget, HostCommand } from "./node-links.ts";
export type * from "./protocol.ts";
export type { Restart } from "./restarts.ts";
export type { Retry } from "./retried.ts";
export type { RetryPolicy, RetryTable } from "./retry-table.ts";
export type { StreamTarget } from "./stream-link.ts";
export type { RequestOptions } from "./studio-calls.ts";
export { type ClientErrorCode, StudioError } from "./studio-error.ts";

/** Where the server is: at an address, at the other end of two streams, or yet to be started. */
export type StudioTarget = WebSocketTarget | StreamTarget | CommandTarget;

const kinds = { url: serverKind, input: { needs: ["output"] }, command: commandKind } as const;

/** A client whose server has said what it can. */
export interface ConnectedStudioClient extends StudioClient {
  readonly server: ServerInfo;
}

/** Resolves when the server has said what it can. With no target it starts the package's own runtime. */
export async function connectStudio(options: StudioOptions, target: StudioTarget = {}): Promise<ConnectedStudioClient> {
  const client = new StudioClient(await linkTo(target), options);
  try {
    await client.initialize();
    return client as ConnectedStudioClient;
  } catch (error) {
    await client.close({ now: true });
    throw error;
  }
}

async function linkTo(target: StudioTarget): Promise<Connect> {
  try {
    targetKind(target, kinds);
    if ("url" in target) return webSocketLink(target, "/studio");
    if ("input" in target) return streamLink(target);
    const { commandLink } = await import("./node-links.ts");
    return commandLink(target);
  } catch (error) {
    throw new StudioError("invalid", `There is nothing to connect to: ${(error as Error).message}`);
  }
}
