import { PassThrough } from "node:stream";
import { afterEach } from "vitest";
import type { Engine } from "../core/engine.ts";
import type { Caller, Role } from "../core/roles.ts";
import { Runtime } from "../core/runtime.ts";
import type { Store } from "../core/store.ts";
import type { AnyTool } from "../core/tool.ts";
import type { Attached } from "../dialects/studio/server/index.ts";
import { Views } from "../dialects/views.ts";
import { memoryStore } from "../stores/memory.ts";
import { lineLink } from "../transports/line-link.ts";
import type { RpcConnection } from "../transports/rpc-connection.ts";
import { speakStudio } from "../transports/studio-connection.ts";
import { WireEnd } from "./wire-end.ts";

interface StudioNodeOptions {
  engines: Engine[];
  store?: Store;
  tools?: AnyTool[];
}

interface HostOptions {
  /** The roles of the caller's token; without any it is the user. */
  roles?: Role[];
  attach?: Attached;
  asks?: boolean;
  streaming?: boolean;
  /** Whether it says hello; it does. */
  greets?: boolean;
}

export interface Host {
  wire: WireEnd;
  connection: RpcConnection;
  exits: number;
  ended: boolean;
  /** Sends a request, and does not wait for its answer. */
  ask(id: string | number, method: string, params: unknown): void;
  /** The answer to it. */
  answer(id: string | number): Promise<unknown>;
}

/** Nodes that speak `studio` over streams in memory. Gone after the test. */
export function studioNodes(): (options: StudioNodeOptions) => StudioNode {
  const nodes: StudioNode[] = [];
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.end()));
  });
  return (options) => {
    const node = new StudioNode(options);
    nodes.push(node);
    return node;
  };
}

export class StudioNode {
  readonly runtime: Runtime;
  readonly store: Store;
  readonly faults: unknown[] = [];
  readonly #engine: string;
  readonly #views: Views;
  readonly #hosts: Host[] = [];

  constructor({ engines, store = memoryStore(), tools = [] }: StudioNodeOptions) {
    this.store = store;
    this.runtime = new Runtime({ store, engines, tools });
    this.#views = new Views(this.runtime.store);
    this.#engine = engines[0]?.name ?? "";
  }

  async open({ roles, attach, asks = true, streaming, greets = true }: HostOptions = {}): Promise<Host> {
    const { runtime, faults } = this;
    const [input, output] = [new PassThrough(), new PassThrough()];
    const caller: Caller | undefined = roles && { id: "t", name: roles.join("-"), roles };
    const node = { runtime, views: this.#views, engine: this.#engine };
    const services = {
      server: { name: "dragoman", version: "0.0.0" },
      workspace: "/w",
      node: async () => node,
      addresses: ({ sessionId }: { sessionId: string }) => ({ studio: `/studio?session=${sessionId}` }),
    };
    const wire = WireEnd.ofStreams(output, input);
    const about = {
      onEnd: () => {
        host.ended = true;
      },
      onExit: () => {
        host.exits++;
      },
      onFault: (error: unknown) => faults.push(error),
      onError: (error: unknown) => faults.push(error),
    };
    const open = { services, caller, attach, ...about };
    const connection = speakStudio(open, (events) => lineLink({ input, output }, events));
    const host: Host = {
      wire,
      connection,
      exits: 0,
      ended: false,
      ask: (id, method, params) => wire.send({ jsonrpc: "2.0", id, method, params }),
      answer: (id) => wire.message((m) => m.id === id && m.method === undefined, `the answer to ${id}`),
    };
    this.#hosts.push(host);
    if (greets) {
      await wire.result("initialize", {
        clientName: "host",
        clientVersion: "1",
        capabilities: { asks, streaming },
      });
    }
    return host;
  }

  async end(): Promise<void> {
    for (const { connection } of this.#hosts) connection.close();
    await this.runtime.stop(0);
  }
}
