import { afterEach } from "vitest";
import { SignIns } from "../access/sign-ins.ts";
import { TokenBook } from "../access/token-book.ts";
import type { Engine } from "../core/engine.ts";
import type { Role } from "../core/roles.ts";
import { Runtime } from "../core/runtime.ts";
import { Views } from "../dialects/views.ts";
import { memoryStore } from "../stores/memory.ts";
import { HttpServer } from "../transports/http/http-server.ts";
import { Metrics } from "../transports/http/metrics.ts";
import { studioSocket } from "../transports/studio-socket.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { WireEnd } from "./wire-end.ts";

/** The real server with `/studio` and nothing else, with tokens of its own. Gone after the test. */
export function studioSocketServers(): (engine: Engine) => Promise<StudioSocketServer> {
  const folder = temporaryFolder();
  const open: StudioSocketServer[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.end()));
  });
  return async (engine) => {
    const { book } = await TokenBook.open(folder.newPath());
    const server = new StudioSocketServer(engine, book);
    open.push(server);
    await server.listen();
    return server;
  };
}

export class StudioSocketServer {
  readonly runtime: Runtime;
  readonly book: TokenBook;
  readonly faults: unknown[] = [];
  readonly http: HttpServer;
  readonly #wires: WireEnd[] = [];
  url = "";

  constructor(engine: Engine, book: TokenBook) {
    this.book = book;
    this.runtime = new Runtime({ store: memoryStore(), engines: [engine] });
    const { runtime, faults } = this;
    const node = { runtime, views: new Views(runtime.store), engine: engine.name };
    const services = {
      server: { name: "dragoman", version: "0.0.0" },
      workspace: "/w",
      node: async () => node,
    };
    const onError = (error: unknown) => faults.push(error);
    this.http = new HttpServer({
      routes: [],
      sockets: [studioSocket({ services, onFault: onError, onError })],
      access: { tokens: book, signIns: new SignIns() },
      version: "0.0.0",
      log: () => {},
      metrics: new Metrics(),
    });
  }

  async listen(): Promise<void> {
    this.url = (await this.http.listen({ port: 0 })).url;
  }

  async token(name: string, ...roles: Role[]): Promise<string> {
    return (await this.book.create({ name, roles })).token;
  }

  /** A host with a token of its own. */
  async open(query: string, name: string, ...roles: Role[]): Promise<WireEnd> {
    const headers = { Authorization: `Bearer ${await this.token(name, ...roles)}` };
    const wire = await WireEnd.ofSocket(`${this.url.replace("http", "ws")}/studio${query}`, headers);
    this.#wires.push(wire);
    return wire;
  }

  async end(): Promise<void> {
    for (const wire of this.#wires) wire.close();
    await this.http.close(0);
    await this.runtime.stop(0);
    this.book.close();
  }
}
