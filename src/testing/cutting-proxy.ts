import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach } from "vitest";
import { randomOf } from "./random-of.ts";

export interface CuttingProxy {
  url: string;
  /** How many connections it cut so far. */
  readonly cuts: number;
}

interface CutOptions {
  /** Where the server listens. */
  port: number;
  /** So many connections are cut; those after them are let be. */
  cuts: number;
  /** A connection is cut when it carried so many bytes to the client, at most. */
  maxBytes: number;
  seed: number;
}

/** Stands between a client and a server, and cuts connections in the middle of whatever they carry. */
export function cuttingProxies(): (options: CutOptions) => Promise<CuttingProxy> {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });
  return async ({ port, cuts, maxBytes, seed }) => {
    const random = randomOf(seed);
    const open = new Set<Socket>();
    let done = 0;
    const proxy = createServer((client) => {
      const server = connect(port, "127.0.0.1");
      let left = done < cuts ? Math.ceil(random() * maxBytes) : Number.POSITIVE_INFINITY;
      const end = () => {
        client.destroy();
        server.destroy();
      };
      const cut = () => {
        if (!client.destroyed) done++;
        end();
      };
      for (const socket of [client, server]) {
        open.add(socket);
        socket.on("error", end).on("close", () => {
          open.delete(socket);
          end();
        });
      }
      client.on("data", (chunk) => server.write(withHost(chunk, proxy.address() as AddressInfo, port)));
      server.on("data", (chunk) => {
        const passed = chunk.subarray(0, left);
        left -= passed.length;
        if (left > 0) client.write(passed);
        else client.write(passed, cut);
      });
      server.on("end", () => client.end());
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    closing.push(() => {
      proxy.close();
      for (const socket of open) socket.destroy();
    });
    return {
      url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      get cuts() {
        return done;
      },
    };
  };
}

/** A server answers to its own name only. */
function withHost(chunk: Buffer, { port: ours }: AddressInfo, theirs: number): Buffer {
  return Buffer.from(chunk.toString("latin1").replace(`127.0.0.1:${ours}`, `127.0.0.1:${theirs}`), "latin1");
}
