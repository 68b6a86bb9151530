import { mkdtempSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { SignIns } from "../access/sign-ins.ts";
import { TokenBook } from "../access/token-book.ts";
import type { Clock } from "../core/clock.ts";
import type { Role } from "../core/roles.ts";
import { authRoutes } from "../transports/auth-routes.ts";
import { answerJson } from "../transports/http/answer.ts";
import { HttpServer, type HttpServerOptions } from "../transports/http/http-server.ts";
import type { LogEntry } from "../transports/http/log.ts";
import { Metrics } from "../transports/http/metrics.ts";
import type { KnownExchange, Route, SocketRoute } from "../transports/http/route.ts";
import { parseJson } from "../transports/json.ts";
import { type RawAnswer, RawHttp, type RawRequest } from "./raw-http.ts";
import { temporaryFolder } from "./temporary-folder.ts";

type Wanted = Partial<Omit<HttpServerOptions, "access">> & {
  host?: string;
  withoutTls?: boolean;
  clock?: Clock;
  signIns?: SignIns;
  /** Besides the specimens. */
  moreRoutes?: Route[];
};

/** Servers on real tokens and real sockets, each gone after its test. */
export function httpWorlds(): (wanted?: Wanted) => Promise<HttpWorld> {
  const folder = temporaryFolder();
  const open: HttpWorld[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((world) => world.end()));
  });
  return async (wanted = {}) => {
    const { book, firstToken = "" } = await TokenBook.open(mkdtempSync(join(folder.path, "home-")), wanted.clock);
    const world = new HttpWorld(book, firstToken, wanted);
    open.push(world);
    await world.listen(wanted);
    return world;
  };
}

export class HttpWorld {
  readonly tokens: TokenBook;
  readonly signIns: SignIns;
  readonly admin: string;
  readonly server: HttpServer;
  readonly metrics = new Metrics();
  readonly logged: LogEntry[] = [];
  /** The routes and sockets that were reached, as "POST /rpc". */
  readonly reached: string[] = [];
  port = 0;
  url = "";
  readonly #clients: RawHttp[] = [];

  constructor(tokens: TokenBook, admin: string, wanted: Wanted) {
    this.tokens = tokens;
    this.admin = admin;
    const keptIn = { home: dirname(tokens.tokenFile), tokens };
    const { clock, signIns = new SignIns({ clock, keptIn }), moreRoutes = [] } = wanted;
    this.signIns = signIns;
    this.server = new HttpServer({
      routes: [...specimenRoutes(this.reached), ...authRoutes({ tokens, signIns, clock }), ...moreRoutes],
      sockets: specimenSockets(this.reached),
      access: { tokens, signIns },
      version: "1.2.3",
      log: (entry) => this.logged.push(entry),
      metrics: this.metrics,
      ...wanted,
    });
  }

  async listen({ host, withoutTls }: Pick<Wanted, "host" | "withoutTls"> = {}): Promise<void> {
    const { port, url } = await this.server.listen({ port: 0, host, withoutTls });
    Object.assign(this, { port, url });
  }

  async token(name: string, ...roles: Role[]): Promise<string> {
    return (await this.tokens.create({ name, roles })).token;
  }

  /** The `Cookie` header of someone who has signed in. */
  cookie(token = this.admin): string {
    const grant = this.tokens.verify(token);
    if (!grant) throw new Error("there is no such token");
    return `dragoman_${this.port}=${this.signIns.begin(grant)}`;
  }

  /** What `/auth/verify` gives to someone with that token. */
  async sessionId(token = this.admin): Promise<string> {
    const headers = { "Content-Type": "application/json" };
    const { body } = await this.ask({ method: "POST", path: "/auth/verify", headers, body: JSON.stringify({ token }) });
    return JSON.parse(body).session_id;
  }

  connect(): RawHttp {
    const client = new RawHttp(this.port);
    this.#clients.push(client);
    return client;
  }

  /** One request on a connection of its own; what is written raw goes there as it is. */
  async ask(request: RawRequest | string): Promise<RawAnswer> {
    const client = this.connect();
    const answer =
      typeof request === "string" ? client.write(request).answer() : client.send(request).answer(headOnly(request));
    return answer.finally(() => client.socket.destroy());
  }

  /** By the admin, or whose token it is. */
  async askAs(token: string, request: RawRequest): Promise<RawAnswer> {
    return this.ask({ ...request, headers: { Authorization: `Bearer ${token}`, ...request.headers } });
  }

  async end(): Promise<void> {
    for (const { socket } of this.#clients) socket.destroy();
    await this.server.close(0);
    await this.signIns.close();
    this.tokens.close();
  }
}

/** A fault of ours, whose error has all that the request brought. */
export const brokenRoute: Route = {
  method: "GET",
  path: "/broken",
  access: "observe",
  handle: ({ request }) => {
    throw new Error(`cannot work with ${JSON.stringify(request.headers)}`);
  },
};

const headOnly = ({ method }: RawRequest) => ({ toHead: method === "HEAD" });

/** A route of every kind. Each notes that it was reached, and says what it was given. */
function specimenRoutes(reached: string[]): Route[] {
  const echo =
    (name: string) =>
    ({ response, params, query, caller }: KnownExchange) => {
      reached.push(name);
      answerJson(response, 200, { params, query: [...query], caller: caller.name });
    };
  return [
    {
      method: "POST",
      path: "/rpc",
      access: "prompt",
      handle: async (exchange) => {
        reached.push("POST /rpc");
        answerJson(exchange.response, 200, { got: parseJson((await exchange.body()).toString()) });
      },
    },
    { method: "POST", path: "/answers", access: "approve", handle: echo("POST /answers") },
    { method: "GET", path: "/sessions/:id", access: "observe", handle: echo("GET /sessions/:id") },
    { method: "DELETE", path: "/sessions/:id", access: "admin", handle: echo("DELETE /sessions/:id") },
    {
      method: "GET",
      path: "/stream/:id",
      access: "observe",
      stream: true,
      // Nothing is said of `revoked` and `stopping` here: the server must do without a route's help.
      handle: ({ response }) => {
        reached.push("GET /stream/:id");
        response.writeHead(200, ["Content-Type", "text/event-stream"]);
        response.write("data: hello\n\n");
      },
    },
  ];
}

function specimenSockets(reached: string[]): SocketRoute[] {
  return [
    { path: "/ui", access: "observe", accept: () => void reached.push("/ui") },
    {
      path: "/ws",
      access: "observe",
      signInParam: "session_id",
      compression: (query) => query.get("compress") === "1",
      accept: () => void reached.push("/ws"),
    },
  ];
}
