import { afterEach } from "vitest";
import { SignIns } from "../access/sign-ins.ts";
import { TokenBook } from "../access/token-book.ts";
import type { Engine } from "../core/engine.ts";
import type { Role } from "../core/roles.ts";
import { Runtime } from "../core/runtime.ts";
import type { AnyTool } from "../core/tool.ts";
import { Views } from "../dialects/views.ts";
import { memoryStore } from "../stores/memory.ts";
import { HttpServer } from "../transports/http/http-server.ts";
import { Metrics } from "../transports/http/metrics.ts";
import type { SocketLimits } from "../transports/http/websocket-limits.ts";
import { uiSocket } from "../transports/ui-socket.ts";
import { until } from "./scripted.ts";
import { openSocket } from "./socket-server.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import type { WireMessage } from "./ui-wire.ts";

interface UiSocketServerOptions {
  engines: Engine[];
  tools?: AnyTool[];
  workspace?: string;
  socketLimits?: Partial<SocketLimits>;
}

/** The real server with `/ui` and nothing else, with tokens of its own. Gone after the test. */
export function uiSocketServers(): (options: UiSocketServerOptions) => Promise<UiSocketServer> {
  const folder = temporaryFolder();
  const open: UiSocketServer[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.end()));
  });
  return async (options) => {
    const { book } = await TokenBook.open(folder.newPath());
    const server = new UiSocketServer(options, book);
    open.push(server);
    await server.listen();
    return server;
  };
}

export class UiSocketServer {
  readonly runtime: Runtime;
  readonly views: Views;
  readonly book: TokenBook;
  readonly faults: unknown[] = [];
  readonly metrics = new Metrics();
  readonly http: HttpServer;
  readonly #clients: UiSocket[] = [];
  #address = "";

  constructor({ engines, tools = [], workspace = "/w", socketLimits }: UiSocketServerOptions, book: TokenBook) {
    this.book = book;
    this.runtime = new Runtime({ store: memoryStore(), engines, tools });
    this.views = new Views(this.runtime.store);
    const { runtime, views, faults, metrics } = this;
    const node = {
      runtime,
      views,
      engine: engines[0]?.name ?? "",
      tools: new Map(tools.map((tool) => [tool.name, tool])),
    };
    const services = {
      server: { name: "dragoman", version: "0.0.0" },
      workspace,
      node: async () => node,
      skills: async (cwd: string) => ({ skills: [], errors: [{ path: cwd, message: "" }], truncated: false }),
      mcpServers: async () => [],
    };
    const route = uiSocket({
      services,
      onFault: (error) => faults.push(error),
      onError: (error) => faults.push(error),
    });
    this.http = new HttpServer({
      routes: [],
      sockets: [route],
      access: { tokens: book, signIns: new SignIns() },
      version: "0.0.0",
      log: () => {},
      metrics,
      socketLimits,
    });
  }

  async listen(): Promise<void> {
    const { url } = await this.http.listen({ port: 0 });
    this.#address = `${url.replace("http", "ws")}/ui`;
  }

  get address(): string {
    return this.#address;
  }

  async token(name: string, ...roles: Role[]): Promise<string> {
    return (await this.book.create({ name, roles })).token;
  }

  /** A new token, in the header that shows it. */
  async pass(name: string, ...roles: Role[]): Promise<Record<string, string>> {
    return { Authorization: `Bearer ${await this.token(name, ...roles)}` };
  }

  /** A UI with a token of its own that has said hello, and that it can do everything. */
  async open(name: string, ...roles: Role[]): Promise<UiSocket> {
    const client = new UiSocket(this.#address, await this.pass(name, ...roles));
    this.#clients.push(client);
    await client.opened;
    const ui_capabilities = { supports_confirm: true, supports_prompt: true, supports_pick: true };
    await client.result("initialize", {
      protocol_version: "0",
      client: { name: "test-ui", version: "1" },
      ui_capabilities,
    });
    return client;
  }

  async end(): Promise<void> {
    for (const { socket } of this.#clients) socket.terminate();
    await this.http.close(0);
    await this.runtime.stop(0);
    this.book.close();
  }
}

/** A UI at the other end of a WebSocket: it sends messages and looks at what came back. */
export class UiSocket {
  readonly socket;
  /** What carries it. */
  readonly wire;
  readonly closed;
  readonly opened;
  readonly messages: WireMessage[] = [];
  #ids = 0;

  constructor(url: string, headers: Record<string, string>) {
    const { socket, wire, closed, opened } = openSocket(url, { headers });
    this.socket = socket;
    this.wire = wire;
    this.closed = closed;
    this.opened = opened;
    socket.on("message", (data) => this.messages.push(JSON.parse(data.toString())));
  }

  send(message: object): void {
    this.socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  /** The first message that fits, already there or still to come. */
  async message(fits: (message: WireMessage) => boolean, what = "a message"): Promise<WireMessage> {
    await until(() => this.messages.some(fits), what);
    return this.messages.find(fits);
  }

  async call(method: string, params?: unknown): Promise<WireMessage> {
    const id = `call-${++this.#ids}`;
    this.send({ id, method, params });
    return this.message((m) => m.id === id && m.method === undefined, `the response to ${method}`);
  }

  async result(method: string, params?: unknown): Promise<WireMessage> {
    const { result, error } = await this.call(method, params);
    if (error) throw new Error(JSON.stringify(error));
    return result;
  }

  /** The code with which a call is refused. */
  async refusal(method: string, params?: unknown): Promise<string> {
    return (await this.call(method, params)).error?.data.code;
  }

  status(runId: string, wanted: string): Promise<WireMessage> {
    const fits = ({ method, params }: WireMessage) =>
      method === "run.status" && params.run_id === runId && params.status === wanted;
    return this.message(fits, `the status ${wanted}`);
  }
}
