import type { Server } from "node:net";
import type { Duplex } from "node:stream";

/** The connections of a server, so that none outlives it. */
export class Connections {
  readonly #all = new Set<Duplex>();
  /** Browsers open some for requests that may never come. */
  readonly #unused = new Set<Duplex>();

  constructor(server: Server, isTls: boolean) {
    server.on("connection", (socket: Duplex) => track(this.#all, socket));
    server.on(isTls ? "secureConnection" : "connection", (socket: Duplex) => track(this.#unused, socket));
  }

  get count(): number {
    return this.#all.size;
  }

  use(socket: Duplex): void {
    this.#unused.delete(socket);
  }

  cutUnused(): void {
    for (const socket of this.#unused) socket.destroy();
  }

  cutAll(): void {
    for (const socket of this.#all) socket.destroy();
  }
}

function track(among: Set<Duplex>, socket: Duplex): void {
  among.add(socket);
  socket.once("close", () => among.delete(socket));
}
