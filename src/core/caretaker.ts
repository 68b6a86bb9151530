import type { Clock } from "./clock.ts";
import { onlyWaits } from "./only-waits.ts";
import { runLog } from "./run-log.ts";
import type { Store } from "./store.ts";
import { isUnderWay, type SessionSummary } from "./summary.ts";

const ROUND_MS = 1000;

interface CaretakerOptions {
  store: Store;
  node: string;
  clock: Clock;
  /** The sessions that someone follows at this node, and which another node has. */
  followed(): string[];
  /** Whether what waits in a queue is to be started. */
  startsQueued: boolean;
  /** Makes this node the owner, if it can be, and brings the session in order. */
  takeOver(sessionId: string): Promise<unknown>;
  /** Ends what is left of processes whose session cannot be taken over; whoever has it goes on. */
  endLeftovers(query: { node: string }): Promise<unknown>;
  /** Brings what this node has and told in line with what the store says, and gives back what nobody needs any more. */
  tidy(): Promise<unknown>;
}

/** Looks after what other nodes left undone when they died: their processes, and the runs that someone here still waits for. */
export class Caretaker {
  readonly #options: CaretakerOptions;
  /** Until which event a run was seen to be only waiting. */
  readonly #waiting = new Map<string, number>();
  #callOff: (() => void) | undefined;
  #round: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: CaretakerOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#callOff || this.#stopped) return;
    this.#callOff = () => {};
    this.#look();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#callOff?.();
    await this.#round;
  }

  #look(): void {
    this.#round = this.#goRound()
      .catch(() => {}) // a store that fails tells its sessions; the next round tries again
      .then(() => {
        if (this.#stopped) return;
        this.#callOff = this.#options.clock.after(ROUND_MS, () => this.#look(), "in background");
      });
  }

  /** What goes wrong with one of them does not keep the others waiting. */
  async #goRound(): Promise<void> {
    const { store, followed, tidy, node: own } = this.#options;
    const others = (await store.nodes.list()).filter(({ node }) => node !== own);
    const sessionIds = followed();
    for (const sessionId of this.#waiting.keys()) if (!sessionIds.includes(sessionId)) this.#waiting.delete(sessionId);
    const tasks = [
      ...others
        .filter(({ state }) => state === "gone")
        .map(
          ({ node }) =>
            () =>
              this.#bury(node),
        ),
      ...sessionIds.map((sessionId) => () => this.#lookAfter(sessionId)),
      tidy,
    ];
    for (const task of tasks) if (!this.#stopped) await task().catch(() => {}); // the next round tries again
  }

  /** Its processes are ended, and that is said in the logs of the sessions they worked for. */
  async #bury(node: string): Promise<void> {
    const { store, takeOver, endLeftovers } = this.#options;
    const left = await store.processes.list({ node });
    for (const sessionId of new Set(left.map((record) => record.sessionId))) await takeOver(sessionId);
    await endLeftovers({ node });
    await store.nodes.forget(node);
  }

  /** A run that waits for an answer is left to whoever gives it; any other that lost its owner is brought to its end. */
  async #lookAfter(sessionId: string): Promise<void> {
    const { store, takeOver } = this.#options;
    const summary = await store.session(sessionId);
    if (!summary || !this.#isUnfinished(summary)) return void this.#waiting.delete(sessionId);
    const owner = await store.nodes.owner(sessionId);
    const isServed = owner?.state === "alive" && owner.node !== this.#options.node; // this node does not have it
    if (isServed || (await this.#isWaiting(summary))) return;
    await takeOver(sessionId);
  }

  async #isWaiting({ sessionId, lastSeq, run, asks }: SessionSummary): Promise<boolean> {
    const now = this.#options.clock.now();
    if (!run || asks.length === 0 || asks.some(({ expiresAt }) => expiresAt <= now)) return false;
    if (this.#waiting.get(sessionId) === lastSeq) return true;
    if (!onlyWaits(await runLog(this.#options.store, sessionId, run.seq))) return false;
    this.#waiting.set(sessionId, lastSeq);
    return true;
  }

  #isUnfinished(summary: SessionSummary): boolean {
    return isUnderWay(summary) || (this.#options.startsQueued && summary.queued.length > 0);
  }
}
