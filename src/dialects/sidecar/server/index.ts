import { type Clock, systemClock } from "../../../core/clock.ts";
import { messageOf } from "../../../core/errors.ts";
import { type Caller, may } from "../../../core/roles.ts";
import { Listeners } from "../../listeners.ts";
import { type SentMessages, sentMessages } from "../../sent-messages.ts";
import { Callbacks } from "./callbacks.ts";
import type { SidecarHandlers } from "./handler-options.ts";
import { demandFor, type Method, roles, sidecarHandlers } from "./handlers.ts";
import type { Services } from "./services.ts";
import { Sessions } from "./sessions.ts";

export type { CallbackPost, Post, Posted } from "./post.ts";
export type { Services } from "./services.ts";

interface SidecarServerOptions extends Omit<Services, "clock"> {
  clock?: Clock;
  /** Those of all dialects, where others are served beside this one. */
  listeners?: Listeners;
  /** How many sessions with a callback there are room for. */
  mostCallbacks?: number;
}

/** A node's side of the `sidecar` dialect, for all who call. */
export class SidecarServer {
  readonly roles = roles;
  /** Resolves when everything that a lost server had left open is taken care of. */
  readonly ready: Promise<void>;
  readonly #services: Services;
  readonly #sessions: Sessions;
  readonly #listeners: Listeners;
  readonly #callbacks: Callbacks;
  readonly #sent: SentMessages;
  readonly #handlers = new WeakMap<Caller, SidecarHandlers>();

  constructor({ mostCallbacks, listeners, ...options }: SidecarServerOptions) {
    const services: Services = { clock: systemClock, ...options };
    this.#services = services;
    this.#sessions = new Sessions(services.runtime, services.workspace);
    this.#listeners = listeners ?? new Listeners(services.clock);
    this.#callbacks = new Callbacks(services, mostCallbacks);
    this.#sent = sentMessages(services.runtime.store);
    this.ready = this.#callbacks.takeUpLost().catch((error) => {
      services.log({ level: "warn", event: "callbacks.not_taken_up", message: messageOf(error) });
    });
  }

  /** Throws where the caller may not call that. The handlers count on it. */
  allow(method: Method, caller: Caller): void {
    demandFor(method, caller);
  }

  handlers(caller: Caller): SidecarHandlers {
    const known = this.#handlers.get(caller);
    if (known) return known;
    const handlers = sidecarHandlers({
      services: this.#services,
      sessions: this.#sessions,
      listeners: this.#listeners,
      callbacks: this.#callbacks,
      sent: this.#sent,
      caller,
    });
    this.#handlers.set(caller, handlers);
    return handlers;
  }

  /** Someone listens to the session until the returned function is called. Whoever may approve counts as there to answer. */
  async watch(sessionId: string, caller: Caller): Promise<() => void> {
    const { session, summary } = await this.#sessions.open(sessionId, caller);
    if (may(caller, "prompt")) await this.#callbacks.takeUp(session, summary); // who only looks changes nothing
    return may(caller, "approve") ? this.#listeners.add(session) : () => {};
  }

  /** Open callbacks are given up, and go on where another server takes the sessions up. */
  async close(): Promise<void> {
    this.#listeners.close();
    this.#callbacks.close();
  }
}
