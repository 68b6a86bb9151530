import { connect, type NetConnectOpts, type Socket } from "node:net";
import { NdjsonDecoder } from "../../transports/ndjson.ts";
import { type CommandTarget, commandFor, RuntimeChild } from "../runtime-child.ts";
import type { Connect, Link, LinkEvents } from "./link.ts";

// What a page cannot have, loaded only where it is asked for.

export type { CommandTarget } from "../runtime-child.ts";

const SOCKET_CLOSE_MS = 2000;

export interface SocketTarget {
  /** A Unix socket, or a named pipe. */
  socketPath: string;
}

export interface PortTarget {
  port: number;
  /** 127.0.0.1. */
  host?: string;
  token: string;
}

export type NodeTarget = SocketTarget | PortTarget | CommandTarget;

export function nodeLink(target: NodeTarget): Connect {
  if ("socketPath" in target) return (events) => new StreamLink({ path: target.socketPath }, target.socketPath, events);
  if (!("port" in target)) return commandLink(target);
  const { port, host = "127.0.0.1", token } = target;
  const auth = `${JSON.stringify({ type: "auth", data: { token } })}\n`;
  return (events) => new StreamLink({ port, host, noDelay: true }, `${host}:${port}`, events, auth);
}

/** Lines in, and what was wrong with one. */
function lineReader(events: LinkEvents): (chunk: Uint8Array) => void {
  const decoder = new NdjsonDecoder();
  return (chunk) => {
    for (const line of decoder.push(chunk)) {
      if (typeof line === "string") events.message(line);
      else events.unreadable(line.message);
    }
  };
}

class StreamLink implements Link {
  readonly #socket: Socket;
  readonly #gone: Promise<void>;

  constructor(address: NetConnectOpts, name: string, events: LinkEvents, first = "") {
    const read = lineReader(events);
    let trouble = "";
    this.#socket = connect(address);
    this.#gone = new Promise((resolve) => this.#socket.once("close", () => resolve()));
    this.#socket.on("connect", () => {
      if (first) this.#socket.write(first);
      events.opened();
    });
    this.#socket.on("data", read);
    this.#socket.on("end", () => this.#socket.end());
    this.#socket.on("error", (error) => (trouble = `: ${error.message}`));
    this.#socket.on("close", () => events.closed({ message: `The connection to ${name} is closed${trouble}` }));
  }

  get unsent(): number {
    return this.#socket.writableLength;
  }

  send(text: string): void {
    if (this.#socket.writable) this.#socket.write(`${text}\n`);
  }

  async close({ now = false }: { now?: boolean } = {}): Promise<void> {
    this.#socket.end();
    const timer = setTimeout(() => this.#socket.destroy(), now ? 0 : SOCKET_CLOSE_MS);
    await this.#gone;
    clearTimeout(timer);
  }
}

/** A runtime that is started for it, and that never outlives it. */
function commandLink(target: CommandTarget): Connect {
  const command = commandFor(target, "live");
  return (events) => {
    const child = new RuntimeChild(command, {
      opened: () => events.opened(),
      data: lineReader(events),
      log: (line) => events.log(line),
      closed: (message) => events.closed({ message }),
    });
    return {
      get unsent() {
        return child.unsent;
      },
      send: (text) => void child.write(`${text}\n`),
      close: (options) => child.close(options),
    };
  };
}
