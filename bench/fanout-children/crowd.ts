import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { Account } from "./account.ts";
import { obey } from "./commands.ts";
import { clientFrame, FrameCounter, FrameTexts, PONG } from "./frames.ts";

// The clients of all servers: they count frames and do nothing else, so that it is the servers that are measured. A server that closes
// one of them which has not left ends this process, and by that the bench.

/** Where clients connect, each to one of the paths; what they are told before anything else, in so many frames, and what they say. */
export interface Place {
  port: number;
  paths: string[];
  greetings: number;
  says?: string;
}

export type CrowdCommand =
  /** Resolves with the number of the crowd, when all of it has been greeted. Those who do not read stop after that. */
  | { do: "open"; place: Place; clients: number; reads: boolean }
  /** Resolves when each of the crowd has had so many frames more. */
  | { do: "await"; crowd: number; frames: number }
  /** Resolves when all that was told before has been heard. */
  | { do: "ready" }
  /** Resolves, when a new client has had so many frames after its greetings, with how long that took, and how long the first. */
  | { do: "replay"; place: Place; frames: number }
  /** Begins to look for the longest time in which the only one of the crowd is told nothing, and gives what it was until now. */
  | { do: "silence"; crowd: number }
  /** The only one of the crowd reads again. Resolves, when it has had so many executions, with what it was told. */
  | { do: "wake"; crowd: number; executions: number }
  | { do: "leave"; crowd: number };

const buffer = Buffer.allocUnsafe(256 * 1024); // one for all: it is looked at before the next one reads
const crowds: Client[][] = [];
/** Whoever wakes up has everything by then. */
const WAKING_MS = 60_000;

class Client {
  readonly socket: Socket;
  readonly #counter = new FrameCounter();
  readonly #says: string | undefined;
  #head: string | undefined = "";
  #until = 0;
  #reached = () => {};
  #heardAt = performance.now();
  #longestSilence = 0;
  #onBytes = (_: Buffer) => {};
  #hasLeft = false;

  constructor(port: number, path: string, says?: string) {
    this.#says = says;
    const callback = (count: number) => {
      this.#take(buffer.subarray(0, count));
      return true;
    };
    this.socket = connect({ port, host: "127.0.0.1", noDelay: true, onread: { buffer, callback } });
    this.socket.once("close", () => {
      if (!this.#hasLeft) throw new Error(`the server closed ${path} after ${this.frames} frames`);
    });
    const key = randomBytes(16).toString("base64");
    const upgrade = `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}`;
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\n${upgrade}\r\n\r\n`);
  }

  get frames(): number {
    return this.#counter.frames;
  }

  /** Resolves when it is a WebSocket and has had so many frames. */
  until(frames: number): Promise<void> {
    return new Promise((resolve) => {
      this.#until = frames;
      this.#reached = resolve;
      this.#look();
    });
  }

  /** With the silence that lasts: it is one only when it is over. */
  async takeLongestSilence(): Promise<number> {
    await this.until(this.frames + 1);
    const longest = this.#longestSilence;
    this.#longestSilence = 0;
    this.#heardAt = performance.now();
    return longest;
  }

  wake(executions: number): Promise<Account> {
    const [texts, account] = [new FrameTexts(), new Account()];
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`late: ${JSON.stringify(account)}`)), WAKING_MS);
      this.#onBytes = (bytes) => {
        for (const text of texts.take(bytes)) account.take(text);
        if (account.executions < executions) return;
        clearTimeout(late);
        this.#onBytes = () => {};
        resolve(account);
      };
      this.socket.resume();
    });
  }

  leave(): void {
    this.#hasLeft = true;
    this.socket.destroy();
  }

  #take(bytes: Buffer): void {
    const now = performance.now();
    this.#longestSilence = Math.max(this.#longestSilence, now - this.#heardAt);
    this.#heardAt = now;
    this.#onBytes(bytes);
    if (this.#head === undefined) this.#counter.take(bytes);
    else this.#upgrade(this.#head + bytes.toString("latin1"));
    for (; this.#counter.pings > 0; this.#counter.pings--) this.socket.write(PONG);
    this.#look();
  }

  #upgrade(head: string): void {
    const end = head.indexOf("\r\n\r\n");
    this.#head = end < 0 ? head : undefined;
    if (end < 0) return;
    if (!head.startsWith("HTTP/1.1 101")) throw new Error(`refused: ${head}`);
    this.#counter.take(Buffer.from(head.slice(end + 4), "latin1"));
    if (this.#says) this.socket.write(clientFrame(this.#says));
  }

  #look(): void {
    if (this.#head === undefined && this.frames >= this.#until) this.#reached();
  }
}

async function replay({ port, paths: [path = ""], greetings }: Place, frames: number) {
  const from = performance.now();
  const client = new Client(port, path);
  await client.until(greetings + 1);
  const firstMs = performance.now() - from;
  await client.until(greetings + frames);
  client.leave();
  return { ms: performance.now() - from, firstMs };
}

obey<CrowdCommand>({
  open: async ({ place: { port, paths, greetings, says }, clients, reads }) => {
    const crowd: Client[] = [];
    for (let number = 0; number < clients; number++) {
      const client = new Client(port, paths[number % paths.length] ?? "", says);
      crowd.push(client);
      await client.until(greetings);
      if (!reads) client.socket.pause();
    }
    return crowds.push(crowd) - 1;
  },
  await: ({ crowd, frames }) =>
    Promise.all((crowds[crowd] ?? []).map((client) => client.until(client.frames + frames))),
  ready: () => {},
  replay: ({ place, frames }) => replay(place, frames),
  silence: ({ crowd }) => crowds[crowd]?.[0]?.takeLongestSilence(),
  wake: ({ crowd, executions }) => crowds[crowd]?.[0]?.wake(executions),
  leave: ({ crowd }) => {
    for (const client of crowds[crowd]?.splice(0) ?? []) client.leave();
  },
});
