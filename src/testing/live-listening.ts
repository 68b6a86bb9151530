import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach } from "vitest";
import { TokenBook } from "../access/token-book.ts";
import type { Clock } from "../core/clock.ts";
import type { Role } from "../core/roles.ts";
import { Runtime } from "../core/runtime.ts";
import { Views } from "../dialects/views.ts";
import { memoryStore } from "../stores/memory.ts";
import type { LogEntry } from "../transports/http/log.ts";
import { LiveListener } from "../transports/live-listener.ts";
import type { Script } from "./one-session.ts";
import { scripted } from "./scripted.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { WireEnd } from "./wire-end.ts";

/** A client of a plain connection; what it sends need be no message. */
export interface LiveEnd {
  socket: Socket;
  wire: WireEnd;
}

/** The real listener with tokens of its own, and clients of it. Gone after the test. */
export function liveListenings() {
  const folder = temporaryFolder();
  const open: LiveListening[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((listening) => listening.end()));
  });
  return async (script: Script = async () => "done", clock?: Clock) => {
    const { book, firstToken = "" } = await TokenBook.open(folder.newPath());
    const listening = new LiveListening(book, firstToken, script, clock);
    open.push(listening);
    await listening.listen(join(folder.path, `${open.length}.sock`));
    return listening;
  };
}

export class LiveListening {
  readonly tokens: TokenBook;
  readonly admin: string;
  readonly runtime: Runtime;
  readonly listener: LiveListener;
  readonly faults: unknown[] = [];
  readonly logged: LogEntry[] = [];
  path = "";
  port = 0;
  readonly #sockets: Socket[] = [];

  constructor(tokens: TokenBook, admin: string, script: Script, clock?: Clock) {
    this.tokens = tokens;
    this.admin = admin;
    this.runtime = new Runtime({ store: memoryStore(), engines: [scripted(script)] });
    const node = { runtime: this.runtime, views: new Views(this.runtime.store), engine: "scripted" };
    this.listener = new LiveListener({
      services: { workspace: "/w", node: async () => node },
      tokens,
      log: (entry) => this.logged.push(entry),
      onFault: (error) => this.faults.push(error),
      onError: (error) => this.faults.push(error),
      clock,
    });
  }

  async listen(path: string): Promise<void> {
    this.path = await this.listener.listenAtPath(path);
    this.port = await this.listener.listenAtPort(0);
  }

  async token(name: string, ...roles: Role[]): Promise<string> {
    return (await this.tokens.create({ name, roles })).token;
  }

  /** Over TCP, where nobody is known yet. */
  stranger(): LiveEnd {
    return this.#client(connect(this.port, "127.0.0.1"));
  }

  /** Over TCP, with a token. */
  known(token = this.admin): WireEnd {
    const { wire } = this.stranger();
    wire.send({ type: "auth", data: { token } });
    return wire;
  }

  /** Over the Unix socket. */
  user(): LiveEnd {
    return this.#client(connect(this.path));
  }

  async end(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await this.runtime.stop(0);
    await this.listener.close(0);
    this.tokens.close();
  }

  #client(socket: Socket): LiveEnd {
    this.#sockets.push(socket);
    socket.on("error", () => {}); // the close tells
    return { socket, wire: WireEnd.ofStreams(socket, socket) };
  }
}
