/** A run whose events stopped coming long ago is forgotten. */
const MOST_RUNS = 1000;
/** So many missing numbers are waited for. */
const MOST_MISSING = 10_000;

export interface Gap {
  run_id: string;
  /** The numbers of the events that never came. */
  missing: number[];
}

interface Numbers {
  next: number;
  missing: Set<number>;
}

interface SeqCheckOptions {
  report(gap: Gap): void;
  /** Whether it is we who do not read, and not the runtime that is quiet. */
  isPaused(): boolean;
  quietMs: number;
}

/**
 * Sees to it that no event of a run is missing. The notice of what was left out on purpose may come after the events around
 * it, once the runtime has nothing else to say; so a gap counts only when the connection has been quiet.
 */
export class SeqCheck {
  readonly #options: SeqCheckOptions;
  readonly #runs = new Map<string, Numbers>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heard = false;

  constructor(options: SeqCheckOptions) {
    this.#options = options;
  }

  /** The number that the next event of the run has, if the run is known. */
  next(runId: string): number | undefined {
    return this.#runs.get(runId)?.next;
  }

  /** The number of the run's first event, unless some were seen already. */
  expect(runId: string, first: number): Numbers {
    return this.#runs.get(runId) ?? this.#add(runId, first);
  }

  /** False when that event came before. Of a run that others started, the first that is seen is taken for its first. */
  hear(runId: string, seq: number): boolean {
    const run = this.expect(runId, seq);
    if (seq < run.next) return run.missing.delete(seq);
    for (let n = run.next; n < seq && run.missing.size < MOST_MISSING; n++) run.missing.add(n);
    run.next = seq + 1;
    if (run.missing.size >= MOST_MISSING) this.#tell(runId, run);
    if (run.missing.size > 0) this.#waitForQuiet();
    return true;
  }

  lost(runId: string, seqs: readonly number[]): void {
    const run = this.#runs.get(runId);
    if (!run) return;
    const named = new Set(seqs);
    for (const seq of named) run.missing.delete(seq);
    // Named before the events after it came.
    while (named.has(run.next)) run.next++;
  }

  /** Anything came: the runtime is not done. */
  heardSomething(): void {
    this.#heard = true;
  }

  /** Nothing more will come on this connection. */
  end(): void {
    this.#reportAll();
    this.#runs.clear();
  }

  #add(runId: string, next: number): Numbers {
    const run = { next, missing: new Set<number>() };
    this.#runs.set(runId, run);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > MOST_RUNS && oldest !== undefined) this.#runs.delete(oldest);
    return run;
  }

  #waitForQuiet(): void {
    if (this.#timer !== undefined) return;
    this.#heard = false;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#heard || this.#options.isPaused()) this.#waitForQuiet();
      else this.#reportAll();
    }, this.#options.quietMs);
  }

  #reportAll(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [runId, run] of this.#runs) if (run.missing.size > 0) this.#tell(runId, run);
  }

  #tell(runId: string, run: Numbers): void {
    const missing = [...run.missing];
    run.missing.clear();
    this.#options.report({ run_id: runId, missing });
  }
}
