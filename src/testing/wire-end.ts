import type { Readable, Writable } from "node:stream";
import { WebSocket } from "ws";
import type { WireMessage } from "./ui-wire.ts";

const PATIENCE_MS = 20_000;

interface Carrier {
  send(text: string): void;
  close(): void;
}

/** A client's end of a wire of JSON messages, whatever carries it: what came, and a way to wait for more. */
export class WireEnd {
  readonly messages: WireMessage[] = [];
  closed = false;
  readonly #carrier: Carrier;
  readonly #waiting = new Set<() => void>();
  #ids = 0;

  constructor(carrier: Carrier) {
    this.#carrier = carrier;
  }

  /** One message a frame. */
  static async ofSocket(url: string, headers: Record<string, string> = {}): Promise<WireEnd> {
    const socket = new WebSocket(url, { headers });
    const wire = new WireEnd({ send: (text) => socket.send(text), close: () => socket.terminate() });
    socket.on("message", (data) => wire.take(data.toString()));
    socket.on("close", () => wire.#end());
    await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
    return wire;
  }

  /** One message a line. */
  static ofStreams(input: Readable, output: Writable): WireEnd {
    const wire = new WireEnd({ send: (text) => output.write(`${text}\n`), close: () => output.end() });
    let rest = "";
    input.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) wire.take(line);
    });
    input.on("close", () => wire.#end());
    output.on("error", () => {}); // it may have ended
    return wire;
  }

  take(text: string): void {
    this.messages.push(JSON.parse(text));
    this.#look();
  }

  send(message: unknown): void {
    this.#carrier.send(JSON.stringify(message));
  }

  /** What need not be a message. */
  raw(text: string): void {
    this.#carrier.send(text);
  }

  close(): void {
    this.#carrier.close();
  }

  /** The first message that fits, already there or still to come. */
  async message(fits: (message: WireMessage) => boolean, what: string): Promise<WireMessage> {
    let [looked, found]: [number, WireMessage] = [0, undefined]; // each is looked at once: there may be very many
    const isThere = () => {
      while (!found && looked < this.messages.length) {
        const message = this.messages[looked++];
        if (fits(message)) found = message;
      }
      return found !== undefined;
    };
    await this.until(isThere, what);
    return found;
  }

  /** The response to a JSON-RPC request. */
  async rpc(method: string, params: unknown): Promise<WireMessage> {
    const id = `request-${++this.#ids}`;
    this.send({ jsonrpc: "2.0", id, method, params });
    return this.message((m) => m.id === id && m.method === undefined, `the response to ${method}`);
  }

  async result(method: string, params: unknown): Promise<WireMessage> {
    const { result, error } = await this.rpc(method, params);
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  /** It is waited for as long as something comes: a machine that has much else to do is slow, not wrong. */
  async until(holds: () => boolean, what: string): Promise<void> {
    if (holds()) return;
    await new Promise<void>((resolve, reject) => {
      const end = () => {
        clearTimeout(patience);
        this.#waiting.delete(look);
      };
      const patience = setTimeout(() => {
        end();
        const last = this.messages.slice(-5).map((m) => JSON.stringify(m));
        reject(new Error(`${what} never came${this.closed ? ", and the wire is closed" : ""}:\n${last.join("\n")}`));
      }, PATIENCE_MS);
      const look = () => {
        patience.refresh();
        if (!holds()) return;
        end();
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  #end(): void {
    this.closed = true;
    this.#look();
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }
}
