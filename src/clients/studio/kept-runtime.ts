import type { Clock } from "../../core/clock.ts";
import { Awaited } from "./awaited.ts";
import { StudioClient, type StudioOptions } from "./client.ts";
import { type HostState, nextStates, type StateChange } from "./host-states.ts";
import type { Connect } from "./link.ts";
import { oneTry } from "./one-try.ts";
import type { ServerInfo } from "./protocol.ts";
import { Restarts } from "./restarts.ts";
import { type Retry, retried } from "./retried.ts";
import type { RetryPolicy } from "./retry-table.ts";
import { StudioError } from "./studio-error.ts";

interface KeptRuntimeOptions {
  about: StudioOptions;
  /** Finds what to start; throws when there is nothing. */
  link(): Promise<Connect>;
  clock: Clock;
  /** Of `initialize`. */
  policy: RetryPolicy;
  onChange(change: StateChange): void;
  /** Each process has a connection of its own; nothing was said on it yet. */
  onClient(client: StudioClient): void;
  onRetry(retry: Retry): void;
}

/** One process, from its start to its end. */
interface Life {
  /** Aborted when it is over, for whatever reason: nothing that becomes of it then is news. */
  over: AbortController;
  client?: StudioClient;
  server?: ServerInfo;
  runsSince?: number;
  neverBegan?: boolean;
}

/** Keeps one runtime alive: starts it, greets it, starts it again after a crash, and gives up when that does not help. */
export class KeptRuntime {
  readonly #options: KeptRuntimeOptions;
  readonly #restarts = new Restarts();
  readonly #live = new Awaited<StudioClient>(stopped());
  #state: HostState = "stopped";
  #life: Life | undefined;
  /** Of processes that are over and may not be gone: there are never two at once. */
  #ending: Promise<unknown> = Promise.resolve();
  #callOffRestart = () => {};

  constructor(options: KeptRuntimeOptions) {
    this.#options = options;
  }

  get state(): HostState {
    return this.#state;
  }

  /** What the runtime that runs has said of itself. */
  get server(): ServerInfo | undefined {
    return this.#life?.server;
  }

  /** Begins where nothing is under way. */
  start(): void {
    if (this.#state !== "stopped" && this.#state !== "crashed") return;
    this.#restarts.beginAnew();
    this.#live.expect();
    this.#begin("start() was called");
  }

  /** The running one: now, or when there is one again. Rejects when there will be none. */
  live(): Promise<StudioClient> {
    return this.#live.get();
  }

  /** Resolves when the process is gone. One that runs is told to exit and may finish; it is ended if it does not. */
  async stop(): Promise<void> {
    if (this.#state !== "stopped") {
      const { client, runsSince } = this.#life ?? {};
      this.#callOffRestart();
      this.#endLife(runsSince === undefined ? client?.close({ now: true }) : client?.exit());
      this.#live.refuse(stopped());
      this.#become({ state: "stopped", reason: "stop() was called" });
    }
    await this.#ending;
  }

  #begin(reason: string): void {
    const life: Life = { over: new AbortController() };
    this.#life = life;
    this.#become({ state: "starting", reason });
    this.#bringUp(life).catch((error) => this.#down(life, asStudioError(error)));
  }

  async #bringUp(life: Life): Promise<void> {
    await this.#ending;
    const connect = await this.#options.link();
    if (life.over.signal.aborted) return;
    const client = this.#opened(life, connect);
    const server = await this.#greeted(life, client);
    if (life.over.signal.aborted) return;
    life.server = server;
    life.runsSince = this.#options.clock.now();
    this.#live.give(client);
    this.#become({ state: "running", reason: `${server.serverName} ${server.serverVersion} is there` });
  }

  #opened(life: Life, connect: Connect): StudioClient {
    const watched: Connect = (events) =>
      connect({
        ...events,
        closed: (end) => {
          life.neverBegan = end.neverBegan;
          events.closed(end);
        },
      });
    const client = new StudioClient(watched, this.#options.about);
    life.client = client;
    client.on("closed", (error) => this.#down(life, error));
    this.#options.onClient(client);
    return client;
  }

  #greeted(life: Life, client: StudioClient): Promise<ServerInfo> {
    const { about, clock, policy, onRetry } = this.#options;
    const { signal } = life.over;
    const options = { clock, timeoutMs: policy.timeoutMs, signal };
    return retried({
      method: "initialize",
      policy,
      clock,
      signal,
      ready: async () => client,
      attempt: () => oneTry(client, "initialize", { ...about }, options),
      onRetry,
    });
  }

  /** It ended without being asked to, or never got as far as to be of use; then it is ended. */
  #down(life: Life, error: StudioError): void {
    if (life.over.signal.aborted) return;
    const { clock } = this.#options;
    const ranMs = life.runsSince === undefined ? 0 : clock.now() - life.runsSince;
    const isHopeless = this.#restarts.made === 0 && (life.neverBegan || !life.client);
    const restart = isHopeless ? undefined : this.#restarts.next(ranMs);
    this.#endLife(life.client?.close({ now: true }));
    const lasting = restart ? error : lost(error, this.#restarts.made);
    if (restart) this.#live.expect();
    else this.#live.refuse(lasting);
    this.#become({ state: "crashed", reason: lasting.message, error: lasting, isFinal: !restart });
    // Whoever was told may have stopped it, or started it.
    if (!restart || this.#state !== "crashed") return;
    const { number, of, inMs } = restart;
    this.#callOffRestart = clock.after(inMs, () => this.#begin(`restart ${number} of ${of}`));
    this.#become({ state: "restarting", reason: `restart ${number} of ${of} in ${inMs / 1000} s`, restart });
  }

  #endLife(closing: Promise<void> | undefined): void {
    this.#life?.over.abort(stopped());
    this.#life = undefined;
    this.#ending = Promise.all([this.#ending, closing?.catch(() => {})]);
  }

  #become(change: StateChange): void {
    if (!nextStates[this.#state].includes(change.state)) {
      throw new Error(`A host that is ${this.#state} cannot become ${change.state}`);
    }
    this.#state = change.state;
    this.#options.onChange(change);
  }
}

const stopped = () => new StudioError("closed", "The host is stopped. start() starts its runtime.");

function lost(error: StudioError, restarts: number): StudioError {
  const inVain = restarts === 0 ? "" : `, and ${restarts} restarts were in vain`;
  return new StudioError(error.code, `${error.message}${inVain}. start() tries again.`, undefined, { cause: error });
}

function asStudioError(error: unknown): StudioError {
  if (error instanceof StudioError) return error;
  return new StudioError("invalid", `The runtime cannot be started: ${(error as Error).message}`, undefined, {
    cause: error,
  });
}
