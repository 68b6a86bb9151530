import { clientClock } from "../operations/client-clock.ts";
import { commandKind, serverKind, targetKind } from "../target-kind.ts";
import type { Connect } from "./link.ts";
import { LiveClient, type LiveOptions } from "./live-client.ts";
import { LiveError } from "./live-error.ts";
import type { CommandTarget, PortTarget, SocketTarget } from "./node-links.ts";
import { type WebSocketTarget, webSocketLink } from "./web-socket-link.ts";

/** A link of one's own. */
export interface LinkTarget {
  connect: Connect;
}

/** Where the server is: at an address, a socket or a port, or yet to be started. */
export type LiveTarget = WebSocketTarget | SocketTarget | PortTarget | CommandTarget | LinkTarget;

const kinds = {
  url: serverKind,
  socketPath: { onlyInNode: true },
  port: { needs: ["token"], takes: ["host"], onlyInNode: true },
  connect: {},
  command: commandKind,
} as const;

/** A runtime that does not come up five times in a row will not. */
const ofCommand = { mostAttempts: 5, healthyAfterMs: 60_000 };

/** Resolves when the server has answered. Without a target it starts the package's own runtime. */
export async function connectLive(target: LiveTarget = {}, options: LiveOptions = {}): Promise<LiveClient> {
  const { connect, isCommand } = await linkTo(target);
  const { reconnect = {}, clock = clientClock } = options;
  const client = new LiveClient({
    ...options,
    clock,
    reconnect: isCommand && reconnect ? { ...ofCommand, ...reconnect } : reconnect,
    connect,
  });
  await client.start();
  return client;
}

async function linkTo(target: LiveTarget): Promise<{ connect: Connect; isCommand: boolean }> {
  try {
    const isCommand = targetKind(target, kinds) === "command";
    if ("connect" in target) return { connect: target.connect, isCommand };
    if ("url" in target) return { connect: webSocketLink(target), isCommand };
    const { nodeLink } = await import("./node-links.ts");
    return { connect: nodeLink(target), isCommand };
  } catch (error) {
    throw new LiveError("INVALID", `There is nothing to connect to: ${(error as Error).message}`);
  }
}
