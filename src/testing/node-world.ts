import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { DragomanError } from "../core/errors.ts";
import type { Event } from "../core/events.ts";
import type { Store } from "../core/store.ts";
import { dialects } from "../dialects/index.ts";
import type { Cursor } from "../dialects/view.ts";
import { NodeEnded, type NodeProcess, type Watched } from "./node-process.ts";
import type { Program } from "./node-program.ts";
import { readAll } from "./read-all.ts";
import { until } from "./scripted.ts";

// One session and several processes on its file, which come, go, are killed and fall silent, with clients at each of them. It keeps
// a record of what everyone was told.

/** `at` chooses a process, `which` a client or a run. */
export type Step =
  | { do: "prompt"; at: number; program: Program; whenBusy: "queue" | "refuse" }
  | { do: "cancel" | "come back"; at: number; which: number }
  | { do: "answer" | "attach" | "detach" | "kill" | "end" | "silence"; at: number }
  /** Two at once. */
  | { do: "race"; at: number; other: number }
  | { do: "kill the owner" }
  | { do: "watch"; at: number; dialect: number }
  | { do: "vanish"; which: number }
  | { do: "start" }
  | { do: "wait"; ms: number };

export interface WorldClient {
  dialect: string;
  /** One after the other. */
  connections: Watched[];
  at?: { process: NodeProcess; name: string };
}

/** What is said to someone who comes at the wrong moment, and to no one else. */
const EXPECTED = ["run_active", "queue_full", "run_not_found", "ask_closed"];
const MOST_PROCESSES = 4;

export class NodeWorld {
  readonly clients: WorldClient[] = [];
  readonly prompted = new Set<string>();
  readonly cancelled = new Set<string>();
  readonly answered = new Set<string>();
  /** The prompts and answers that were refused. */
  readonly refused = new Set<string>();
  readonly surprises: string[] = [];
  readonly everyone: NodeProcess[] = [];
  sessionId = "";
  readonly #launch: () => Promise<NodeProcess>;
  readonly #store: Store;
  readonly #runIds: string[] = [];
  readonly #pending = new Set<Promise<unknown>>();
  #names = 0;

  constructor(store: Store, launch: () => Promise<NodeProcess>) {
    this.#store = store;
    this.#launch = launch;
  }

