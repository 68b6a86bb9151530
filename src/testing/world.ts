import { ManualClock } from "../core/clock.ts";
import type { AskReply, Engine, EngineIO } from "../core/engine.ts";
import { DragomanError } from "../core/errors.ts";
import type { AskKind, Event, Origin, RunInput } from "../core/events.ts";
import { seededIds } from "../core/ids.ts";
import { resumeByReplay } from "../core/replayed-io.ts";
import { Runtime } from "../core/runtime.ts";
import type { SessionHandle } from "../core/session-handle.ts";
import type { Store } from "../core/store.ts";
import type { Dialect, NumberedFrame } from "../dialects/dialect.ts";
import { Feed } from "../dialects/feed.ts";
import { Views } from "../dialects/views.ts";
import { memoryStore } from "../stores/memory.ts";
import { MemorySink } from "./memory-sink.ts";
import { readAll } from "./read-all.ts";
import { scripted, settle } from "./scripted.ts";
import { slowAppends, slowReads } from "./slow-store.ts";

// One session in a small world: nodes that come, die and go on for a while without knowing it, people who prompt, cancel and
// answer at any of them at any moment, clients that watch, stall, vanish and come back, a store that takes its time. It keeps a
// record of what everyone was told.

export const SECRET = "s3cr3t-t0ken";
export const NODES = 3;

/** What a run's engine does, one after the other. */
export type Act = "think" | "say" | "tool" | "ask" | "secret" | "wait";
export type Ending = "complete" | "throw" | "hang" | "ignore";
export interface Program {
  acts: Act[];
  ending: Ending;
}

export interface Client {
  dialect: Dialect;
  profile: unknown;
  slow: boolean;
  place: number;
  feed?: Feed;
  sink: MemorySink;
  /** All that it was sent, over all its connections. */
  got: NumberedFrame[];
  cursor: { seq: number; k?: number };
}

interface Node {
  runtime: Runtime;
  views: Views;
  pid: number;
  /** Who is attached at it. */
  detach: (() => void)[];
}

export class World {
  readonly clock = new ManualClock();
  readonly store: Store;
  readonly clients: Client[] = [];
  readonly cancelled = new Set<string>();
  readonly accepted = new Set<string>();
  readonly answered = new Set<number>();
  /** Answers of which whoever gave them was not told what became of them. */
  readonly unsure = new Set<number>();
  readonly refusals: string[] = [];
  readonly surprises: string[] = [];
  readonly runIds: string[] = [];
  readonly #pending = new Set<Promise<unknown>>();
  readonly #newId = seededIds("world");
  readonly #delays: number[];
  readonly #resumes: boolean;
  readonly #dead = new Set<number>();
  readonly #nodes: Node[] = [];
  readonly #lost: Node[] = [];
  #sessionId = "";
  #answers = 0;
  #pids = 0;

  private constructor(delays: number[], resumes: boolean) {
    this.#delays = delays;
    this.#resumes = resumes;
    const mayBeRunning = ({ pid }: { pid: number }) => !this.#dead.has(pid);
    this.store = slowAppends(memoryStore({ clock: this.clock, mayBeRunning }), delays);
    for (let i = 0; i < NODES; i++) this.#nodes.push(this.#newNode());
  }

  /** `resumes`: whether its engine can go on with a run that another process began. */
  static async begin(delays: number[], resumes: boolean): Promise<World> {
    const world = new World(delays, resumes);
    world.#sessionId = (await world.#node(0).runtime.create({ workspace: "/w", engine: "scripted" })).id;
    return world;
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  log(): Promise<Event[]> {
    return readAll(this.store, this.sessionId);
  }

  async prompt(at: number, program: Program, whenBusy: "queue" | "refuse"): Promise<void> {
    const input: RunInput = { text: "go", args: { ...program } };
    const session = await this.#session(at);
    this.#note(
      session.prompt({ kind: "prompt", input, by: { dialect: "ui" }, whenBusy }).then(({ runId }) => {
        this.runIds.push(runId);
        this.accepted.add(runId);
      }),
    );
  }

