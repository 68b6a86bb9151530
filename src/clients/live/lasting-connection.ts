import type { Clock } from "../../core/clock.ts";
import { Connection, type ConnectionEnd } from "./connection.ts";
import type { Connect } from "./link.ts";
import { LiveError } from "./live-error.ts";
import type { LiveMessage, Sent } from "./protocol.ts";

export type LiveStatus = "connecting" | "open" | "reconnecting" | "closed";

export interface StatusChange {
  status: LiveStatus;
  /** Why the connection was lost, or why it is closed for good. */
  error?: LiveError;
  /** When `reconnecting`: which attempt in a row comes next, and in how many milliseconds. */
  attempt?: number;
  inMs?: number;
}

export interface ReconnectOptions {
  /** The longest wait before each attempt in a row, the last one for all that follow. Half of it and more, at random, is waited. */
  delaysMs?: readonly number[];
  /** So many attempts in a row fail before it is given up: 5 for a runtime that is started, else there is no end to them. */
  mostAttempts?: number;
  /** After so long without a loss the row begins anew; 60 s for a runtime that is started, else 10 s. */
  healthyAfterMs?: number;
  /** From 0 to 1. `Math.random`. */
  random?(): number;
}

const DELAYS_MS = [500, 1000, 2000, 5000, 10_000, 30_000];

interface LastingOptions {
  connect: Connect;
  clock: Clock;
  reconnect: ReconnectOptions | false;
  credit: { window: number; room(): number; isFull(): boolean };
  onStatus(change: StatusChange): void;
  onMessage(message: LiveMessage, size: number): void;
  onFault(error: LiveError): void;
  onLog(line: string): void;
  /** A connection is there, the first or another one. */
  onOpen(): void;
  /** What was said and not answered may have got lost; for good, when no other one will be made. */
  onLost(error: LiveError, forGood: boolean): void;
}

/** A connection that is made again when it is lost, until it is closed or it is certain that there is none to be had. */
export class LastingConnection {
  readonly #options: LastingOptions;
  #status: LiveStatus = "connecting";
  #connection: Connection | undefined;
  #failures = 0;
  #wasOpen = false;
  #callOff: (() => void) | undefined;
  #callOffHealth: (() => void) | undefined;
  #started: { resolve(): void; reject(error: LiveError): void } | undefined;

  constructor(options: LastingOptions) {
    this.#options = options;
  }

  get status(): LiveStatus {
    return this.#status;
  }

  /** The first connection is not tried for again: what fails there is mostly what was asked for. */
  start(): Promise<void> {
    const started = new Promise<void>((resolve, reject) => (this.#started = { resolve, reject }));
    this.#connect();
    return started;
  }

  get isOpen(): boolean {
    return this.#connection?.isOpen ?? false;
  }

  /** Throws where it cannot be sent now. */
  send(sent: Sent): void {
    if (!this.#connection) throw new LiveError("CONNECTION_LOST", "There is no connection", { retriable: true });
    this.#connection.send(sent);
  }

  renewCredit(): void {
    this.#connection?.renewCredit();
  }

  async close(): Promise<void> {
    if (this.#status === "closed") return;
    const connection = this.#connection;
    this.#giveUp(new LiveError("CLOSED", "This client was closed"), { status: "closed" });
    await connection?.close();
  }

  #connect(): void {
    const { connect, clock, credit, onMessage, onFault, onLog } = this.#options;
    try {
      const connection: Connection = new Connection({
        connect,
        clock,
        credit,
        events: {
          opened: () => this.#opened(),
          message: (message, size) => this.#connection === connection && onMessage(message, size),
          fault: onFault,
          log: onLog,
          ended: (end) => this.#connection === connection && this.#ended(end),
        },
      });
      this.#connection = connection;
    } catch (error) {
      this.#ended({ error: asLiveError(error), final: true });
    }
  }

  #opened(): void {
    const { clock, reconnect, onStatus, onOpen } = this.#options;
    this.#wasOpen = true;
    this.#status = "open";
    const { healthyAfterMs = 10_000 } = reconnect || {};
    this.#callOffHealth = clock.after(healthyAfterMs, () => (this.#failures = 0));
    this.#started?.resolve();
    onStatus({ status: "open" });
    if (this.#status === "open") onOpen(); // whoever was told may have closed it
  }

  #ended({ error, final }: ConnectionEnd): void {
    this.#connection = undefined;
    this.#callOffHealth?.();
    const inMs = final || !this.#wasOpen ? undefined : this.#nextWait();
    if (inMs === undefined) {
      this.#giveUp(error, { status: "closed", error });
      return;
    }
    this.#options.onLost(error, false);
    this.#wait(inMs);
    this.#status = "reconnecting";
    this.#options.onStatus({ status: "reconnecting", error, attempt: this.#failures, inMs });
  }

  #nextWait(): number | undefined {
    const { reconnect } = this.#options;
    if (reconnect === false) return undefined;
    const { delaysMs = DELAYS_MS, mostAttempts = Number.POSITIVE_INFINITY, random = Math.random } = reconnect;
    if (this.#failures >= mostAttempts) return undefined;
    const most = delaysMs[Math.min(this.#failures, delaysMs.length - 1)] ?? 0;
    this.#failures++;
    return Math.round(most / 2 + (random() * most) / 2);
  }

  #wait(ms: number): void {
    this.#callOff = this.#options.clock.after(ms, () => {
      // Who does not take what has come already needs no connection to bring more.
      if (this.#options.credit.isFull()) this.#wait(ms);
      else this.#connect();
    });
  }

  #giveUp(error: LiveError, change: StatusChange): void {
    this.#connection = undefined;
    this.#callOff?.();
    this.#callOffHealth?.();
    this.#status = "closed";
    this.#started?.reject(error);
    this.#options.onLost(error, true);
    this.#options.onStatus(change);
  }
}

function asLiveError(error: unknown): LiveError {
  if (error instanceof LiveError) return error;
  return new LiveError("INVALID", `No connection can be made: ${error instanceof Error ? error.message : error}`);
}
