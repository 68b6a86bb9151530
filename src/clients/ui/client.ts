import { isObject } from "../is-object.ts";
import { Asks } from "./asks.ts";
import { type CallOptions, ClientCalls } from "./client-calls.ts";
import type { ClientOptions, RunInput, Timeouts } from "./client-options.ts";
import { Connection, type Strays } from "./connection.ts";
import { Deadline } from "./deadline.ts";
import { handshake } from "./handshake.ts";
import { type History, HistoryReader } from "./history-reader.ts";
import type { Connect } from "./link.ts";
import { Listeners } from "./listeners.ts";
import { LogPlaces } from "./log-places.ts";
import { type ClientEvents, News } from "./news.ts";
import type { Expectation } from "./pending-calls.ts";
import type { Method, Params, Result, ServerCapabilities, UiContext } from "./protocol.ts";
import type { RunHandle } from "./runs.ts";
import { Runs } from "./runs.ts";
import { type State, type StateChange, type Supervised, Supervisor } from "./supervisor.ts";
import { UiError } from "./ui-error.ts";
import { Watches } from "./watches.ts";

// Nothing here is of Node: what carries the lines is handed in.

const TIMEOUT_MS = 30_000;
const usualTimeouts: Timeouts = { "run.start": 60_000 };
const MAX_RUNS = 20;
const MAX_EVENTS = 1500;

interface Live extends Supervised {
  connection: Connection;
}

/** The UI side of the `ui` protocol, over any link. */
export class LinkedUiClient extends ClientCalls {
  readonly #options: ClientOptions & { connect: Connect };
  readonly #listeners: Listeners<ClientEvents>;
  readonly #runs = new Runs(() => this.#flow());
  readonly #histories = new HistoryReader();
  readonly #places = new LogPlaces((session_id, last_seq) => this.#listeners.tell("logSeq", { session_id, last_seq }));
  readonly #watches = new Watches(this.#places);
  readonly #asks: Asks;
  readonly #news: News;
  readonly #supervisor: Supervisor<Live>;
  readonly #cutOff = new Set<string>();
  #server: Result<"initialize"> | undefined;
  #ids = 0;

  /** What came and could not be used. */
  readonly strays: Strays = {
    badLines: 0,
    tooLongLines: 0,
    lateResponses: 0,
    unknownResponses: 0,
    unknownNotifications: 0,
  };

