import { PassThrough } from "node:stream";
import { ManualClock } from "../core/clock.ts";
import type { Engine } from "../core/engine.ts";
import type { Caller, Role } from "../core/roles.ts";
import type { RuleBook } from "../core/rules.ts";
import { Runtime } from "../core/runtime.ts";
import type { Store } from "../core/store.ts";
import type { AnyTool } from "../core/tool.ts";
import { message as messageSchema } from "../dialects/live/messages.ts";
import type { Services } from "../dialects/live/server/index.ts";
import { Views } from "../dialects/views.ts";
import { memoryStore } from "../stores/memory.ts";
import { connectLive, type LivePeerOptions } from "../transports/live-connection.ts";
import { until } from "./scripted.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a test reads off the wire is compared, not used
export type WireMessage = any;

interface NodeOptions {
  engines: Engine[];
  store?: Store;
  tools?: AnyTool[];
  ruleBook?: RuleBook;
  workspace?: string;
  clock?: ManualClock;
  services?: Partial<Services>;
}

/** A node whose clock stands still. */
export function liveNode({ engines, store, tools, ruleBook, workspace = "/w", clock, services }: NodeOptions) {
  const ownClock = clock ?? new ManualClock();
  const ownStore = store ?? memoryStore({ clock: ownClock });
  const runtime = new Runtime({ store: ownStore, engines, tools, ruleBook, clock: ownClock });
  const views = new Views(runtime.store);
  const node = { runtime, views, engine: engines[0]?.name ?? "" };
  return {
    runtime,
    store: ownStore,
    views,
    clock: ownClock,
    services: { workspace, node: async () => node, clock: ownClock, ...services } satisfies Services,
  };
}

export const callerWith = (...roles: Role[]): Caller => ({ id: "t1", name: "Ada", roles });

type LiveNode = ReturnType<typeof liveNode>;

/** A client's side of the `live` dialect, over streams in memory: it sends lines and looks at what came back. */
export function liveClient(node: LiveNode, options: Partial<LivePeerOptions> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const messages: WireMessage[] = [];
  const faults: unknown[] = [];
  const ends = { ended: false, closed: false };
  let rest = "";
  output.setEncoding("utf8");
  output.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) messages.push(messageSchema.parse(JSON.parse(line)));
  });
  const connection = connectLive({
    services: node.services,
    over: "pipe",
    onFault: (error) => faults.push(error),
    onError: (error) => faults.push(error),
    ...options,
    onEnd: () => {
      ends.ended = true;
    },
    close: () => {
      ends.closed = true;
      connection.close();
    },
    input,
    output,
  });
  let ids = 0;
  const write = (line: unknown) => input.write(typeof line === "string" ? `${line}\n` : `${JSON.stringify(line)}\n`);
  /** Sends a message and gives its correlation id. */
  const send = (type: string, data: object = {}, envelope: object = {}): string => {
    const correlation_id = `c${++ids}`;
    write({ type, correlation_id, data, ...envelope });
    return correlation_id;
  };
  const message = async (fits: (message: WireMessage) => boolean, what = "a message"): Promise<WireMessage> => {
    await until(() => messages.some(fits), what);
    return messages.find(fits);
  };
  const about = (id: string, ...types: string[]) =>
    message((m) => m.correlation_id === id && types.includes(m.type), `${types.join(" or ")} of ${id}`);
  /** Sends a message and waits until it was dealt with. */
  const done = async (type: string, data: object = {}, envelope: object = {}): Promise<void> => {
    const refused = await about(send(type, data, { ack_required: true, ...envelope }), "ack", "error");
    if (refused.type === "error") throw new Error(JSON.stringify(refused.data));
  };
  /** Sends a message that is refused, and gives the error. */
  const refused = async (type: string, data: object = {}, envelope: object = {}): Promise<WireMessage> => {
    const answer = await about(send(type, data, { ack_required: true, ...envelope }), "ack", "error");
    if (answer.type !== "error") throw new Error(`${type} was not refused`);
    return answer.data;
  };
  /** Begins a session and gives its id. */
  const begin = async (data: object = {}): Promise<string> => {
    const started = await about(send("session_start", data), "session_start", "error");
    if (started.type === "error") throw new Error(JSON.stringify(started.data));
    return started.session_id;
  };
  const of = (type: string) => messages.filter((m) => m.type === type);
  const ended = (sessionId: string, count = 1) =>
    until(
      () => messages.filter((m) => m.session_id === sessionId && isRunEnd(m)).length >= count,
      `the end of run ${count}`,
    );
  const grant = (available_capacity: number) => send("flow_control", { available_capacity });
  return {
    ...{ connection, input, output, messages, faults, ends },
    ...{ write, send, message, about, done, refused, begin, of, ended, grant },
  };
}

const isRunEnd = ({ type, data }: WireMessage) =>
  type === "status_update" && data.kind === "run" && ["completed", "failed", "cancelled"].includes(data.status);
