import type { Clock } from "../../../core/clock.ts";
import type { AskKind } from "../../../core/events.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { Store } from "../../../core/store.ts";
import { isUnderWay } from "../../../core/summary.ts";

/** What a person can answer over this wire. */
const answerable: AskKind[] = ["confirm", "prompt", "pick"];

/** Who reconnects, or asks again and again, is not gone in between. */
const GRACE_MS = 30_000;
const LOOK_EVERY_MS = 1000;

interface Attached {
  count: number;
  detach(): void;
  /** Of the end of the grace. */
  callOff(): void;
}

interface HeldRun {
  session: SessionHandle;
  leave(): void;
}

/**
 * Who is there for the runs of sessions: those who watch, for some time those who left, and for as long as it runs whoever started an
 * operation or answered it, since its questions may be answered by a request that comes any time. While someone is there, a run whose
 * owner is lost is brought to its end, or goes on when it is answered.
 */
export class Attendance {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #attached = new Map<string, Attached>();
  readonly #runs = new Map<string, HeldRun>();
  #callOffLook: (() => void) | undefined;
  #closed = false;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Someone is there, who may answer or only looks, until the returned function is called and the grace has passed. */
  add(session: SessionHandle, canAnswer: boolean, graceMs = GRACE_MS): () => void {
    const key = `${canAnswer ? "answers" : "looks"} ${session.id}`;
    const attached = this.#attached.get(key) ?? this.#attach(key, session, canAnswer ? answerable : []);
    attached.callOff();
    attached.count++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave(key, attached, graceMs);
    };
  }

  /** Who answers is there meanwhile, and once the answer counts until the run has ended: it may ask again at once. */
  async whileAnswering<T>(session: SessionHandle, runId: string, answer: () => Promise<T>): Promise<T> {
    const leave = this.add(session, true);
    try {
      const answered = await answer();
      if (!this.#runs.has(runId) && !this.#closed) this.holdRun(session, runId, this.add(session, true, 0));
      return answered;
    } finally {
      leave();
    }
  }

  /** Someone who may answer is there until the run has ended, which began while `leave` was not called yet. */
  holdRun(session: SessionHandle, runId: string, leave: () => void): void {
    if (this.#closed) return; // nobody is there any more
    this.#runs.set(runId, { session, leave });
    this.#callOffLook ??= this.#clock.after(LOOK_EVERY_MS, () => this.#look(), "in background");
  }

  close(): void {
    this.#closed = true;
    this.#callOffLook?.();
    this.#runs.clear();
    for (const { callOff, detach } of this.#attached.values()) {
      callOff();
      detach();
    }
    this.#attached.clear();
  }

  #attach(key: string, session: SessionHandle, kinds: AskKind[]): Attached {
    const attached = { count: 0, detach: session.attach(kinds), callOff: () => {} };
    this.#attached.set(key, attached);
    return attached;
  }

  #leave(key: string, attached: Attached, graceMs: number): void {
    attached.count--;
    if (attached.count > 0 || this.#attached.get(key) !== attached) return;
    const forget = () => {
      this.#attached.delete(key);
      attached.detach();
    };
    if (graceMs === 0) forget();
    else attached.callOff = this.#clock.after(graceMs, forget, "in background");
  }

  #look(): void {
    this.#callOffLook = undefined;
    void this.#lookAtAll()
      .catch(() => {}) // a store that fails tells its sessions; the next look tries again
      .then(() => {
        if (this.#closed || this.#runs.size === 0) return;
        this.#callOffLook ??= this.#clock.after(LOOK_EVERY_MS, () => this.#look(), "in background");
      });
  }

  async #lookAtAll(): Promise<void> {
    for (const [runId, { session, leave }] of this.#runs) {
      const summary = await this.#store.session(session.id);
      const isCurrent = summary?.run?.runId === runId && isUnderWay(summary);
      if (isCurrent || summary?.queued.some((queued) => queued.runId === runId)) continue;
      this.#runs.delete(runId);
      leave();
    }
  }
}