  async cancel(at: number, index: number): Promise<void> {
    const runId = this.runIds[index % Math.max(1, this.runIds.length)];
    if (!runId) return;
    this.cancelled.add(runId);
    this.#note((await this.#session(at)).cancel(runId, "enough", { dialect: "ui" }));
  }

  async answer(at: number, index: number, valid: boolean): Promise<void> {
    const asks = (await this.log()).filter((event) => event.type === "ask.opened");
    const ask = asks[index % Math.max(1, asks.length)];
    if (!ask) return;
    const id = this.#answers++;
    const by: Origin = { dialect: "sidecar", requestId: id };
    const given = valid ? { ok: true, value: SECRET } : { nonsense: true };
    const session = await this.#session(at);
    this.#note(
      session.answer(ask.askId, given, by).then(
        () => this.answered.add(id),
        (error) => {
          if (error instanceof DragomanError && error.code === "owner_unreachable") this.unsure.add(id);
          throw error;
        },
      ),
    );
  }

  async attach(at: number): Promise<void> {
    this.#node(at).detach.push((await this.#session(at)).attach(["confirm", "prompt"] satisfies AskKind[]));
  }

  detach(at: number): void {
    this.#node(at).detach.pop()?.();
  }

  /** The process is gone, as far as the others can see, and another one starts. What it was doing goes on until it is fenced off. */
  crash(at: number): void {
    const place = at % NODES;
    const node = this.#node(place);
    this.#dead.add(node.pid);
    this.#lost.push(node);
    for (const client of this.clients) if (client.place === place) this.vanish(client);
    this.#nodes[place] = this.#newNode();
  }

  watch(at: number, dialect: Dialect, profile: unknown, slow: boolean): void {
    const place = at % NODES;
    const client = { dialect, profile, slow, place, sink: new MemorySink(!slow), got: [], cursor: { seq: 0 } };
    this.clients.push(client);
    this.comeBack(client);
  }

  vanish(client: Client): void {
    if (!client.feed) return;
    const asks = client.sink.received.flatMap((frame) => frame.ask ?? []);
    if (new Set(asks).size < asks.length) this.surprises.push("an ask put twice on one connection");
    client.feed.close();
    client.feed = undefined;
    client.got.push(...client.sink.numbered); // what was not sent yet is lost with the connection
    const last = client.got.findLast((frame) => !frame.ask); // an ask that is put again is older than what came before it
    if (last) client.cursor = { seq: last.seq, k: last.k };
  }

  comeBack(client: Client): void {
    if (client.feed) return;
    const { dialect, profile, cursor: after } = client;
    const sink = new MemorySink(!client.slow);
    const { views } = this.#node(client.place);
    const feed = new Feed({ views, sessionId: this.sessionId, dialect, profile, after, sink });
    sink.onDrain = () => feed.pump();
    Object.assign(client, { sink, feed });
  }

  /** Lets every run end, every client come back and take all there is. */
  async end(): Promise<void> {
    for (const { detach } of this.#nodes) for (const each of detach.splice(0)) each();
    const session = await this.#session(0);
    const isBusy = async () => this.#pending.size > 0 || (await session.busy());
    for (let round = 0; round < 400 && (await isBusy()); round++) {
      const { run } = (await this.store.session(this.sessionId)) ?? {};
      if (run && (run.status === "running" || run.status === "cancelling")) {
        this.cancelled.add(run.runId);
        this.#note(session.cancel(run.runId, "end", { dialect: "ui" }));
      }
      await settle(10);
      this.clock.advance(1000);
    }
    if (await isBusy()) this.surprises.push("a run that never ended");
    await Promise.all(this.#pending);
    await this.#lookToTheEnd();
  }

  async #lookToTheEnd(): Promise<void> {
    for (const client of this.clients) this.comeBack(client);
    for (let quiet = 0, before = -1; quiet < 3; ) {
      await settle(10);
      for (const client of this.clients) client.sink.drain();
      const now = this.clients.reduce((sum, client) => sum + client.sink.received.length, 0);
      quiet = now === before ? quiet + 1 : 0;
      before = now;
    }
    for (const client of this.clients) this.vanish(client);
  }

  /** What is refused is told with a code of ours, and what is not is a surprise. */
  #note(doing: Promise<unknown>): void {
    const noted = doing.catch((error) => {
      if (error instanceof DragomanError) this.refusals.push(error.code);
      else this.surprises.push(String(error));
    });
    this.#pending.add(noted);
    void noted.then(() => this.#pending.delete(noted));
  }

  #node(at: number): Node {
    const node = this.#nodes[at % NODES];
    if (!node) throw new Error(`there is no node ${at}`);
    return node;
  }

  #session(at: number): Promise<SessionHandle> {
    return this.#node(at).runtime.open(this.sessionId);
  }

  #newNode(): Node {
    const pid = ++this.#pids;
    const runtime = new Runtime({
      store: this.store,
      engines: [this.#engine()],
      clock: this.clock,
      newId: this.#newId,
      secrets: [SECRET],
      identity: { host: "here", pid, startedAt: "" },
    });
    // Clients that read slowly, the tail included.
    return { runtime, views: new Views(slowReads(runtime.store, this.#delays)), pid, detach: [] };
  }

  #engine(): Engine {
    const play = (args: unknown, io: EngineIO, signal: AbortSignal) => this.#perform(args as Program, io, signal);
    const engine = scripted(({ input }, io, signal) => play(input.args, io, signal));
    if (!this.#resumes) return engine;
    return {
      ...engine,
      resume: (turn, log, io, signal) =>
        resumeByReplay(turn, log, io, async (replayed) => ({ text: await play(turn.input.args, replayed, signal) })),
    };
  }

  async #perform({ acts, ending }: Program, io: EngineIO, signal: AbortSignal): Promise<string> {
    for (const act of acts) {
      if (signal.aborted && ending !== "ignore") throw signal.reason;
      await this.#act(act, io, signal);
    }
    if (ending === "throw") throw new Error("broken");
    if (ending === "hang") await new Promise((resolve) => signal.addEventListener("abort", resolve));
    if (ending === "ignore") await new Promise(() => {});
    return `done with ${SECRET}`;
  }

  async #act(act: Act, io: EngineIO, signal: AbortSignal): Promise<void> {
    if (act === "wait") return settle(3);
    if (act === "think") for (const text of ["hm ", "hm\n"]) await io.emit({ type: "thinking.delta", text });
    if (act === "say") for (const text of ["he", "llo\n"]) await io.emit({ type: "text.delta", text, of: "answer" });
    if (act === "secret") {
      for (const text of ["the s3cr", "3t-t0", "ken."]) await io.emit({ type: "text.delta", text, of: "answer" });
    }
    if (act === "tool") {
      const callId = this.#newId();
      await io.emit({ type: "tool.requested", callId, tool: "exec.run", args: { command: `use ${SECRET}` } });
      await io.emit({ type: "tool.output", callId, text: "out\n" });
      await io.emit({ type: "tool.finished", callId, result: "ok", durationMs: 1 });
    }
    if (act === "ask") {
      const alone = this.#isAlone() && !("live" in io); // one that is resumed was asked when it may have been otherwise
      const reply = await io.ask({ kind: "confirm", title: "Go on?", message: "" }, 2000);
      this.#checkReply(reply, alone, signal);
    }
  }

  /** Whether nobody is attached anywhere, nor was where a process died. */
  #isAlone(): boolean {
    return [...this.#nodes, ...this.#lost].every(({ detach }) => detach.length === 0);
  }

  #checkReply(reply: AskReply, alone: boolean, signal: AbortSignal): void {
    if (reply.outcome === "answered" && alone && !signal.aborted)
      this.surprises.push("an ask that no one could answer");
  }
}
