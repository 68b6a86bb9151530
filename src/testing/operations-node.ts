import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";
import { ManualClock } from "../core/clock.ts";
import type { Engine, EngineIO } from "../core/engine.ts";
import type { Event } from "../core/events.ts";
import type { Role } from "../core/roles.ts";
import { Runtime, type RuntimeOptions } from "../core/runtime.ts";
import type { Store } from "../core/store.ts";
import { foldAll } from "../dialects/contract.ts";
import { operations } from "../dialects/operations/index.ts";
import type { Message } from "../dialects/operations/messages.ts";
import { OperationsServer } from "../dialects/operations/server/index.ts";
import { Views } from "../dialects/views.ts";
import { featureSessionId, openFeatureSessionId } from "../operations/feature-session.ts";
import { type FeatureSettings, featureStore } from "../operations/features/index.ts";
import { memoryStore } from "../stores/memory.ts";
import type { HttpServerOptions } from "../transports/http/http-server.ts";
import type { SocketRoute } from "../transports/http/route.ts";
import { operationsErrors, operationsRoutes } from "../transports/operations-routes.ts";
import { operationsSocket } from "../transports/operations-socket.ts";
import { sessionAddresses } from "../transports/session-addresses.ts";
import { httpWorlds } from "./http-world.ts";
import type { Script } from "./one-session.ts";
import type { RawAnswer } from "./raw-http.ts";
import { readAll } from "./read-all.ts";
import { scripted, until } from "./scripted.ts";
import { type OpenedSocket, openSocket } from "./socket-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export const FEATURE = "001-login";
export const SPEC = "# Feature Specification: Login\n\nUsers sign in.\n";

interface NodeOptions {
  workspace: string;
  newWorld: ReturnType<typeof httpWorlds>;
  store?: Store;
  clock?: ManualClock;
  engine?: Engine;
  runtime?: Partial<RuntimeOptions>;
  http?: Partial<HttpServerOptions>;
  withoutSpec?: boolean;
  features?: FeatureSettings;
}

/** A client of an operation, and what it has heard so far. */
export interface Watcher extends OpenedSocket {
  messages(): Message[];
  /** Those of the operation itself. */
  own(): Message[];
  hears(fits: (message: Message) => boolean, what?: string): Promise<Message>;
}

/** Nodes that serve operations on real tokens and real sockets, on clocks that stand still, each on a folder of its own. */
export function operationsNodes() {
  const folder = temporaryFolder();
  const newWorld = httpWorlds();
  return (script: Script, options: Partial<NodeOptions> = {}) =>
    operationsNode(script, { workspace: mkdtempSync(join(folder.path, "workspace-")), newWorld, ...options });
}

