import { UiError } from "./ui-error.ts";

/**
 * `crashed` is a runtime that ended by itself: until the next attempt, or for good when there is none. `stopped` is before the first
 * start, and `closed` after `close()`.
 */
export type State = "stopped" | "starting" | "running" | "crashed" | "restarting" | "closed";

export interface StateChange {
  state: State;
  /** Why it crashed. */
  error?: UiError;
  /** When `crashed`: in how many milliseconds it is started again; nothing when it is not. */
  restartInMs?: number;
}

export interface RestartOptions {
  /** The longest wait before each attempt in a row, the last one for all that follow. Half of it and more, at random, is waited. */
  delaysMs?: readonly number[];
  /** After so many in a row it stays down; as many as there are delays. */
  mostAttempts?: number;
  /** After so long without a crash the row begins anew. */
  healthyAfterMs?: number;
  /** From 0 to 1. `Math.random`. */
  random?(): number;
}

const DELAYS_MS = [500, 2000, 5000, 10_000, 30_000];
const HEALTHY_AFTER_MS = 60_000;

/** Something that runs until it ends, with a reason. */
export interface Supervised {
  /** Resolves when it can be used. */
  ready: Promise<void>;
  /** Never rejects. */
  ended: Promise<UiError>;
  /** True from its end on, so also before `ended` has told of it. */
  isOver(): boolean;
  close(options?: { now?: boolean }): Promise<void>;
}

interface SupervisorOptions<T extends Supervised> {
  open(): T;
  restart: RestartOptions | false;
  onChange(change: StateChange): void;
}

interface Waiting<T> {
  resolve(live: T): void;
  reject(error: UiError): void;
}

/** Keeps one of it alive: starts it, starts it again when it crashes, and gives up when that does not help. */
export class Supervisor<T extends Supervised> {
  readonly #options: SupervisorOptions<T>;
  readonly #delaysMs: readonly number[];
  readonly #mostAttempts: number;
  readonly #healthyAfterMs: number;
  readonly #waiting = new Set<Waiting<T>>();
  #state: State = "stopped";
  #current: T | undefined;
  #attempts = 0;
  #restartTimer: ReturnType<typeof setTimeout> | undefined;
  #healthTimer: ReturnType<typeof setTimeout> | undefined;
  #closing: Promise<void> | undefined;
  #lastError: UiError | undefined;

  constructor(options: SupervisorOptions<T>) {
    this.#options = options;
    const {
      delaysMs = DELAYS_MS,
      healthyAfterMs = HEALTHY_AFTER_MS,
      mostAttempts,
    } = options.restart || { delaysMs: [] };
    this.#delaysMs = delaysMs;
    this.#mostAttempts = mostAttempts ?? delaysMs.length;
    this.#healthyAfterMs = healthyAfterMs;
  }

  get state(): State {
    return this.#state;
  }

  /** What was opened last, running or not. */
  get current(): T | undefined {
    return this.#current;
  }

  /** What is there to be used; nothing while it is not running. */
  get running(): T | undefined {
    return this.#state === "running" && !this.#current?.isOver() ? this.#current : undefined;
  }

  /** The first start is not tried again: what fails there is mostly what was asked for. */
  async start(): Promise<void> {
    if (this.#state === "closed") throw closed("This client was closed; make a new one");
    if (this.#state === "stopped" || (this.#state === "crashed" && !this.#restartTimer)) {
      this.#attempts = 0;
      this.#open("starting");
    }
    await this.live();
  }

  /** The running one: now, or when it has come up again. Rejects when it will not. */
  live(): Promise<T> {
    const { running } = this;
    if (running) return Promise.resolve(running);
    if (this.#state === "closed") return Promise.reject(closed("This client was closed"));
    if (this.#state === "stopped") return Promise.reject(closed("This client is not started; call start() first"));
    if (this.#state === "crashed" && !this.#restartTimer)
      return Promise.reject(this.#lastError ?? closed("It crashed"));
    return new Promise((resolve, reject) => this.#waiting.add({ resolve, reject }));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#restartTimer);
    clearTimeout(this.#healthTimer);
    const current = this.#current;
    const wasRunning = this.#state === "running";
    this.#become({ state: "closed" });
    this.#rejectWaiting(closed("This client was closed"));
    await current?.close({ now: !wasRunning });
  }

  #open(state: "starting" | "restarting"): void {
    this.#become({ state });
    if (this.#state !== state) return; // whoever was told closed it
    const again = state === "restarting";
    let opened: T;
    try {
      opened = this.#options.open();
    } catch (error) {
      this.#down(undefined, new UiError("closed", `The runtime cannot be started: ${(error as Error).message}`), again);
      return;
    }
    this.#current = opened;
    this.#watch(opened, again);
  }

  #watch(opened: T, again: boolean): void {
    let failure: UiError | undefined;
    let wasUp = false;
    opened.ready.then(
      () => {
        wasUp = this.#state !== "closed" && this.#current === opened;
        if (wasUp) this.#up(opened);
      },
      (error: UiError) => {
        failure = error;
        return opened.close({ now: true }); // then it ends, and that is where it is noticed
      },
    );
    opened.ended.then((reason) => this.#down(opened, failure ?? reason, wasUp || again));
  }

  #up(opened: T): void {
    this.#healthTimer = setTimeout(() => (this.#attempts = 0), this.#healthyAfterMs);
    this.#become({ state: "running" });
    for (const { resolve } of this.#waiting) resolve(opened);
    this.#waiting.clear();
  }

  #down(opened: T | undefined, error: UiError, again: boolean): void {
    if (this.#state === "closed" || this.#current !== opened) return;
    clearTimeout(this.#healthTimer);
    this.#current = undefined;
    this.#lastError = error;
    const restartInMs = again && error.code !== "unauthorized" ? this.#nextDelay() : undefined;
    if (restartInMs === undefined) {
      this.#become({ state: "crashed", error });
      this.#rejectWaiting(error);
      return;
    }
    this.#attempts++;
    this.#restartTimer = setTimeout(() => {
      this.#restartTimer = undefined;
      this.#open("restarting");
    }, restartInMs);
    this.#become({ state: "crashed", error, restartInMs });
  }

  #nextDelay(): number | undefined {
    const most = this.#delaysMs[this.#attempts] ?? this.#delaysMs.at(-1);
    if (most === undefined || this.#attempts >= this.#mostAttempts) return undefined;
    // Who lost the same server at once does not come back at once.
    const { random = Math.random } = this.#options.restart || {};
    return Math.round(most / 2 + (random() * most) / 2);
  }

  #become(change: StateChange): void {
    this.#state = change.state;
    this.#options.onChange(change);
  }

  #rejectWaiting(error: UiError): void {
    for (const { reject } of this.#waiting) reject(error);
    this.#waiting.clear();
  }
}

const closed = (message: string) => new UiError("closed", message);