  static async begin(store: Store, launch: () => Promise<NodeProcess>): Promise<NodeWorld> {
    const world = new NodeWorld(store, launch);
    await Promise.all([world.#start(), world.#start(), world.#start()]);
    world.sessionId = (await world.everyone[0]?.call<string>({ do: "create" })) ?? "";
    return world;
  }

  log(): Promise<Event[]> {
    return readAll(this.#store, this.sessionId);
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case "wait":
        return void (await pause(step.ms));
      case "start":
        return void (this.#living.length < MOST_PROCESSES && (await this.#start()));
      case "kill the owner":
        return (await this.#owner())?.kill();
      case "vanish":
        return this.#vanish(this.clients[step.which % Math.max(1, this.clients.length)]);
    }
    const { sessionId } = this;
    const process = this.#processAt(step.at);
    if (!process) return void (await this.#start());
    switch (step.do) {
      case "prompt":
        return this.#prompt(process, step.program, step.whenBusy);
      case "cancel":
        return this.#cancel(process, this.#runIds[step.which % Math.max(1, this.#runIds.length)]);
      case "answer":
        return this.#answer(process);
      case "race":
        return void (await Promise.all([process, this.#processAt(step.other)].map((each) => this.#answer(each))));
      case "attach":
      case "detach":
        return this.#note(process, process.call({ do: step.do, sessionId }));
      case "watch":
        return this.#watch(process, dialects[step.dialect % dialects.length]?.name ?? "");
      case "come back":
        return this.#comeBack(process, this.clients[step.which % Math.max(1, this.clients.length)]);
      case "kill":
        return process.kill();
      case "end":
        return void this.#note(process, process.end());
      case "silence":
        return this.#silence(process);
    }
  }

  /** Lets every run end, every client come back and take all there is. */
  async end(): Promise<void> {
    await Promise.all(this.#pending);
    const last = this.#living[0] ?? (await this.#start());
    await last.call({ do: "attach", sessionId: this.sessionId });
    // A prompt that a killed process had posted may be delivered only now, and is a run that clients see like any other.
    for (let seen = -1; seen !== (await this.#lastSeq()); ) {
      await this.#endRuns(last);
      seen = await this.#lastSeq();
      for (const client of this.clients) this.#comeBack(last, client);
      await Promise.all(this.#pending);
    }
  }

  async #lastSeq(): Promise<number> {
    return (await this.#store.session(this.sessionId))?.lastSeq ?? 0;
  }

  async #endRuns(last: NodeProcess): Promise<void> {
    await until(async () => {
      const { run, queued = [] } = (await this.#store.session(this.sessionId)) ?? {};
      const under = run?.status === "running" || run?.status === "cancelling" ? [run] : [];
      if (under.length + queued.length === 0) return true;
      for (const { runId } of [...under, ...queued]) this.#cancel(last, runId);
      await Promise.all(this.#pending);
      return false;
    }, "the end of all runs");
  }

  get #living(): NodeProcess[] {
    return this.everyone.filter(({ isRunning, isEnding }) => isRunning && !isEnding);
  }

  #processAt(at: number): NodeProcess | undefined {
    return this.#living[at % Math.max(1, this.#living.length)];
  }

  async #owner(): Promise<NodeProcess | undefined> {
    const owner = await this.#store.nodes.owner(this.sessionId);
    return this.#living.find(({ node }) => node === owner?.node);
  }

  async #start(): Promise<NodeProcess> {
    const process = await this.#launch();
    this.everyone.push(process);
    return process;
  }

  #prompt(process: NodeProcess, program: Program, whenBusy: "queue" | "refuse"): void {
    const runId = randomUUID();
    this.#runIds.push(runId);
    const asked = process.call({ do: "prompt", sessionId: this.sessionId, runId, program, whenBusy });
    this.#note(
      process,
      asked.then(() => this.prompted.add(runId)),
      runId,
    );
  }

  #cancel(process: NodeProcess, runId: string | undefined): void {
    if (runId === undefined) return;
    const asked = process.call<{ accepted: boolean }>({ do: "cancel", sessionId: this.sessionId, runId });
    this.#note(
      process,
      asked.then(({ accepted }) => accepted && this.cancelled.add(runId)),
    );
  }

  /** One that is open, or else the latest that anyone was put, which is closed by now. */
  async #answer(process: NodeProcess | undefined): Promise<void> {
    const frames = this.clients.flatMap(({ connections }) => connections.flatMap((connection) => connection.frames));
    const [open] = (await this.#store.session(this.sessionId))?.asks ?? [];
    const askId = open?.askId ?? frames.findLast(({ ask }) => ask !== undefined)?.ask;
    if (!process || askId === undefined) return;
    const requestId = randomUUID();
    const by = { dialect: "test", requestId };
    const asked = process.call({ do: "answer", sessionId: this.sessionId, askId, by });
    this.#note(
      process,
      asked.then(() => this.answered.add(requestId)),
      requestId,
    );
  }

  /** For a moment, as when a machine is busy with something else. */
  async #silence(process: NodeProcess): Promise<void> {
    process.stop();
    await pause(100);
    process.goOn();
  }

  #watch(process: NodeProcess, dialect: string): void {
    const client = { dialect, connections: [] };
    this.clients.push(client);
    this.#comeBack(process, client);
  }

  #vanish(client: WorldClient | undefined): void {
    if (!client?.at) return;
    const { process, name } = client.at;
    client.at = undefined;
    // What comes after it has gone is not for it.
    const gone = client.connections.at(-1);
    if (gone)
      client.connections[client.connections.length - 1] = {
        ...gone,
        frames: [...gone.frames],
        events: [...gone.events],
      };
    this.#note(process, process.call({ do: "vanish", client: name }));
  }

  #comeBack(process: NodeProcess, client: WorldClient | undefined): void {
    if (!client || (client.at?.process.isRunning && !client.at.process.isEnding)) return;
    this.#vanish(client);
    const after = cursorOf(client);
    const name = `client ${++this.#names}`;
    client.at = { process, name };
    client.connections.push(process.seen(name));
    const { sessionId } = this;
    this.#note(process, process.call({ do: "watch", client: name, sessionId, dialect: client.dialect, after }));
  }

  /** What is refused is told with a code that fits the moment, or the process is at its end; anything else is a surprise. */
  #note(process: NodeProcess, doing: Promise<unknown>, id = ""): void {
    const noted = doing.catch((error) => {
      if (error instanceof NodeEnded) return; // nobody can say whether it was done
      if (error.code !== "owner_unreachable") this.refused.add(id);
      const fits = process.isEnding ? [...EXPECTED, "owner_unreachable"] : EXPECTED;
      if (!(error instanceof DragomanError && fits.includes(error.code))) this.surprises.push(String(error.stack));
    });
    this.#pending.add(noted);
    void noted.then(() => this.#pending.delete(noted));
  }
}

/** An ask that is put again is older than what came before it. */
function cursorOf({ connections }: WorldClient): Cursor {
  const frames = connections.flatMap((connection) => connection.frames);
  const last = frames.findLast(({ ask, seq }) => ask === undefined && seq !== undefined);
  return last ? { seq: last.seq ?? 0, k: last.k } : { seq: 0 };
}
