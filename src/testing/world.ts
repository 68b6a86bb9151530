import { ManualClock } from "../core/clock.ts";
import type { AskReply, EngineIO } from "../core/engine.ts";
import { DragomanError } from "../core/errors.ts";
import type { AskKind, Event, Origin, RunInput } from "../core/events.ts";
import { seededIds } from "../core/ids.ts";
import { Runtime } from "../core/runtime.ts";
import type { Session } from "../core/session.ts";
import type { Store } from "../core/store.ts";
import type { Dialect, NumberedFrame } from "../dialects/dialect.ts";
import { Feed } from "../dialects/feed.ts";
import { Views } from "../dialects/views.ts";
import { memoryStore } from "../stores/memory.ts";
import { MemorySink } from "./memory-sink.ts";
import { readAll } from "./read-all.ts";
import { scripted, settle } from "./scripted.ts";
import { slowAppends, slowReads } from "./slow-store.ts";

// One session in a small world: owners that come and go, people who prompt, cancel and answer at any moment, clients that watch,
// stall, vanish and come back, a store that takes its time. It keeps a record of what everyone was told.

export const SECRET = "s3cr3t-t0ken";

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
  feed?: Feed;
  sink: MemorySink;
  /** All that it was sent, over all its connections. */
  got: NumberedFrame[];
  cursor: { seq: number; k?: number };
}

export class World {
  readonly clock = new ManualClock();
  readonly store: Store;
  readonly clients: Client[] = [];
  readonly cancelled = new Set<string>();
  readonly accepted = new Set<string>();
  readonly answered = new Set<number>();
  readonly refusals: string[] = [];
  readonly surprises: string[] = [];
  readonly runIds: string[] = [];
  readonly #pending = new Set<Promise<unknown>>();
  readonly #newId = seededIds("world");
  readonly #delays: number[];
  readonly #detach: (() => void)[] = [];
  /** Who is attached at the owner of the moment; a lost owner goes on with its own. */
  #presence = { count: 0 };
  #runtime: Runtime;
  #views: Views;
  #session!: Session;
  #answers = 0;

  constructor(delays: number[]) {
    this.#delays = delays;
    this.store = slowAppends(memoryStore(), delays);
    this.#runtime = this.#newRuntime();
    this.#views = this.#newViews();
  }

  static async begin(delays: number[]): Promise<World> {
    const world = new World(delays);
    world.#session = await world.#runtime.create({ workspace: "/w", engine: "scripted" });
    return world;
  }

  get sessionId(): string {
    return this.#session.id;
  }

  log(): Promise<Event[]> {
    return readAll(this.store, this.sessionId);
  }

  prompt(program: Program, whenBusy: "queue" | "refuse"): void {
    const input: RunInput = { text: "go", args: { ...program } };
    this.#note(
      this.#session.prompt({ kind: "prompt", input, by: { dialect: "ui" }, whenBusy }).then(({ runId }) => {
        this.runIds.push(runId);
        this.accepted.add(runId);
      }),
    );
  }

  cancel(index: number): void {
    const runId = this.runIds[index % Math.max(1, this.runIds.length)];
    if (!runId) return;
    this.cancelled.add(runId);
    this.#note(this.#session.cancel(runId, "enough", { dialect: "ui" }));
  }

  async answer(index: number, valid: boolean): Promise<void> {
    const asks = (await this.log()).filter((event) => event.type === "ask.opened");
    const ask = asks[index % Math.max(1, asks.length)];
    if (!ask) return;
    const id = this.#answers++;
    const by: Origin = { dialect: "sidecar", requestId: id };
    const given = valid ? { ok: true, value: SECRET } : { nonsense: true };
    this.#note(this.#session.answer(ask.askId, given, by).then(() => this.answered.add(id)));
  }

  attach(): void {
    this.#presence.count++;
    this.#detach.push(this.#session.attach(["confirm", "prompt"] satisfies AskKind[]));
  }

  detach(): void {
    const detach = this.#detach.pop();
    if (!detach) return;
    detach();
    this.#presence.count--;
  }

  /** Another process takes the session over; the one that had it does not know yet. */
  async takeOver(): Promise<void> {
    while (this.#detach.length > 0) this.detach();
    this.#runtime = this.#newRuntime();
    this.#session = await this.#runtime.open(this.sessionId);
    this.#views = this.#newViews();
    for (const client of this.clients) if (client.feed) this.vanish(client);
  }

  watch(dialect: Dialect, profile: unknown, slow: boolean): void {
    const client = { dialect, profile, slow, sink: new MemorySink(!slow), got: [], cursor: { seq: 0 } };
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
    const feed = new Feed({ views: this.#views, sessionId: this.sessionId, dialect, profile, after, sink });
    sink.onDrain = () => feed.pump();
    Object.assign(client, { sink, feed });
  }

  /** Lets every run end, every client come back and take all there is. */
  async end(): Promise<void> {
    while (this.#detach.length > 0) this.detach();
    for (let round = 0; round < 400 && this.#session.busy; round++) {
      const running = (await this.store.session(this.sessionId))?.run?.runId;
      if (running) {
        this.cancelled.add(running);
        this.#note(this.#session.cancel(running, "end", { dialect: "ui" }));
      }
      await settle(10);
      this.clock.advance(5000);
    }
    await settle();
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

  /** Clients that read slowly, the tail included. */
  #newViews(): Views {
    return new Views(slowReads(this.#runtime.store, this.#delays));
  }

  #newRuntime(): Runtime {
    const presence = { count: 0 };
    this.#presence = presence;
    const engine = scripted((turn, io, signal) =>
      this.#perform(turn.input.args as unknown as Program, io, signal, () => presence.count === 0),
    );
    return new Runtime({
      store: this.store,
      engines: [engine],
      clock: this.clock,
      newId: this.#newId,
      secrets: [SECRET],
    });
  }

  async #perform(program: Program, io: EngineIO, signal: AbortSignal, isAlone: () => boolean): Promise<string> {
    const { acts, ending } = program;
    for (const act of acts) {
      if (signal.aborted && ending !== "ignore") throw signal.reason;
      await this.#act(act, io, signal, isAlone);
    }
    if (ending === "throw") throw new Error("broken");
    if (ending === "hang") await new Promise((resolve) => signal.addEventListener("abort", resolve));
    if (ending === "ignore") await new Promise(() => {});
    return `done with ${SECRET}`;
  }

  async #act(act: Act, io: EngineIO, signal: AbortSignal, isAlone: () => boolean): Promise<void> {
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
      const alone = isAlone();
      const reply = await io.ask({ kind: "confirm", title: "Go on?", message: "" }, 2000);
      this.#checkReply(reply, alone, signal);
    }
  }

  #checkReply(reply: AskReply, alone: boolean, signal: AbortSignal): void {
    if (alone && reply.outcome !== "denied" && !signal.aborted) this.surprises.push("an ask that no one could answer");
    if (!alone && reply.outcome === "denied") this.surprises.push("an ask denied though someone was there");
  }
}
