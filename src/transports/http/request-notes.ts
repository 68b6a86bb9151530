import type { OpenExchange } from "./exchange.ts";
import type { Log } from "./log.ts";
import type { Counter, Metrics } from "./metrics.ts";

/** What is remembered of a request. Never its URL, which may hold what must not be in a log. */
export interface Visit {
  readonly began: number;
  readonly method: string;
  readonly requestId: string;
  /** The path as its route has it. */
  path?: string;
  caller?: string;
  exchange?: OpenExchange;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Tells of each request that it was answered, and how. */
export class RequestNotes {
  readonly #log: Log;
  readonly #metrics: Metrics;
  /** By path, method and status. */
  readonly #counters = new Map<string, Map<string, Counter[]>>();

  constructor(log: Log, metrics: Metrics) {
    this.#log = log;
    this.#metrics = metrics;
  }

  take({ began, method, requestId, path = "", caller }: Visit, status: number): void {
    const known = this.#counters.get(path)?.get(method)?.[status];
    (known ?? this.#newCounter(path, method, status)).add();
    const level = status < 400 ? "debug" : "info";
    const ms = Math.round((performance.now() - began) * 10) / 10;
    this.#log({ level, event: "http.answered", method: nameOf(method), route: path, status, ms, caller, requestId });
  }

  #newCounter(path: string, method: string, status: number): Counter {
    const labels = { method: nameOf(method), route: path, status: String(status) };
    const counter = this.#metrics.counter("dragoman_http_requests_total", "Requests that were answered.", labels);
    const byMethod = this.#counters.get(path) ?? new Map<string, Counter[]>();
    const byStatus = byMethod.get(method) ?? [];
    byStatus[status] = counter;
    this.#counters.set(path, byMethod.set(method, byStatus));
    return counter;
  }
}

/** One of Node's many methods is as good as another where we have none for it. */
const nameOf = (method: string) => (METHODS.includes(method) ? method : "OTHER");
