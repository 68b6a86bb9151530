import type { ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bundle } from "../scripts/build.mjs";
import { bundledFor, folder, project, startChild } from "./children.ts";
import type { Account } from "./fanout-children/account.ts";
import type { CrowdCommand, Place } from "./fanout-children/crowd.ts";
import type { OursCommand } from "./fanout-children/ours.ts";
import type { PeerCommand } from "./fanout-children/peer-command.ts";

const bundled = bundledFor("fanout");

/** Each is the path of a file without its ending, below this folder. */
export async function buildChildren(...files: string[]): Promise<void> {
  mkdirSync(bundled, { recursive: true });
  const entries = files.map((file) => [nameOf(file), `${project}bench/${file}.ts`]);
  await bundle(Object.fromEntries(entries), bundled);
  cpSync(`${project}src/page`, join(bundled, "page"), { recursive: true });
}

const nameOf = (file: string) => file.split("/").at(-1) ?? file;

/** A process that answers commands. */
export class Child<Command> {
  readonly process: ChildProcess;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #last = 0;

  constructor(name: string) {
    const workspace = join(folder, "workspace");
    mkdirSync(workspace, { recursive: true });
    const env = { ...process.env, DRAGOMAN_HOME: join(folder, "home") };
    const args = ["--expose-gc", join(bundled, `${name}.js`)];
    this.process = startChild(args, { stdio: ["pipe", "pipe", "inherit", "ipc"], cwd: workspace, env });
    this.process.on("message", ({ id, result }: { id: number; result: unknown }) => {
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  call<T = void>(command: Command): Promise<T> {
    const id = ++this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve as (result: unknown) => void);
      this.process.send({ id, command });
    });
  }
}

export type Crowd = Child<CrowdCommand>;

/** Those who watch one thing at one server. */
export class Audience {
  readonly #crowd: Crowd;
  readonly #number: number;
  readonly #say: (events: number) => Promise<void>;

  /** One that does not read is told things only once it is woken. */
  static async of(
    crowd: Crowd,
    place: Place,
    clients: number,
    say: (events: number) => Promise<void>,
    reads = true,
  ): Promise<Audience> {
    return new Audience(crowd, await crowd.call<number>({ do: "open", place, clients, reads }), say);
  }

  private constructor(crowd: Crowd, number: number, say: (events: number) => Promise<void>) {
    this.#crowd = crowd;
    this.#number = number;
    this.#say = say;
  }

  /** Resolves when everyone has had all of the messages. */
  async flood(events: number): Promise<void> {
    const arrived = this.#crowd.call({ do: "await", crowd: this.#number, frames: events });
    await this.#crowd.call({ do: "ready" });
    await Promise.all([this.#say(events), arrived]);
  }

  /** The longest time in which the only one of them was told nothing, since the last call. */
  silence(): Promise<number> {
    return this.#crowd.call({ do: "silence", crowd: this.#number });
  }

  /** The only one of them, who did not read, does so; resolves, when it has had so many executions, with what it was told. */
  wake(executions: number): Promise<Account> {
    return this.#crowd.call({ do: "wake", crowd: this.#number, executions });
  }

  leave(): Promise<void> {
    return this.#crowd.call({ do: "leave", crowd: this.#number });
  }
}

export interface Server {
  audience(clients: number): Promise<Audience>;
  memory(): Promise<number>;
}

export function startPeer(name: "ws" | "socket-io", crowd: Crowd): Server {
  const server = new Child<PeerCommand>(name);
  return {
    audience: async (clients) => {
      const place = await server.call<Place>({ do: "place" });
      return Audience.of(crowd, place, clients, (events) => server.call({ do: "flood", events }));
    },
    memory: () => server.call({ do: "memory" }),
  };
}

/** More than a sign-in may have sockets. */
const SIGN_INS = 8;

/** Our server. Each audience watches a run of its own. */
export class Ours implements Server {
  readonly #server: Child<OursCommand>;
  readonly #crowd: Crowd;
  readonly #port: number;
  readonly #token: string;
  #signIns: string[] = [];

  static async start(crowd: Crowd): Promise<Ours> {
    const server = new Child<OursCommand>("ours");
    const said: Record<string, string> = {};
    await new Promise<void>((resolve) => {
      createInterface({ input: server.process.stdout as NodeJS.ReadableStream }).on("line", (line) => {
        const [key = "", value = ""] = line.split("=");
        said[key] = value;
        if (said.SIDECAR_PORT && said.SIDECAR_TOKEN_FILE) resolve();
      });
    });
    const ours = new Ours(server, crowd, Number(said.SIDECAR_PORT), said.SIDECAR_TOKEN_FILE ?? "");
    for (let number = 0; number < SIGN_INS; number++) await ours.#signIn();
    return ours;
  }

  private constructor(server: Child<OursCommand>, crowd: Crowd, port: number, tokenFile: string) {
    this.#server = server;
    this.#crowd = crowd;
    this.#port = port;
    this.#token = readFileSync(tokenFile, "utf8").trim();
  }

  async audience(clients: number, runId?: string): Promise<Audience> {
    const watched = runId ?? (await this.newRun());
    return Audience.of(this.#crowd, this.place(watched), clients, (events) => this.flood(watched, events));
  }

  /** Someone who does not read what is said in a run. */
  stalled(runId: string): Promise<Audience> {
    return Audience.of(this.#crowd, this.place(runId), 1, (events) => this.flood(runId, events), false);
  }

  async newRun(): Promise<string> {
    const { sessionId } = await this.#rpc("session.create", {});
    return (await this.#rpc("session.send", { sessionId, prompt: "Go" })).messageId as string;
  }

  flood(runId: string, events: number): Promise<void> {
    return this.#server.call({ do: "flood", runId, events });
  }

  think(runId: string, events: number): Promise<void> {
    return this.#server.call({ do: "think", runId, events });
  }

  beat(runId: string, events: number, everyMs: number): Promise<void> {
    return this.#server.call({ do: "beat", runId, events, everyMs });
  }

  memory(): Promise<number> {
    return this.#server.call({ do: "memory" });
  }

  /** Who comes back is told that it is connected, and what is replayed. */
  place(runId: string, received?: number): Place {
    const after = received === undefined ? "" : `&last_received_sequence=${received}`;
    const paths = this.#signIns.map((signIn) => `/ws?operation_id=${runId}&session_id=${signIn}${after}`);
    return { port: this.#port, paths, greetings: received === undefined ? 1 : 2 };
  }

  async #signIn(): Promise<void> {
    const { session_id } = await this.#post("/api/v1/auth/verify", { token: this.#token });
    this.#signIns.push(session_id as string);
  }

  async #rpc(method: string, params: object): Promise<Record<string, unknown>> {
    const { result, error } = await this.#post("/rpc", { jsonrpc: "2.0", id: "1", method, params });
    if (!result) throw new Error(JSON.stringify(error));
    return result as Record<string, unknown>;
  }

  async #post(path: string, body: object): Promise<Record<string, unknown>> {
    const headers = { Authorization: `Bearer ${this.#token}`, "Content-Type": "application/json" };
    const answer = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, unknown>;
  }
}
