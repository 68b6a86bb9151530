import { isDeepStrictEqual } from "node:util";
import { Asks, askClosedError } from "./asks.ts";
import type { Clock } from "./clock.ts";
import type { Engine, Turn } from "./engine.ts";
import { asDragomanError, DragomanError } from "./errors.ts";
import type { AgentSession, AskKind, Origin, RunInput, RunKind } from "./events.ts";
import { isUuid, type NewId } from "./ids.ts";
import { Journal } from "./journal.ts";
import { endOfRun, engineAt, findLast, hasRun } from "./landmarks.ts";
import { type RunRules, withRules } from "./rules.ts";
import { Run } from "./run.ts";
import { type Accepted, RunQueue } from "./run-queue.ts";
import type { SessionChange } from "./session-handle.ts";
import type { Fence, Store } from "./store.ts";
import { isUnderWay, type RunStatus, type SessionSummary } from "./summary.ts";
import type { Leftover, Supervised } from "./supervision.ts";
import { recordLeftovers, recordLostRun, waitingRun } from "./taken-over.ts";
import type { Toolbox } from "./tool-call.ts";
import { toolRuns } from "./tool-run.ts";

export interface RunRequest {
  kind: RunKind;
  input: RunInput;
  by: Origin;
  /** Of this run alone; the session's if not said. */
  model?: string;
  rules?: RunRules;
  /** Chosen by whoever asks from afar, so that it knows the run before the answer comes. */
  runId?: string;
  /** Whether to wait for the run under way, or to be refused with `run_active`. */
  whenBusy: "queue" | "refuse";
}

export interface SessionDeps {
  store: Store;
  clock: Clock;
  newId: NewId;
  engine(name: string): Engine;
  secrets: Iterable<string>;
  toolbox: Toolbox;
  /** Whether someone is attached, at this node or another, who could answer such an ask. */
  canAsk(sessionId: string, kind: AskKind): Promise<boolean>;
  /** Records a process that a run is about to start. */
  supervise(sessionId: string, runId: string, title: string): Promise<Supervised>;
  /** Ends what earlier owners of the session started and left running, once `checkOurs` says that nobody has taken it since. */
  endLeftovers(sessionId: string, checkOurs: () => Promise<void>): Promise<Leftover[]>;
  /** Ends what engines keep for the session between runs; of the one named, nothing. */
  leaveEngines(sessionId: string, except?: string): Promise<void>;
  /** Whether to go on with what waits in the queue; a node that is there for one run does not, nor one that is stopping. */
  startsQueued(): boolean;
  /** The log cannot be written any more: the session is of no use. */
  onBroken(error: DragomanError): unknown;
}

/** The owner's side of a session: one run at a time, a queue behind it, its open asks. */
export class Session {
  readonly id: string;
  readonly fence: Fence;
  readonly #deps: SessionDeps;
  readonly #journal: Journal;
  readonly #asks: Asks;
  #about: Pick<SessionSummary, "workspace" | "engine" | "model" | "rules" | "clientTools" | "agentSession" | "closed">;
  /** The engine of the last run here, or of the one under way. It may keep something for the next. */
  #lastEngine: string | undefined;
  #run: Run | undefined;
  readonly #queue: RunQueue;
  /** Runs that were asked for and of which nothing is on disk yet. */
  readonly #arriving = new Set<string>();
  #stopping = false;
  /** Its run was left to another owner. */
  #left = false;
  #broken: DragomanError | undefined;

  private constructor(summary: SessionSummary, fence: Fence, deps: SessionDeps) {
    this.id = summary.sessionId;
    this.fence = fence;
    this.#deps = deps;
    this.#about = summary;
    const { store, clock, newId, secrets } = deps;
    const lastAt = summary.updatedAt;
    const journal = new Journal(store, fence, { clock, secrets, lastAt, onFailure: (error) => this.#break(error) });
    this.#journal = journal;
    const isUnderWay = (runId: string) => this.#run?.turn.runId === runId;
    this.#queue = new RunQueue({ store, sessionId: this.id, journal, isUnderWay });
    this.#asks = new Asks({
      clock,
      now: () => journal.now(),
      newId,
      record: (event) => journal.record(event),
      durable: () => journal.durable(),
      onSecret: (secret) => journal.addSecret(secret),
    });
  }

