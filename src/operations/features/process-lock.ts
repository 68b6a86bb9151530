import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, readdir, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { thisProcess } from "../../core/process-identity.ts";
import { etagOf } from "./document-content.ts";
import { hasNoLinks, type LockOptions, takeLock } from "./exclusive-lock.ts";
import { dropOld, isGone, jsonAt, type RecordedFile, type SaveSteps, stepsSchema, writeWhole } from "./save-record.ts";
import type { FileChange } from "./staged-files.ts";

/** One that says nothing that can be read, and was not written just now, is of nobody. */
const UNREADABLE_FOR_MS = 30_000;
/** What is done under a claim takes a few steps. */
const LONGEST_WAIT_FOR_CLAIM_MS = 5_000;

/** Ends what someone had begun who is no more. */
export type Settle = (files: readonly RecordedFile[], mark: string) => Promise<void>;

const settleNothing: Settle = async () => {};

/**
 * A lock that says which process holds it, and what that is writing. However old, it is that one's for as long as that one is there.
 * Of one that is no more, whoever comes next settles what it had begun, and takes it away.
 */
export class ProcessLock {
  readonly mark = randomUUID();
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  static async take(path: string, settle = settleNothing, options: LockOptions = {}): Promise<ProcessLock> {
    const lock = new ProcessLock(path);
    const fresh = `${path}-${lock.mark}`;
    await writeWhole(fresh, `${fresh}.new`, lock.#text([]));
    try {
      const whenHeld = () => settleLeft(path, settle);
      await takeLock(path, () => linked(fresh, path), { whenHeld, ...options });
    } finally {
      await unlink(fresh).catch(() => {});
    }
    return lock;
  }

  /** To be called before the first of them is written. */
  async tell(files: readonly FileChange[]): Promise<void> {
    const recorded = files.map(({ name, path, before, content }) => ({ name, path, before, after: etagOf(content) }));
    await writeWhole(this.#path, `${this.#path}-${this.mark}.new`, this.#text(recorded));
  }

  /** Someone may have taken it away by hand, as they are told to: then it may be another's by now. */
  async release(): Promise<void> {
    const held = stepsSchema.safeParse(await jsonAt(this.#path)).data;
    if (held?.mark === this.mark) await unlink(this.#path).catch(() => {});
  }

  #text(files: SaveSteps["files"]): string {
    return JSON.stringify({ process: thisProcess(), mark: this.mark, files } satisfies SaveSteps);
  }
}

/**
 * Takes a lock away that was left behind. Of two who find it, the second would take away what the first, or a third, has made by that
 * name since: so one claims that very lock, by its mark, and looks again. The claim is a lock like any other.
 */
export async function settleLeft(path: string, settle: Settle): Promise<void> {
  const found = await leftAt(path);
  if (!found) return;
  const claim = await ProcessLock.take(claimOn(path, found.mark), settleNothing, {
    longestWaitMs: LONGEST_WAIT_FOR_CLAIM_MS,
  });
  try {
    const left = await leftAt(path);
    if (left?.mark !== found.mark) return; // it is done
    await settle(left.files, left.mark);
    await unlink(path).catch(() => {}); // where that is not allowed, it is told as held
  } finally {
    await claim.release();
  }
}

/** Takes away what those who were killed on their way to a lock have left beside it. */
export async function clearBeside(path: string): Promise<void> {
  const [folder, lock] = [dirname(path), basename(path)];
  for (const name of (await readdir(folder)).filter((one) => one.startsWith(lock))) {
    if (!besideLock.test(name.slice(lock.length))) continue;
    const beside = join(folder, name);
    await (name.endsWith(".claim") ? settleLeft(beside, settleNothing) : dropOld(beside));
  }
}

/** What follows the name of a lock in those of the files that are on the way to it, and in those of claims. */
const besideLock = /^-[0-9a-f-]{3,80}(\.new|\.claim(-[0-9a-f-]{36}(\.new)?)?)?$/;

const claimOn = (path: string, mark: string) => `${path.replace(/(?<=\.lock)-[0-9a-f-]+\.claim$/, "")}-${mark}.claim`;

type Left = Pick<SaveSteps, "mark" | "files">;

async function leftAt(path: string): Promise<Left | undefined> {
  const steps = stepsSchema.safeParse(await jsonAt(path)).data;
  if (steps) return isGone(steps.process) ? steps : undefined;
  const stats = await stat(path).catch(() => undefined);
  if (!stats || Date.now() - stats.mtimeMs < UNREADABLE_FOR_MS) return undefined;
  return { mark: `${stats.ino.toString(16)}-${Math.trunc(stats.mtimeMs).toString(16)}`, files: [] };
}

async function linked(from: string, to: string): Promise<void> {
  await link(from, to).catch((error) => {
    if (!hasNoLinks(error)) throw error;
    return copyFile(from, to, constants.COPYFILE_EXCL);
  });
}
