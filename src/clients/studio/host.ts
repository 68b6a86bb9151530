import type { Clock } from "../../core/clock.ts";
import { commandKind, targetKind } from "../target-kind.ts";
import { Listeners } from "../ui/listeners.ts";
import type { StudioClient, StudioOptions } from "./client.ts";
import { type DebugEntry, DebugLog } from "./debug-log.ts";
import { systemClock } from "./host-clock.ts";
import type { HostState, StateChange } from "./host-states.ts";
import { KeptRuntime } from "./kept-runtime.ts";
import type { Connect } from "./link.ts";
import type { HostCommand } from "./node-links.ts";
import { oneTry, type RunPlace } from "./one-try.ts";
import type { Method, Notifications, Params, Result, ServerInfo } from "./protocol.ts";
import { type Retry, retried } from "./retried.ts";
import { policyFor, type RetryTable, retryTable } from "./retry-table.ts";
import { type RequestOptions, StudioCalls } from "./studio-calls.ts";
import { RATE_LIMITED, StudioError } from "./studio-error.ts";
import { TabSessions } from "./tab-sessions.ts";

/** As the document has it, those that wait for a runtime included. */
const MOST_REQUESTS = 100;
/** There is no such session any more, or it is closed. */
const SESSION_GONE: readonly unknown[] = [-32005, -32006];

/** What to start, and Node alone can; or links of one's own. */
export type HostTarget = HostCommand | { connect: Connect };

export interface HostSettings {
  /** Rows that are to be other than the document's. */
  table?: Partial<RetryTable>;
  clock?: Clock;
}

export interface HostRequestOptions extends RequestOptions {
  /** A try has failed: what came of it is to be thrown away, for the next one begins from the beginning. */
  onRetry?(retry: Retry): void;
}

/** What listeners hear of: the notifications of whichever runtime runs, and what happens to it. */
export type HostEvents = Notifications & {
  state: StateChange;
  /** An entry of the debug log. */
  log: DebugEntry;
};

const notifications = Object.keys({
  "stream/chunk": true,
  progress: true,
  "run/started": true,
  "run/chunk": true,
  "run/ended": true,
  "ask/opened": true,
  "ask/closed": true,
  "session/updated": true,
} satisfies Record<keyof Notifications, true>) as (keyof Notifications)[];

/** Where a request has got to, over all of its tries. */
interface Progress {
  signal: AbortSignal;
  /** The run of its last try, and the connection it was made on. */
  run?: RunPlace & { client: StudioClient };
}