  /** Takes a session over, in the state in which its last owner left it. */
  static async open(summary: SessionSummary, fence: Fence, deps: SessionDeps): Promise<Session> {
    const session = new Session(summary, fence, deps);
    try {
      await session.#recover(summary);
    } catch (error) {
      session.#run?.abandon(); // nobody would have it
      throw error;
    }
    return session;
  }

  /** Why the log cannot be written any more, if it cannot. */
  get broken(): DragomanError | undefined {
    return this.#broken;
  }

  get busy(): boolean {
    return this.#run !== undefined || this.#queue.length > 0;
  }

  /** Whether nothing is under way, nor about to be. */
  get idle(): boolean {
    return !this.busy && this.#arriving.size === 0;
  }

  /** A value that must not enter the log from now on. */
  addSecret(secret: string): void {
    this.#journal.addSecret(secret);
  }

  forgetSecret(secret: string): void {
    this.#journal.forgetSecret(secret);
  }

  /** Throws, and takes nothing more, when another node has taken the session over. Appends tell it anyway; this is for who waits. */
  async verify(): Promise<void> {
    try {
      await this.#deps.store.append(this.id, [], this.fence);
    } catch (error) {
      const known = asDragomanError(error, "store_failed");
      if (known.code === "stale_owner") this.#break(known);
      throw known;
    }
  }