async function operationsNode(script: Script, options: NodeOptions) {
  const { workspace, newWorld, withoutSpec } = options;
  const clock = options.clock ?? new ManualClock();
  const store = options.store ?? memoryStore({ clock });
  const engine = options.engine ?? scripted(script);
  const runtime = new Runtime({ store, engines: [engine], clock, ...options.runtime });
  const views = new Views(runtime.store);
  if (!withoutSpec) writeSpec(workspace);
  const server = new OperationsServer({
    runtime,
    engine: engine.name,
    workspace,
    features: featureStore(workspace, options.features ?? {}),
    sessionOf: (feature) => openFeatureSessionId(runtime.store, workspace, feature),
    addresses: sessionAddresses,
    clock,
    log: () => {},
  });
  const route = operationsSocket({ server, views, clock, log: () => {} });
  /** The server's ends of the sockets, in the order in which they came. */
  const streams: Duplex[] = [];
  const accept: SocketRoute["accept"] = (socket, about) => {
    streams.push(about.stream);
    return route.accept(socket, about);
  };
  const world = await newWorld({
    moreRoutes: operationsRoutes(server),
    sockets: [{ ...route, accept }],
    errorBodies: [operationsErrors(clock)],
    ...options.http,
  });
  onTestFinished(() => server.close());
  const tokens = new Map<string, Promise<string>>();
  /** A token of these roles; all that a browser needs, if none is named. */
  const token = (...roles: Role[]): Promise<string> => {
    const name = roles.join(" ") || "prompt approve";
    const known = tokens.get(name) ?? world.token(name, ...(name.split(" ") as Role[]));
    tokens.set(name, known);
    return known;
  };

  const rest = async (request: string, body?: unknown, by?: string, headers: Record<string, string> = {}) => {
    const [method = "", path = ""] = request.split(" ");
    const sent = body === undefined ? "" : Buffer.from(JSON.stringify(body)).toString("latin1");
    const type: Record<string, string> = body === undefined ? {} : { "Content-Type": "application/json" };
    const answered = await world.askAs(by ?? (await token()), {
      method,
      path: `/api/v1${path}`,
      headers: { ...type, ...headers },
      body: sent,
    });
    return { ...answered, json: jsonIn(answered) };
  };
  /** Starts an operation, and gives its id. */
  const start = async (action = "clarify", body?: unknown, by?: string): Promise<string> => {
    const { status, json } = await rest(`POST /features/${FEATURE}/${action}`, body, by);
    if (status !== 202) throw new Error(JSON.stringify(json));
    return String(json.operation_id);
  };
  const watch = async (query: string, by?: string, more: { perMessageDeflate?: boolean } = {}): Promise<Watcher> => {
    const headers = { Authorization: `Bearer ${by ?? (await token())}` };
    const opened = openSocket(`${world.url.replace("http", "ws")}/ws?${query}`, { headers, ...more });
    onTestFinished(() => opened.socket.terminate());
    await opened.opened;
    return watcherOf(opened);
  };
  const sessionId = featureSessionId(workspace, FEATURE);
  const log = (): Promise<Event[]> => readAll(store, sessionId);
  /** What an operation has said, as the fold has it. */
  const said = async (operationId: string): Promise<Message[]> => {
    const place = await store.runPlace(operationId);
    const events = await readAll(store, place?.sessionId ?? "");
    const frames = foldAll(operations, events, {}, place?.sessionId ?? "");
    const messages = frames.map(({ text }) => JSON.parse(text) as Message);
    return messages.filter(({ operation_id }) => operation_id === operationId);
  };
  return {
    workspace,
    world,
    streams,
    clock,
    store,
    runtime,
    views,
    server,
    sessionId,
    token,
    rest,
    start,
    watch,
    log,
    said,
  };
}

function writeSpec(workspace: string): void {
  mkdirSync(join(workspace, "specs", FEATURE), { recursive: true });
  writeFileSync(join(workspace, "specs", FEATURE, "spec.md"), SPEC);
}

const jsonIn = ({ body }: RawAnswer) => (body === "" ? {} : JSON.parse(Buffer.from(body, "latin1").toString()));

function watcherOf(opened: OpenedSocket): Watcher {
  const parsed: Message[] = [];
  const messages = () => {
    for (const text of opened.received.slice(parsed.length)) parsed.push(JSON.parse(text));
    return parsed.slice();
  };
  return {
    ...opened,
    messages,
    own: () => messages().filter(({ sequence }) => sequence >= 0),
    hears: async (fits, what = "a message") => {
      await until(() => messages().some(fits), what);
      return messages().find(fits) as Message;
    },
  };
}

export const think = (io: EngineIO, text: string) => io.emit({ type: "thinking.delta", text: `${text}\n` });

/** A run that says what it is told to, and ends when it is told to. */
export function stepwise() {
  let begun: (io: EngineIO) => void = () => {};
  const running = new Promise<EngineIO>((resolve) => {
    begun = resolve;
  });
  let end: (text: string) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const script: Script = (_, io, signal) =>
    new Promise((resolve, reject) => {
      end = resolve;
      fail = reject;
      signal.addEventListener("abort", () => reject(signal.reason));
      begun(io);
    });
  return {
    script,
    running,
    /** Thinks so, a line at a time. */
    speak: async (...lines: string[]) => {
      for (const line of lines) await think(await running, line);
    },
    say: async (text: string) => (await running).emit({ type: "text.delta", of: "answer", text: `${text}\n` }),
    end: async () => {
      await running;
      end("");
    },
    fail: async (error: Error) => {
      await running;
      fail(error);
    },
  };
}
