import { StudioClient, type StudioOptions } from "./client.ts";
import type { Connect } from "./link.ts";
import type { CommandTarget } from "./node-links.ts";
import { type StreamTarget, streamLink } from "./stream-link.ts";
import { StudioError } from "./studio-error.ts";
import { type WebSocketTarget, webSocketLink } from "./web-socket-link.ts";

export { type RequestOptions, StudioClient, type StudioEvents, type StudioOptions } from "./client.ts";
export type { Connect, Link, LinkEvents } from "./link.ts";
export type { CommandTarget } from "./node-links.ts";
export type * from "./protocol.ts";
export type { StreamTarget } from "./stream-link.ts";
export { type ClientErrorCode, StudioError } from "./studio-error.ts";
export type { WebSocketTarget } from "./web-socket-link.ts";

/** Where the server is: at an address, at the other end of two streams, or yet to be started. */
export type StudioTarget = WebSocketTarget | StreamTarget | CommandTarget;

/** Resolves when the server has said what it can. With no target it starts the package's own runtime. */
export async function connectStudio(options: StudioOptions, target: StudioTarget = {}): Promise<StudioClient> {
  const client = new StudioClient(await linkTo(target), options);
  try {
    await client.initialize();
    return client;
  } catch (error) {
    await client.close({ now: true });
    throw error;
  }
}

async function linkTo(target: StudioTarget): Promise<Connect> {
  try {
    if ("url" in target) return webSocketLink(target);
    if ("input" in target) return streamLink(target);
    const { commandLink } = await import("./node-links.ts");
    return commandLink(target);
  } catch (error) {
    throw new StudioError("invalid", `There is nothing to connect to: ${(error as Error).message}`);
  }
}