/** What the main process of a desktop app needs: a runtime that is kept alive, and requests that outlive it. */
export class StudioHost extends StudioCalls<HostRequestOptions> {
  readonly #runtime: KeptRuntime;
  readonly #table: RetryTable;
  readonly #clock: Clock;
  readonly #log: DebugLog;
  readonly #tabs = new TabSessions();
  readonly #open = new Set<AbortController>();
  readonly #listeners = new Listeners<HostEvents>((kind, error) => {
    if (kind !== "log") this.#note(`a listener of ${kind} failed: ${error}`);
  });

  constructor(about: StudioOptions, target: HostTarget = {}, { table, clock = systemClock }: HostSettings = {}) {
    super();
    checkTarget(target);
    this.#table = { ...retryTable, ...table };
    this.#clock = clock;
    this.#log = new DebugLog(clock, (entry) => this.#listeners.tell("log", entry));
    this.#runtime = new KeptRuntime({
      about,
      link: () => linkTo(target),
      clock,
      policy: this.#table.initialize,
      onChange: (change) => this.#became(change),
      onClient: (client) => this.#listenTo(client),
      onRetry: (retry) => this.#noteRetry(retry),
    });
  }

  get state(): HostState {
    return this.#runtime.state;
  }

  /** What the runtime has said of itself, while there is one. */
  get server(): ServerInfo | undefined {
    return this.#runtime.server;
  }

  /** For a debug console: the latest lines of the runtime's stderr, and what happened to it and to requests. */
  get log(): DebugEntry[] {
    return this.#log.entries;
  }

  /** Gives the function that takes the listener away again. */
  on<K extends keyof HostEvents>(kind: K, listener: (value: HostEvents[K]) => void): () => void {
    return this.#listeners.on(kind, listener);
  }

  /** Resolves when the runtime can be used; rejects when it cannot, also by being started again. */
  async start(): Promise<void> {
    this.#runtime.start();
    await this.#runtime.live();
  }

  /** Gives every request up, and resolves when the process is gone. It can be started again. */
  async stop(): Promise<void> {
    this.#giveUpAll(new StudioError("closed", "The host was stopped before there was an answer"));
    await this.#runtime.stop();
  }

  /** As often as the document's table allows, and on the next runtime if this one crashes. */
  override async call<M extends Method>(
    method: M,
    params: Params<M>,
    { signal, ...options }: Omit<HostRequestOptions, "context"> = {},
  ): Promise<Result<M>> {
    const aborted = () => new StudioError("aborted", `${method} was given up`);
    if (signal?.aborted) throw aborted();
    if (this.#open.size >= MOST_REQUESTS) throw tooMany();
    const request = new AbortController();
    const giveUp = () => request.abort(aborted());
    signal?.addEventListener("abort", giveUp);
    this.#open.add(request);
    try {
      return await this.#tried(method, params, options, { signal: request.signal });
    } finally {
      this.#open.delete(request);
      signal?.removeEventListener("abort", giveUp);
    }
  }

  #tried<M extends Method>(
    method: M,
    params: Params<M>,
    options: Omit<HostRequestOptions, "context" | "signal">,
    progress: Progress,
  ): Promise<Result<M>> {
    return retried({
      method,
      policy: policyFor(method, this.#table),
      clock: this.#clock,
      signal: progress.signal,
      ready: () => this.#runtime.live(),
      attempt: (client) => this.#try(client, method, params, options, progress),
      onRetry: (retry) => {
        this.#noteRetry(retry);
        this.#tell(() => options.onRetry?.(retry));
      },
    });
  }

  async #try<M extends Method>(
    client: StudioClient,
    method: M,
    given: Params<M>,
    options: RequestOptions,
    progress: Progress,
  ): Promise<Result<M>> {
    // A run that only waited outlives its process, and would be gone on with by the next one.
    if (progress.run && progress.run.client !== client) {
      const { runId, sessionId } = progress.run;
      client.cancelSilently({ runId, sessionId });
    }
    const { params, isRemembered, remember, forget } = this.#tabs.placed(method, given);
    const { timeoutMs } = policyFor(method, this.#table);
    const onRun = (run: RunPlace) => {
      progress.run = { ...run, client };
      remember(run.sessionId);
    };
    const trying = { ...options, clock: this.#clock, timeoutMs, signal: progress.signal, onRun };
    try {
      return await oneTry(client, method, params, trying);
    } catch (error) {
      if (!isRemembered || !SESSION_GONE.includes((error as StudioError).code)) throw error;
      this.#note(`${method}: its session is gone, so a new one begins`);
      forget();
      return oneTry(client, method, given, trying);
    }
  }

  #became(change: StateChange): void {
    const { state, reason, error, isFinal } = change;
    this.#note(`${state}: ${reason}`);
    if (error && isFinal) this.#giveUpAll(error);
    this.#listeners.tell("state", change);
  }

  #giveUpAll(error: StudioError): void {
    for (const request of [...this.#open]) request.abort(error);
  }

  #listenTo(client: StudioClient): void {
    client.on("log", (line) => this.#log.add("runtime", line));
    client.on("error", ({ message }) => this.#note(message));
    for (const kind of notifications) client.on(kind, (told) => this.#listeners.tell(kind, told as never));
  }

  #noteRetry({ tries, of, inMs, error }: Retry): void {
    const when = inMs === 0 ? "at once" : `in ${inMs / 1000} s`;
    this.#note(`${error.message}; try ${tries + 1} of ${of} ${when}`);
  }

  #note(text: string): void {
    this.#log.add("host", text);
  }

  /** What a caller's own function throws costs nothing else. */
  #tell(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#note(`a listener failed: ${error}`);
    }
  }
}

function tooMany(): StudioError {
  return new StudioError(RATE_LIMITED, `${MOST_REQUESTS} requests wait for their answers. Wait for some of them.`);
}

function checkTarget(target: HostTarget): void {
  try {
    targetKind(target, { connect: {}, command: commandKind });
  } catch (error) {
    throw new StudioError("invalid", `There is nothing to start: ${(error as Error).message}`);
  }
}

async function linkTo(target: HostTarget): Promise<Connect> {
  if ("connect" in target) return target.connect;
  const { hostLink } = await import("./node-links.ts");
  return hostLink(target);
}
