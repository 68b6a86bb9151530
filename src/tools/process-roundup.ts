import { type Descendant, type Origin, ProcessDescendants } from "./process-descendants.ts";
import { processRow } from "./process-table.ts";

const MAX_ROUNDS = 5;
const MAX_LOOKS = 20;
const LOOK_AGAIN_MS = 5;
/** How long what was killed may take to be gone. */
const GONE_MS = 500;

/**
 * Ends processes and everything that comes from them. They are stopped first, all of them, so that none starts another while it is
 * looked for, out of reach when the one that led to it is gone.
 */
export class RoundUp {
  readonly #descendants: ProcessDescendants;
  readonly #asked = new Map<string, Descendant>();
  readonly #untouchable = new Set<string>();
  readonly #isMeant: (each: Descendant) => boolean;

  /** `isMeant`: those that are to be ended; all, if not said. */
  constructor(origins: readonly Origin[], isMeant: (each: Descendant) => boolean = () => true) {
    this.#descendants = new ProcessDescendants(origins);
    this.#isMeant = isMeant;
  }

  /** Asks all of them to end; false when there are none. A stopped one hears of it as well. */
  async terminate(): Promise<boolean> {
    const all = await this.#stop();
    this.#send("SIGTERM", all);
    this.#send("SIGCONT", all);
    return all.length > 0;
  }

  /** Whether they were all gone before the time was over. */
  async gone(withinMs: number): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    while ((await this.#find()).length > 0) {
      if (performance.now() > deadline) return false;
      await pause(LOOK_AGAIN_MS);
    }
    return true;
  }

  async kill(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const all = await this.#stop();
      if (all.length === 0) return;
      this.#send("SIGKILL", all);
      await this.gone(GONE_MS);
    }
  }

  /** Those that were asked to end, or killed, and did. */
  ended(): Descendant[] {
    return [...this.#asked.values()].filter((each) => !isThere(each));
  }

  /** Those that are there all the same. */
  async left(): Promise<Descendant[]> {
    return (await this.#meant()).filter(isThere);
  }

  /** Resolves when a look at everything, that was begun when all of them stood still, has shown nobody else. */
  async #stop(): Promise<Descendant[]> {
    let standing = -1;
    let all: Descendant[] = [];
    for (let look = 0; look < MAX_LOOKS; look += 1) {
      all = await this.#find();
      const moving = all.filter(({ state }) => state === "running");
      if (moving.length === 0 && (all.length === standing || all.length === 0)) break;
      standing = moving.length === 0 ? all.length : -1;
      this.#send("SIGSTOP", moving);
      if (look > 1) await pause(LOOK_AGAIN_MS);
    }
    return all;
  }

  async #find(): Promise<Descendant[]> {
    return (await this.#meant()).filter((each) => !this.#untouchable.has(keyOf(each)));
  }

  async #meant(): Promise<Descendant[]> {
    return (await this.#descendants.find()).filter(this.#isMeant);
  }

  #send(signal: NodeJS.Signals, to: Descendant[]): void {
    for (const each of to) {
      try {
        // Its number may be another's by now.
        if (!isThere(each)) continue;
        process.kill(each.pid, signal);
        if (signal === "SIGTERM" || signal === "SIGKILL") this.#asked.set(keyOf(each), each);
      } catch (error) {
        // It has ended by itself, or got another user's rights, as `sudo` does.
        if ((error as NodeJS.ErrnoException).code === "EPERM") this.#untouchable.add(keyOf(each));
      }
    }
  }
}

const keyOf = ({ pid, startedAt }: Descendant) => `${pid} ${startedAt}`;

function isThere({ pid, startedAt }: Descendant): boolean {
  const row = processRow(pid);
  return row !== undefined && row.startedAt === startedAt && row.state !== "ended";
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
