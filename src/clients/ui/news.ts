import type { Asks } from "./asks.ts";
import type { Strays } from "./connection.ts";
import type { History, HistoryReader } from "./history-reader.ts";
import type { Notification } from "./incoming.ts";
import type { Listeners } from "./listeners.ts";
import type { AgentEventNotify, RunUpdate, Updates } from "./protocol.ts";
import { readUpdate } from "./read-update.ts";
import { terminal } from "./run-handle.ts";
import type { Runs } from "./runs.ts";
import { type Gap, SeqCheck } from "./seq-check.ts";
import type { StateChange } from "./supervisor.ts";
import type { UiError } from "./ui-error.ts";

/** The notice of what was left out comes before so long a silence. */
const QUIET_MS = 1000;

/** What listeners can hear of. */
export interface ClientEvents extends Updates {
  /** Events of a run that never came, and of which the runtime did not say that it left them out. */
  gap: Gap;
  /** What was logged of a session whose run was cut off; only with `restart.resume`. */
  history: History & { session_id: string };
  /** The runtime's stderr, a line at a time, and what could not be used of its stdout. */
  log: string;
  state: StateChange;
  /** Something was lost, and the client goes on. */
  error: UiError;
}

interface NewsOptions {
  listeners: Listeners<ClientEvents>;
  runs: Runs;
  asks: Asks;
  histories: HistoryReader;
  strays: Strays;
  isPaused(): boolean;
}

/** Brings what the runtime tells to whoever waits for it. */
export class News {
  readonly #options: NewsOptions;
  readonly #seqs: SeqCheck;

  constructor(options: NewsOptions) {
    this.#options = options;
    const report = (gap: Gap) => options.listeners.tell("gap", gap);
    this.#seqs = new SeqCheck({ report, isPaused: options.isPaused, quietMs: QUIET_MS });
  }

  /** The numbers of a run's events begin with 0. */
  expectRun(runId: string): void {
    this.#seqs.expect(runId, 0);
  }

  hear({ method, params }: Notification, size: number): void {
    const { listeners, runs, asks, strays } = this.#options;
    this.#seqs.heardSomething();
    const told = readUpdate(method, params);
    if (!told) {
      strays.unknownNotifications++;
      return;
    }
    const place = told.type === "event" ? this.#place(told.params) : "now";
    if (place === "in a history") return;
    if (told.type === "lost") for (const { run_id, seqs } of told.params.lost) this.#seqs.lost(run_id, seqs);
    if (place === "now") runs.hear({ ...told.params, type: told.type } as RunUpdate, size);
    if (told.type === "status" && (told.params.status === "running" || terminal(told.params))) {
      asks.closeRun(told.params.run_id);
    }
    listeners.tell(told.type, told.params);
  }

  /** Nothing more will come on this connection. */
  end(): void {
    this.#seqs.end();
  }

  /** A history that somebody reads has its events for itself; one that was asked for by a bare call comes to the listeners. */
  #place(event: AgentEventNotify): "now" | "again" | "in a history" {
    const { run_id, seq } = event;
    const next = this.#seqs.next(run_id);
    const isNew = next !== undefined && seq >= next;
    const isHistory = this.#options.histories.offer(event, isNew);
    if (isHistory && !isNew) return "in a history";
    return this.#seqs.hear(run_id, seq) ? "now" : "again";
  }
}