  constructor(options: ClientOptions & { connect: Connect }) {
    super();
    this.#options = options;
    this.#listeners = new Listeners((kind, error) => {
      if (kind !== "log") this.#log(`A listener of "${String(kind)}" threw: ${error}`);
    });
    if (options.onLog) this.on("log", options.onLog);
    this.#asks = new Asks(options.handlers ?? {}, (text) => this.#log(text));
    this.#news = new News({
      listeners: this.#listeners,
      runs: this.#runs,
      asks: this.#asks,
      histories: this.#histories,
      places: this.#places,
      strays: this.strays,
      isPaused: () => this.#supervisor.current?.connection.paused ?? false,
    });
    this.#supervisor = new Supervisor({
      open: () => this.#open(),
      restart: options.restart ?? {},
      onChange: (change) => this.#changed(change),
    });
  }

  get state(): State {
    return this.#supervisor.state;
  }

  /** What the runtime said of itself when it was last started. */
  get server(): Result<"initialize"> | undefined {
    return this.#server;
  }

  get capabilities(): ServerCapabilities {
    return this.#server?.server_capabilities ?? {};
  }

  /** Starts the runtime and says hello. Resolves when calls are answered; calls made earlier wait for it. */
  start(): Promise<void> {
    return this.#supervisor.start();
  }

  /** Gives the function that takes the listener away again. What a listener throws is logged. */
  on<K extends keyof ClientEvents>(kind: K, listener: (value: ClientEvents[K]) => void): () => void {
    return this.#listeners.on(kind, listener);
  }

  call<M extends Method>(method: M, params: Params<M>, options: CallOptions = {}): Promise<Result<M>> {
    return this.#request(method, params, options, { take: (result) => result as Result<M> });
  }

  /** Tells of the context without waiting for an answer, or that it gets there; for selections that change fast. */
  notifyContext(context: UiContext): void {
    this.#supervisor.running?.connection.notify("ui.context.update", context);
  }

  async startRun({ text, sessionId, uiContext, meta, engine, model, ...options }: RunInput): Promise<RunHandle> {
    const input = { type: "text", text };
    const params = { input, session_id: sessionId, ui_context: uiContext, meta, engine, model };
    const expected = this.#runs.expectOne();
    try {
      return await this.#request("run.start", params, options, {
        take: (result) => this.#begin(result, sessionId),
        late: (result) => this.#cancelUnwanted(result),
      });
    } finally {
      expected();
    }
  }

  /** What was logged of a session; its prompts come as `hidden_user_message`. */
  async history(
    sessionId: string,
    { maxRuns, maxEvents, ...options }: { maxRuns?: number; maxEvents?: number } & CallOptions = {},
  ): Promise<History> {
    const params = { session_id: sessionId, max_runs: maxRuns, max_events: maxEvents };
    const most = (maxRuns ?? MAX_RUNS) + (maxEvents ?? MAX_EVENTS);
    return this.#within("session.history", options, async (deadline, { connection }) =>
      this.#histories.read(most, deadline, (expectation) =>
        connection.request("session.history", params, deadline, expectation),
      ),
    );
  }

  /**
   * Follows a session, whichever protocol it was begun in: listeners hear of every run in it, and handlers answer what is asked. `after`
   * is a number of its log, as any protocol tells it; without it, from now on. A runtime that is started again goes on where it was.
   */
  watch(sessionId: string, { after, ...options }: { after?: number } & CallOptions = {}) {
    return this.#request("session.watch", { session_id: sessionId, after }, options, {
      take: (result) => this.#watches.begin(result, sessionId, after),
    });
  }

  /** False when it was not watched. */
  async unwatch(sessionId: string, options: CallOptions = {}): Promise<boolean> {
    this.#watches.end(sessionId);
    return (await this.call("session.unwatch", { session_id: sessionId }, options)).ok;
  }

  /** The last event of a session's log of which everything has come; of one of which nothing came it is not known. */
  lastSeq(sessionId: string): number | undefined {
    return this.#places.lastSeq(sessionId);
  }

  /** Lets the runtime finish what it does, within its own bounds, and ends it. Nothing of it is left when this resolves. */
  close(): Promise<void> {
    this.#asks.closeAll();
    this.#runs.hearLastWords();
    this.#flow();
    return this.#supervisor.close();
  }

  #request<T>(method: Method, params: unknown, options: CallOptions, expectation: Expectation<T>): Promise<T> {
    return this.#within(method, options, (deadline, { connection }) =>
      connection.request(method, params, deadline, expectation),
    );
  }

  /** The time-out counts from here on, so also while the runtime is being started. */
  async #within<T>(
    method: Method,
    { timeoutMs, signal }: CallOptions,
    use: (deadline: Deadline, live: Live) => Promise<T>,
  ): Promise<T> {
    const deadline = new Deadline(method, timeoutMs ?? this.#timeoutOf(method), signal);
    try {
      const live = this.#supervisor.running ?? (await deadline.race(this.#supervisor.live()));
      const answer = use(deadline, live);
      this.#flow();
      return await answer;
    } finally {
      deadline.end();
      this.#flow();
    }
  }

  #timeoutOf(method: Method): number {
    const { timeouts = {} } = this.#options;
    return timeouts[method] ?? usualTimeouts[method] ?? timeouts.default ?? TIMEOUT_MS;
  }

  #open(): Live {
    let end: (reason: UiError) => void = () => {};
    const ended = new Promise<UiError>((resolve) => (end = resolve));
    const connection: Connection = new Connection({
      connect: this.#options.connect,
      strays: this.strays,
      nextId: () => `c${++this.#ids}`,
      events: {
        notification: (message, size) => {
          this.#news.hear(message, size);
          this.#flow();
        },
        request: (request) => {
          // Whoever is closing is not asked any more; the runtime, whose stdin has ended, would not hear the answer.
          if (this.state !== "closed") this.#asks.put(request, (reply) => connection.respond(request.id, reply));
          if (isObject(request.params)) this.#places.hear(request.params, false);
        },
        log: (text) => this.#log(text),
        fault: (error) => this.#listeners.tell("error", error),
        ended: (reason) => {
          this.#lost(reason);
          end(reason);
        },
      },
    });
    const { isOver, close } = connection;
    return { connection, ready: this.#initialize(connection), ended, isOver, close };
  }

  async #initialize(connection: Connection): Promise<void> {
    this.#server = await handshake(connection, this.#options, this.#timeoutOf("initialize"));
  }

  #begin(result: unknown, asked: string | undefined): RunHandle {
    const { run_id: runId, session_id = asked } = isObject(result) ? result : {};
    if (typeof runId !== "string") throw new UiError("protocol", "The answer to run.start names no run", result);
    this.#news.expectRun(runId);
    return this.#runs.begin(runId, typeof session_id === "string" ? session_id : undefined, (reason) =>
      this.call("run.cancel", { run_id: runId, reason }),
    );
  }

  /** Whoever asked for the run was told that it did not start. */
  #cancelUnwanted(result: unknown): void {
    if (!isObject(result) || typeof result.run_id !== "string") return;
    const reason = "Nobody waited for its start any more";
    this.call("run.cancel", { run_id: result.run_id, reason }).catch((error) => this.#listeners.tell("error", error));
  }

  #lost(reason: UiError): void {
    this.#asks.closeAll();
    this.#news.end();
    const sessions = this.#runs.loseAll(reason.message, (status) => this.#listeners.tell("status", status));
    const { resume = false } = this.#options.restart || {};
    if (resume) for (const id of sessions) this.#cutOff.add(id);
  }

  #changed(change: StateChange): void {
    this.#listeners.tell("state", change);
    if (change.state !== "running") return;
    const failed = (error: UiError) => this.#listeners.tell("error", error);
    for (const { sessionId, after } of this.#watches.left()) this.watch(sessionId, { after }).catch(failed);
    for (const session_id of this.#cutOff) {
      this.#cutOff.delete(session_id);
      if (this.#watches.has(session_id)) continue; // all that came since is on its way
      this.history(session_id).then((history) => this.#listeners.tell("history", { ...history, session_id }), failed);
    }
  }

  /** The runtime waits while a run's consumer does not keep up. */
  #flow(): void {
    const connection = this.#supervisor.current?.connection;
    connection?.setPaused(this.#runs.isFull(connection.pending > 0));
  }

  #log(text: string): void {
    this.#listeners.tell("log", text);
  }
}
