import { PassThrough } from "node:stream";
import type { Engine } from "../core/engine.ts";
import { DragomanError } from "../core/errors.ts";
import type { RuleBook } from "../core/rules.ts";
import { Runtime, type RuntimeOptions } from "../core/runtime.ts";
import type { Store } from "../core/store.ts";
import type { AnyTool } from "../core/tool.ts";
import type { Services } from "../dialects/ui/server/index.ts";
import { Views } from "../dialects/views.ts";
import { memoryStore } from "../stores/memory.ts";
import { connectUi } from "../transports/ui-connection.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a test reads off the wire is compared, not used
export type WireMessage = any;

const PATIENCE_MS = 20_000;

interface WireOptions {
  engines: Engine[];
  store?: Store;
  /** What the UI's views read from, such as one that is slow. */
  reading?(store: Store): Store;
  tools?: AnyTool[];
  ruleBook?: RuleBook;
  services?: Partial<Services>;
  workspace?: string;
  /** What the process is. */
  node?: Pick<RuntimeOptions, "title" | "identity" | "startsQueued">;
}

/** A UI's side of the `ui` dialect, over streams in memory: it sends lines and looks at what came back. */
export function uiWire({
  engines,
  store = memoryStore(),
  reading = (own) => own,
  tools = [],
  ruleBook,
  services,
  workspace = "/w",
  node: process,
}: WireOptions) {
  const runtime = new Runtime({ store, engines, tools, ruleBook, ...process });
  const node = {
    runtime,
    views: new Views(reading(runtime.store)),
    engine: engines[0]?.name ?? "",
    tools: new Map(tools.map((tool) => [tool.name, tool])),
  };
  const input = new PassThrough();
  const output = new PassThrough();
  const messages: WireMessage[] = [];
  const faults: unknown[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  output.setEncoding("utf8");
  output.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    messages.push(...lines.map((line) => JSON.parse(line)));
    for (const look of waiting) look();
  });
  let ended = false;
  const connection = connectUi({
    services: {
      server: { name: "dragoman", version: "0.0.0" },
      workspace,
      node: async () => node,
      skills: async () => ({ skills: [], errors: [], truncated: false }),
      mcpServers: async () => [],
      ...services,
    },
    input,
    output,
    onEnd: () => {
      ended = true;
    },
    onFault: (error) => faults.push(error),
    onError: (error) => faults.push(error),
  });
  let ids = 0;
  const send = (message: unknown) =>
    input.write(typeof message === "string" ? `${message}\n` : `${JSON.stringify(message)}\n`);
  const message = (fits: (message: WireMessage) => boolean, what = "a message") =>
    new Promise<WireMessage>((resolve, reject) => {
      const look = () => {
        const found = messages.find(fits);
        if (found === undefined) return;
        waiting.delete(look);
        clearTimeout(patience);
        resolve(found);
      };
      const patience = setTimeout(() => reject(new Error(`${what} never came`)), PATIENCE_MS);
      waiting.add(look);
      look();
    });
  /** Sends a request and gives its response. */
  const call = async (method: string, params?: unknown): Promise<WireMessage> => {
    const id = `call-${++ids}`;
    send({ jsonrpc: "2.0", id, method, params });
    return message((m) => m.id === id && m.method === undefined, `the response to ${method}`);
  };
  const result = async (method: string, params?: unknown): Promise<WireMessage> => {
    const response = await call(method, params);
    if (response.error) throw new DragomanError("internal", JSON.stringify(response.error));
    return response.result;
  };
  const status = (runId: string, wanted: string) =>
    message(
      (m) => m.method === "run.status" && m.params.run_id === runId && m.params.status === wanted,
      `the status ${wanted}`,
    );
  return {
    runtime,
    store,
    connection,
    input,
    output,
    messages,
    faults,
    send,
    message,
    call,
    result,
    status,
    ended: () => ended,
  };
}
