import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { randomOf } from "./random-of.ts";

/** What happens to a connection when it has carried so many more bytes to the client. A stall lasts until the proxy lets go. */
export type Mishap = { afterBytes: number } & ({ do: "cut" } | { do: "stall" } | { do: "delay"; ms: number });

interface ChaosOptions {
  seed: number;
  /** The mishaps of a connection, one after the other, in which `number` is how many came before it. */
  mishaps(random: () => number, number: number): Iterable<Mishap>;
}

/**
 * Stands between clients and a server, and cuts, delays and stalls what they carry, at any byte. While it holds something up it reads
 * no more, so that the server has to hold what it sends. It listens before it knows where the server is.
 */
export class ChaosProxy {
  readonly #options: ChaosOptions;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #held = new Set<() => void>();
  #serverPort = 0;
  #connections = 0;
  readonly #done = { cut: 0, stall: 0, delay: 0 };
  #stalls = true;
  #isCalm = false;

  static async listen(options: ChaosOptions): Promise<ChaosProxy> {
    const proxy = new ChaosProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  private constructor(options: ChaosOptions) {
    this.#options = options;
    this.#server = createServer((client) => this.#accept(client));
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  /** How many connections there were, and what was done to them. */
  get done(): { connections: number } & Record<Mishap["do"], number> {
    return { connections: this.#connections, ...this.#done };
  }

  leadTo(port: number): void {
    this.#serverPort = port;
  }

  /** What is held up goes on, and nothing is stalled any more. */
  letGo(): void {
    this.#stalls = false;
    for (const goOn of [...this.#held]) goOn();
  }

  /** Nothing more happens; what is stalled stays so until it is let go. */
  calm(): void {
    this.#isCalm = true;
  }

  close(): void {
    this.calm();
    this.letGo();
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }

  #accept(client: Socket): void {
    const server = connect(this.#serverPort, "127.0.0.1");
    const random = randomOf(this.#options.seed ^ Math.imul(this.#connections + 1, 0x9e3779b1));
    const mishaps = this.#options.mishaps(random, this.#connections++)[Symbol.iterator]();
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#open.add(socket);
      socket.setNoDelay(true);
      socket.on("error", end).on("close", () => {
        this.#open.delete(socket);
        end();
      });
    }
    client.pipe(server);
    void this.#carry(server, client, mishaps).then(() => client.end(), end);
  }

  async #carry(server: Socket, client: Socket, mishaps: Iterator<Mishap>): Promise<void> {
    let next = mishaps.next();
    let left = next.done ? Number.POSITIVE_INFINITY : next.value.afterBytes;
    for await (const chunk of server as AsyncIterable<Buffer>) {
      let rest = chunk;
      while (rest.length > 0) {
        const passed = rest.subarray(0, this.#isCalm ? undefined : left);
        rest = rest.subarray(passed.length);
        left -= passed.length;
        if (!client.write(passed)) await once(client, "drain");
        if (left > 0 || next.done || this.#isCalm) continue;
        if (next.value.do === "cut") {
          this.#done.cut++;
          return client.destroySoon(); // what was passed on is still delivered
        }
        await this.#hold(client, next.value);
        next = mishaps.next();
        left = next.done ? Number.POSITIVE_INFINITY : next.value.afterBytes;
      }
    }
  }

  #hold(client: Socket, mishap: Exclude<Mishap, { do: "cut" }>): Promise<void> {
    if (mishap.do === "stall" && !this.#stalls) return Promise.resolve();
    this.#done[mishap.do]++;
    return new Promise((resolve) => {
      const goOn = () => {
        clearTimeout(timer);
        this.#held.delete(goOn);
        client.off("close", goOn);
        resolve();
      };
      const timer = mishap.do === "delay" ? setTimeout(goOn, mishap.ms) : undefined;
      this.#held.add(goOn);
      client.once("close", goOn);
    });
  }
}
