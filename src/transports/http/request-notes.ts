import type { OpenExchange } from "./exchange.ts";
import type { Log } from "./log.ts";
import type { Counter, Metrics } from "./metrics.ts";

/** What is remembered of a request. Never its URL, which may hold what must not be in a log. */
export interface Visit {
  readonly began: number;
  readonly method: string;
  /** The path as its route has it. */
  path?: string;
  caller?: string;
  exchange?: OpenExchange;
}

const METHODS = ["GET", "HEAD", "POST", "DELETE", "OPTIONS"];

/** Tells of each request that it was answered, and how. */
export class RequestNotes {
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #counters = new Map<string | undefined, Map<string, Counter>>();

  constructor(log: Log, metrics: Metrics) {
    this.#log = log;
    this.#metrics = metrics;
  }

  take({ began, method, path, caller }: Visit, status: number): void {
    this.#counter(path, method, status).add();
    const ms = Math.round((performance.now() - began) * 10) / 10;
    const level = status < 400 ? "debug" : "info";
    this.#log({ level, event: "http.answered", method: known(method), route: path ?? "", status, ms, caller });
  }

  #counter(path: string | undefined, method: string, status: number): Counter {
    const key = method + status;
    const counters = this.#counters.get(path) ?? new Map<string, Counter>();
    const counter = counters.get(key) ?? this.#newCounter(path, method, status);
    if (counters.size === 0) this.#counters.set(path, counters);
    counters.set(key, counter);
    return counter;
  }

  #newCounter(path = "", method: string, status: number): Counter {
    const labels = { method: known(method), route: path, status: String(status) };
    return this.#metrics.counter("dragoman_http_requests_total", "Requests that were answered.", labels);
  }
}

/** One of Node's many methods is as good as another where we have none for it. */
const known = (method: string) => (METHODS.includes(method) ? method : "OTHER");