  /** Starts a run, or puts it in the queue. Resolves when that is on disk. `isNew`: nobody can have used the id before. */
  async prompt(request: Accepted, isNew = false): Promise<{ runId: string; queued: boolean }> {
    const { artifactId: _, ...input } = request.input; // artifacts are the log's own
    const accepted = { ...request, input };
    if (this.#arriving.has(accepted.runId)) throw runExists(accepted.runId);
    this.#arriving.add(accepted.runId);
    try {
      if (!isNew && (await this.#isKnown(accepted.runId))) throw runExists(accepted.runId);
      this.#checkOpen();
      return await this.#accept(accepted);
    } finally {
      this.#arriving.delete(accepted.runId);
    }
  }

  async #accept(request: Accepted): Promise<{ runId: string; queued: boolean }> {
    const { runId } = request;
    if (!this.busy && !this.#stopping) {
      await this.#start(request);
      return { runId, queued: false };
    }
    if (request.whenBusy === "refuse" && !this.busy) {
      throw new DragomanError("owner_unreachable", "The process that has this session is stopping.");
    }
    if (request.whenBusy === "refuse") {
      throw new DragomanError("run_active", "A run is active in this session. Wait for its end, or cancel it.");
    }
    await this.#queue.add({ ...request, engine: this.#about.engine });
    return { runId, queued: true };
  }

  /** `accepted` is false when the run had ended already. Resolves when the cancelling is on disk. */
  async cancel(runId: string, reason: string, by?: Origin): Promise<{ accepted: boolean; status: RunStatus }> {
    this.#checkOurs();
    const run = this.#run;
    if (run?.turn.runId === runId && !run.ended) {
      await run.cancel(reason, by);
      return { accepted: true, status: "cancelling" };
    }
    if (await this.#queue.cancel(runId, reason)) return { accepted: true, status: "cancelled" };
    return { accepted: false, status: await this.#endOf(runId) };
  }

  /** The first valid answer wins. Resolves when it is on disk. */
  async answer(askId: string, answer: unknown, by: Origin): Promise<void> {
    this.#checkOurs();
    try {
      await this.#asks.answer(askId, answer, by);
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code !== "ask_not_found") throw error;
      const closed = await findLast(this.#deps.store, this.id, "ask.closed", (event) => event.askId === askId);
      throw closed ? askClosedError(askId, closed) : error;
    }
  }

  async update({ title, model, engine, rules, clientTools }: SessionChange): Promise<void> {
    this.#checkOpen();
    const change = Object.fromEntries(
      Object.entries({ title, model, engine, rules, clientTools }).filter(([, value]) => value !== undefined),
    );
    this.#journal.record({ type: "session.updated", ...change });
    const isOther = engine !== undefined && engine !== this.#about.engine;
    this.#about = { ...this.#about, ...(isOther && { model: undefined }), ...change }; // as the summary has it
    await this.#journal.durable();
  }

  /** Ends the session for good: nothing runs in it any more. */
  async close(reason?: string): Promise<void> {
    this.#checkOpen();
    this.#about = { ...this.#about, closed: true };
    await this.#queue.cancelAll("session_closed");
    const run = this.#run;
    if (run) {
      await run.cancel("session_closed");
      await run.done;
    }
    await this.#deps.leaveEngines(this.id);
    this.#journal.record({ type: "session.closed", reason });
    await this.#journal.durable();
  }

  /**
   * Ends the owner's part: the run under way gets `graceMs`, then it is cancelled; with `leaveWaiting` one that only waits for people
   * is left to whoever is answered next. What is queued stays queued in the log.
   */
  async stop(graceMs: number, leaveWaiting = false): Promise<void> {
    this.#stopping = true;
    await this.#endRun(graceMs, leaveWaiting);
    await this.#deps.leaveEngines(this.id);
  }

  async #endRun(graceMs: number, leaveWaiting: boolean): Promise<void> {
    const run = this.#run;
    if (!run) return;
    // Where the store does not even tell how it is with the run, it gets its grace.
    if (leaveWaiting && (await this.#leaveIfWaiting(run).catch(() => false))) return;
    const callOff = this.#deps.clock.after(graceMs, () => void run.cancel("owner_stopped").catch(() => {}));
    await run.done;
    callOff();
  }

  /** Whoever comes next need not wait until this process has stopped: the session is given back at once. */
  async #leaveIfWaiting(run: Run): Promise<boolean> {
    const { store } = this.#deps;
    const { recorded } = this.#journal;
    await this.#journal.durable();
    const engine = this.#engineOf(run.turn.kind, this.#lastEngine ?? this.#about.engine);
    const summary = engine.resume && (await store.session(this.id));
    const waiting = summary?.run && (await waitingRun(store, this.id, summary.run.seq));
    if (!waiting || run.ended || recorded !== this.#journal.recorded) return false; // an answer may have come meanwhile
    this.#left = true;
    run.abandon();
    await store.release(this.fence);
    return true;
  }

  /** Resolves when no run is active and none is waiting. */
  async settled(): Promise<void> {
    while (this.#run) await this.#run.done;
  }

  async #start(request: Accepted): Promise<void> {
    const { runId, kind, input, by } = request;
    const isOfAnother = request.engine !== undefined && request.engine !== this.#about.engine;
    const model = (isOfAnother ? undefined : request.model) ?? this.#about.model;
    const rules = withRules(this.#about.rules, request.rules);
    const { engine } = this.#about;
    const run = this.#begin({ ...request, model, rules }, engine);
    try {
      this.#journal.record({ type: "run.started", runId, kind, input, by, model, rules });
      await this.#journal.durable();
    } catch (error) {
      run.abandon(); // nothing of it is in the log, and the caller is told
      throw error;
    }
    if (!run.ended) void run.execute(this.#engineOf(kind, engine)); // it may have been cancelled meanwhile
  }

  /** From now on this is the run under way. */
  #begin({ runId, kind, input, by, model, rules }: Omit<Turn, "sessionId" | "workspace">, engine: string): Run {
    const { workspace, agentSession: kept } = this.#about;
    const agentSession = kept?.engine === engine ? kept.id : undefined;
    const turn: Turn = { sessionId: this.id, runId, workspace, model, kind, input, by, rules, agentSession };
    if (this.#lastEngine !== undefined && this.#lastEngine !== engine) void this.#deps.leaveEngines(this.id, engine);
    this.#lastEngine = engine;
    const { clock, newId, toolbox, store, canAsk, supervise } = this.#deps;
    const run = new Run(turn, {
      clock,
      newId,
      toolbox,
      clientTools: () => this.#about.clientTools,
      journal: this.#journal,
      asks: this.#asks,
      canAsk: ({ kind: asked }) => canAsk(this.id, asked),
      supervise: (title) => supervise(this.id, runId, this.#journal.masked(title)),
      keep: (id) => this.#keep({ engine, id }),
      log: {
        read: (range) => store.read(this.id, range),
        artifact: (artifactId) => store.artifact(this.id, artifactId),
      },
    });
    this.#run = run;
    const rest = store.attend(); // a cancel or an answer may come from another node
    void run.done.then(() => {
      rest();
      this.#next(run);
    });
    return run;
  }

  #keep(agentSession: AgentSession): void {
    if (this.#broken || this.#left || isDeepStrictEqual(this.#about.agentSession, agentSession)) return;
    this.#journal.record({ type: "session.updated", agentSession });
    this.#about = { ...this.#about, agentSession };
  }

  #engineOf(kind: RunKind, name: string): Engine {
    return kind === "tool" ? toolRuns : this.#deps.engine(name);
  }

  #next(run: Run): void {
    if (this.#run === run) this.#run = undefined;
    if (this.#stopping || this.#run) return;
    if (!this.#deps.startsQueued()) this.#queue.leave();
    const request = this.#queue.next();
    if (request) void this.#start(request).catch(() => {}); // a failing store has told the session already
  }

  async #recover(summary: SessionSummary): Promise<void> {
    const { asks, queued, closed } = summary;
    const underWay = isUnderWay(summary) ? summary.run : undefined;
    const leftovers = await this.#deps.endLeftovers(this.id, () => this.verify());
    recordLeftovers(this.#journal, leftovers, underWay?.runId);
    if (underWay) {
      const resumed = asks.length > 0 && (await this.#resume(underWay.seq));
      if (!resumed) recordLostRun(this.#journal, underWay.runId, asks);
    }
    if (closed) await this.#queue.cancelAll("session_closed");
    else if (this.#deps.startsQueued()) await this.#queue.load(queued);
    await this.#journal.durable();
    const first = !this.#run && this.#deps.startsQueued() ? this.#queue.next() : undefined;
    if (first) await this.#start(first);
  }

  /** Goes on with a run that did nothing but wait for answers; false when it cannot be. Its asks stay open. */
  async #resume(startedAt: number): Promise<boolean> {
    const waiting = await waitingRun(this.#deps.store, this.id, startedAt);
    if (!waiting) return false;
    const { started, input, log, openAsks } = waiting;
    const name = (await engineAt(this.#deps.store, this.id, startedAt)) ?? this.#about.engine;
    const engine = this.#engineOf(started.kind, name);
    if (!engine.resume) return false;
    for (const ask of openAsks) this.#asks.reopen(ask);
    void this.#begin({ ...started, input }, name).resume(engine, log);
    return true;
  }

  /** The log cannot be written from here any more; whoever opens the session again goes on from what it has. */
  #break(error: DragomanError): void {
    if (this.#broken) return;
    this.#broken = error;
    this.#queue.leave();
    this.#run?.abandon();
    void this.#deps.leaveEngines(this.id);
    this.#deps.onBroken(error);
  }

  /** Of a run whose id the caller chose: one that is asked for twice is one run. */
  async #isKnown(runId: string): Promise<boolean> {
    if (!isUuid(runId)) throw new DragomanError("invalid_params", `The run's id ${JSON.stringify(runId)} is no UUID.`);
    return hasRun(this.#deps.store, this.id, runId);
  }

  /** Of a run that is not under way. */
  async #endOf(runId: string): Promise<RunStatus> {
    await this.#journal.durable(); // its end may be on its way
    const status = await endOfRun(this.#deps.store, this.id, runId);
    if (!status) throw new DragomanError("run_not_found", `There is no run ${runId} in this session.`);
    return status;
  }

  #checkOurs(): void {
    if (this.#broken) throw this.#broken;
    if (this.#left) throw new DragomanError("stale_owner", "the process that had the session is stopping");
  }

  #checkOpen(): void {
    this.#checkOurs();
    if (this.#about.closed) throw new DragomanError("session_closed", "The session is closed. Start a new one.");
  }
}

function runExists(runId: string): DragomanError {
  return new DragomanError("conflict", `There is a run ${runId} in this session already.`);
}
