import { once, setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { asDragomanError } from "../core/errors.ts";
import { defaultLimits } from "../transports/http/limits.ts";
import { refuse } from "../transports/http/refuse.ts";
import type { KnownExchange } from "../transports/http/route.ts";

/** Real sockets without the checks of the real server: whoever comes is known, and may do everything. */
export class UngatedServer {
  readonly revoked = new AbortController();
  readonly stopping = new AbortController();
  readonly #server: Server;

  private constructor(handle: (exchange: KnownExchange) => Promise<void>) {
    setMaxListeners(0, this.revoked.signal, this.stopping.signal);
    this.#server = createServer((request, response) => {
      handle(this.#exchange(request, response)).catch((error) =>
        refuse(response, asDragomanError(error), { lingerMs: defaultLimits.lingerMs }),
      );
    });
  }

  static async open(handle: (exchange: KnownExchange) => Promise<void>): Promise<UngatedServer> {
    const server = new UngatedServer(handle);
    server.#server.listen(0, "127.0.0.1", 2048);
    await once(server.#server, "listening");
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  #exchange(request: IncomingMessage, response: ServerResponse): KnownExchange {
    const caller = { id: "t", name: "test", roles: ["admin"] as const };
    const grant = { caller, revoked: this.revoked.signal };
    return {
      ...grant,
      grant,
      request,
      response,
      params: {},
      query: new URL(request.url ?? "", "http://localhost").searchParams,
      requestId: "",
      stopping: this.stopping.signal,
      body: async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        return Buffer.concat(chunks);
      },
      hold: () => true,
    };
  }
}
