import { isObject } from "../is-object.ts";
import type { Asks } from "./asks.ts";
import type { Strays } from "./connection.ts";
import type { History, HistoryReader } from "./history-reader.ts";
import type { Notification } from "./incoming.ts";
import type { Listeners } from "./listeners.ts";
import type { LogPlaces } from "./log-places.ts";
import type { AgentEventNotify, NotificationParams, RunUpdate, UpdateKind, Updates } from "./protocol.ts";
import type { Runs } from "./runs.ts";
import { terminal } from "./runs.ts";
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
  /** Another engine or model does the work of a session from its next run on, or it has another title. */
  session: NotificationParams<"session.updated">;
  /** Events of a session's log that were pruned before this client was told of them. */
  pruned: NotificationParams<"session.gap">;
  /** Everything up to this event of the session's log has come: what to go on after elsewhere, in whichever protocol. */
  logSeq: { session_id: string; last_seq: number };
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
  places: LogPlaces;
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
    const { listeners, runs, asks, places, strays } = this.#options;
    this.#seqs.heardSomething();
    if (method === "session.gap" && isGap(params)) {
      listeners.tell("pruned", params);
      return;
    }
    if (method === "session.updated" && isChange(params)) {
      listeners.tell("session", params);
      places.hear(params, false);
      return;
    }
    const told = readUpdate(method, params);
    if (!told) {
      strays.unknownNotifications++;
      return;
    }
    const place = told.type === "event" ? this.#place(told.params) : "now";
    if (place === "in a history") return;
    if (told.type === "lost") for (const { run_id, seqs } of told.params.lost) this.#seqs.lost(run_id, seqs);
    if (place === "now") runs.hear({ ...told.params, type: told.type } as RunUpdate, size);
    if (told.type === "status" && told.params.closed_ask_id !== undefined) asks.close(told.params.closed_ask_id);
    if (told.type === "status" && (told.params.status === "running" || terminal(told.params))) {
      asks.closeRun(told.params.run_id);
    }
    listeners.tell(told.type, told.params);
    if (told.type !== "lost") places.hear(told.params, told.type === "status" && terminal(told.params) !== undefined);
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

/** What was told, as it came. */
type Told = { [K in UpdateKind]: { type: K; params: Updates[K] } }[UpdateKind];

type Fields = Record<string, unknown>;

interface Shape {
  type: UpdateKind;
  /** Whether what the client itself relies on is there; the rest is the consumer's. */
  fits(params: Fields): boolean;
}

const isText = (value: unknown) => typeof value === "string";
const ofRun = (params: Fields) => isText(params.run_id);

const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  [
    "agent.event",
    {
      type: "event",
      fits: (params) =>
        ofRun(params) && Number.isSafeInteger(params.seq) && isObject(params.event) && isText(params.event.type),
    },
  ],
  ["run.status", { type: "status", fits: (params) => ofRun(params) && isText(params.status) }],
  ["run.context", { type: "context", fits: ofRun }],
  ["todos.update", { type: "todos", fits: (params) => ofRun(params) && Array.isArray(params.todos) }],
  ["artifact.created", { type: "artifact", fits: (params) => ofRun(params) && isText(params.artifact_id) }],
  ["run.lost", { type: "lost", fits: ({ lost }) => Array.isArray(lost) && lost.every(isLoss) }],
]);

const isGap = (params: unknown): params is ClientEvents["pruned"] =>
  isObject(params) && isText(params.session_id) && Number.isInteger(params.from_seq) && Number.isInteger(params.to_seq);

const isChange = (params: unknown): params is ClientEvents["session"] =>
  isObject(params) && isText(params.session_id) && Number.isInteger(params.log_seq);

const isLoss = (one: unknown) => isObject(one) && isText(one.run_id) && Array.isArray(one.seqs);

/** A notification as news of a run; `undefined` when it is none that is known, or lacks what makes it one. */
function readUpdate(method: string, params: unknown): Told | undefined {
  const shape = shapes.get(method);
  if (!shape || !isObject(params) || !shape.fits(params)) return undefined;
  return { type: shape.type, params } as unknown as Told;
}
