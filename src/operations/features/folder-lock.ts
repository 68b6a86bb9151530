import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, readdir, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { thisProcess } from "../../core/process-identity.ts";
import { etagOf } from "./document-content.ts";
import { checkFilePlace, type DocumentFolder, pathIn } from "./document-files.ts";
import { hasNoLinks, takeLock, whileAlone } from "./exclusive-lock.ts";
import { dropOld, isGone, jsonAt, type SaveSteps, stepsSchema, writeWhole } from "./save-record.ts";
import { type FileChange, StagedFiles } from "./staged-files.ts";

/** Much longer than anyone takes to save. */
const STALE_MS = 30_000;

/**
 * Held by one who saves in a folder without git. It says who that is and what is being written, so that whoever comes after one that was
 * killed can put back what was there.
 */
export class FolderLock {
  readonly mark: string;
  readonly #path: string;

  private constructor(path: string, mark: string) {
    this.#path = path;
    this.mark = mark;
  }

  static async take(folder: DocumentFolder, signal: AbortSignal | undefined): Promise<FolderLock> {
    await FolderLock.settle(folder);
    const lock = new FolderLock(lockOf(folder), randomUUID());
    const fresh = `${lock.#path}-${lock.mark}`;
    await writeWhole(fresh, `${fresh}.new`, lock.#text([]));
    try {
      await takeLock(lock.#path, () => linked(fresh, lock.#path), { staleMs: STALE_MS, signal });
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

  #text(files: SaveSteps["files"]): string {
    return JSON.stringify({ process: thisProcess(), mark: this.mark, files } satisfies SaveSteps);
  }

  /** It may be another's by now, of one who took this for left behind. */
  async release(): Promise<void> {
    const held = stepsSchema.safeParse(await jsonAt(this.#path)).data;
    if (held?.mark === this.mark) await unlink(this.#path).catch(() => {});
  }

  /** Of one that is no more: all that it wrote is there, or nothing of it. */
  static async settle(folder: DocumentFolder): Promise<void> {
    const path = lockOf(folder);
    const others = (await readdir(folder.root)).filter((name) => name.startsWith(`${basename(path)}-`));
    for (const name of others.filter((one) => ofMark.test(one.slice(basename(path).length)))) {
      if (name.endsWith(".new")) await dropOld(join(folder.root, name));
      else await end(folder, join(folder.root, name));
    }
    if (!(await leftAt(path))) return;
    await whileAlone(path, () => end(folder, path)); // it stays the lock until all is as it should be
  }
}

/** What follows the name of the lock in those of the files that are on the way to it or from it. */
const ofMark = /^-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.new)?$/;

async function end({ root, path: within }: DocumentFolder, path: string): Promise<void> {
  const left = await leftAt(path);
  if (!left) return; // it is of someone who may be there
  if (left.files.every(({ path }) => path === pathIn(within, basename(path)))) {
    for (const file of left.files) await checkFilePlace(root, file.path);
    await StagedFiles.left(left.files, root, left.mark).settle();
  }
  await unlink(path).catch(() => {});
}

async function leftAt(path: string): Promise<SaveSteps | undefined> {
  const steps = stepsSchema.safeParse(await jsonAt(path)).data;
  return steps && isGone(steps.process) ? steps : undefined;
}

/** Beside the folder of the feature, which may not be there yet, and stays away if nothing is saved. */
function lockOf({ root, path }: DocumentFolder): string {
  const parts = path.split("/").filter((part) => part !== "");
  return join(root, `.dragoman-${parts.at(-1) ?? "documents"}.lock`);
}

async function linked(from: string, to: string): Promise<void> {
  await link(from, to).catch((error) => {
    if (!hasNoLinks(error)) throw error;
    return copyFile(from, to, constants.COPYFILE_EXCL);
  });
}
