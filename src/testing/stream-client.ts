import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { SseDecoder, type SseEvent } from "../transports/sse.ts";
import { until } from "./scripted.ts";

interface StreamClientOptions {
  path?: string;
  headers?: Record<string, string>;
  lastEventId?: string;
  /** Reads nothing, for ever. */
  deaf?: boolean;
  /** Over TLS, from a server with this certificate. */
  ca?: string;
}

/** A GET over a socket of its own, and what came of it so far, to the byte. */
export class StreamClient {
  readonly events: SseEvent[] = [];
  readonly decoder: SseDecoder;
  readonly #socket: Socket;
  /** The head of the answer, once it is whole. */
  head = "";
  readonly #body: Buffer[] = [];
  #before = Buffer.alloc(0);
  ended = false;

  /** Resolves when the head of the answer is there. */
  static async open(port: number, options: StreamClientOptions = {}): Promise<StreamClient> {
    const client = new StreamClient(port, options);
    if (options.deaf) await once(client.#socket, "connect");
    else await until(() => client.head !== "" || client.ended, "an answer");
    return client;
  }

  private constructor(port: number, { path = "/", headers = {}, lastEventId, deaf, ca }: StreamClientOptions) {
    this.decoder = new SseDecoder({ lastEventId });
    this.#socket = ca ? connectTls({ port, host: "localhost", ca }) : connect(port, "127.0.0.1");
    const all = { Host: `127.0.0.1:${port}`, ...headers, ...(lastEventId && { "Last-Event-ID": lastEventId }) };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => {
      this.ended = true;
    });
    if (!deaf) this.#socket.on("data", (chunk) => this.#take(chunk));
  }

  get status(): number {
    return Number(/^HTTP\/1.1 (\d+)/.exec(this.head)?.[1]);
  }

  get body(): string {
    return Buffer.concat(this.#body).toString();
  }

  /** Resolves when so many events have come; gives them. */
  async hears(count: number): Promise<SseEvent[]> {
    await until(() => this.events.length >= count, `${count} events, of which ${this.events.length} came,`);
    return this.events;
  }

  /** Resolves when the other side has ended it; gives all there was. */
  async untilEnd(): Promise<SseEvent[]> {
    await until(() => this.ended, "the end of the stream");
    return this.events;
  }

  cut(): void {
    this.#socket.destroy();
  }

  #take(received: Buffer): void {
    let chunk = received;
    if (this.head === "") {
      this.#before = Buffer.concat([this.#before, chunk]);
      const end = this.#before.indexOf("\r\n\r\n") + 4;
      if (end < 4) return;
      this.head = this.#before.subarray(0, end).toString("latin1");
      chunk = this.#before.subarray(end);
    }
    this.#body.push(chunk);
    for (const event of this.decoder.push(chunk)) {
      if (event instanceof Error) throw event;
      this.events.push(event);
    }
  }
}
