import { isTerminal } from "../../../core/event-facts.ts";
import type { Event, EventOf } from "../../../core/events.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { Store } from "../../../core/store.ts";
import { isUnderWay } from "../../../core/summary.ts";
import type { Callback, CallbackCall } from "./callback-call.ts";

const PAGE = 200;

interface FollowerOptions {
  store: Store;
  session: SessionHandle;
  /** This one. The follower ends when another one has the session's callback. */
  node: string;
  /** Brings a call to the plugin and its answer into the log. It does not throw. */
  deliver(call: CallbackCall): Promise<void>;
  onEnd(error?: unknown): void;
}

/** Follows the log of a session for tools that its plugin is to execute. While it does, there is someone who can. */
export class CallbackFollower {
  readonly #options: FollowerOptions;
  readonly #detach: () => void;
  readonly #unsubscribe: () => void;
  readonly #open = new Map<string, { ask: EventOf<"ask.opened">; controller: AbortController }>();
  #callback: Callback | undefined;
  #cursor: number | undefined;
  #busy = true;
  #pumping = false;
  #again = false;
  #ended = false;

  constructor(options: FollowerOptions) {
    this.#options = options;
    const { store, session } = options;
    this.#detach = session.attach(["tool"]);
    this.#unsubscribe = store.wake(session.id, () => this.#pump());
    this.#pump();
  }

  /** Whether nothing is under way in the session, as far as is known here. */
  get idle(): boolean {
    return !this.#busy && this.#open.size === 0;
  }

  end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#unsubscribe();
    this.#detach();
    for (const { controller } of this.#open.values()) controller.abort();
    this.#open.clear();
    this.#options.onEnd(error);
  }

  #pump(): void {
    this.#again = true;
    if (this.#pumping || this.#ended) return;
    this.#pumping = true;
    this.#pumpAll().catch((error) => this.end(error));
  }

  async #pumpAll(): Promise<void> {
    try {
      while (this.#again && !this.#ended) {
        this.#again = false;
        await this.#readOn();
      }
    } finally {
      this.#pumping = false; // in the same breath as the last look at `again`, or a bell would be missed
    }
  }

  async #readOn(): Promise<void> {
    const { store, session } = this.#options;
    this.#cursor ??= await this.#begin();
    while (!this.#ended) {
      const events = await store.read(session.id, { after: this.#cursor, limit: PAGE });
      for (const event of events) {
        if (this.#ended) return;
        this.#cursor = event.seq;
        this.#take(event);
      }
      if (events.length === 0) return;
    }
  }

  /** What is open already, however long ago it was opened. Gives the end of the log. */
  async #begin(): Promise<number> {
    const { store, session } = this.#options;
    const summary = await store.session(session.id);
    if (!summary || summary.closed) {
      this.end();
      return 0;
    }
    this.#setCallback(summary.clientTools?.callback);
    this.#busy = isUnderWay(summary) || summary.queued.length > 0;
    for (const { seq, kind } of summary.asks) {
      const [ask] = kind === "tool" ? await store.read(session.id, { after: seq - 1, limit: 1 }) : [];
      if (ask?.type === "ask.opened" && ask.seq === seq) this.#call(ask);
    }
    return summary.lastSeq;
  }

  #take(event: Event): void {
    if (event.type === "ask.opened" && event.kind === "tool") this.#call(event);
    else if (event.type === "ask.closed") this.#callOff(event.askId);
    else if (event.type === "session.updated" && event.clientTools) this.#setCallback(event.clientTools.callback);
    else if (event.type === "session.closed") this.end();
    else if (event.type === "run.started" || event.type === "run.queued") this.#busy = true;
    else if (isTerminal(event)) this.#busy = false;
  }

  #setCallback(callback: Callback | undefined): void {
    const before = this.#callback;
    this.#callback = callback;
    if (callback?.node !== this.#options.node) this.end();
    else if (before && (before.url !== callback.url || before.token !== callback.token)) this.#callAgain();
  }

  /** The plugin is elsewhere now. */
  #callAgain(): void {
    for (const { ask, controller } of [...this.#open.values()]) {
      controller.abort();
      this.#call(ask);
    }
  }

  #call(ask: EventOf<"ask.opened">): void {
    if (!this.#callback || this.#ended) return;
    const { deliver, session } = this.#options;
    const open = { ask, controller: new AbortController() };
    this.#open.set(ask.askId, open);
    const call = { sessionId: session.id, ask, callback: this.#callback, signal: open.controller.signal };
    void deliver(call).finally(() => {
      if (this.#open.get(ask.askId) === open) this.#open.delete(ask.askId);
    });
  }

  #callOff(askId: string): void {
    this.#open.get(askId)?.controller.abort();
    this.#open.delete(askId);
  }
}
