import { constants } from "node:fs";
import { copyFile, type FileHandle, link, mkdtemp, open, readFile, rename, rm, stat, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "./document-files.ts";
import { hasNoLinks, isSameFile, type LockOptions, takeLock } from "./exclusive-lock.ts";
import { enterInto, type IndexEntry } from "./git-commit.ts";
import type { GitRepository } from "./git-repository.ts";

/**
 * The lock that git itself takes before it changes an index: as long as it is held, nobody stages, commits or checks out in this
 * working tree, and no other process of ours saves in it. What is written into it becomes the index at once.
 */
export class IndexLock {
  readonly #repository: GitRepository;
  readonly #own: string;
  readonly #handle: FileHandle;
  #held = true;

  private constructor(repository: GitRepository, own: string, handle: FileHandle) {
    this.#repository = repository;
    this.#own = own;
    this.#handle = handle;
  }

  /** `own` is a file beside the index that becomes the lock, so that it can be told whose the lock is. One that is the lock already stays it. */
  static async take(repository: GitRepository, own: string, options: LockOptions = {}): Promise<IndexLock> {
    const lock = lockOf(repository);
    const handle = await open(own, constants.O_RDWR | constants.O_CREAT, 0o666);
    try {
      if (await isSameFile(own, lock)) return new IndexLock(repository, own, handle);
      const other = await takeLock(lock, () => linkOrMake(own, lock), options);
      if (other) await handle.close();
      return new IndexLock(repository, own, other ?? handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The index as it is, but for these entries. */
  async write(entries: IndexEntry[]): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "dragoman-index-"));
    try {
      const [index, fresh] = [indexOf(this.#repository), join(folder, "index")];
      const mode = await stat(index).then(
        (stats) => stats.mode & 0o777,
        () => undefined, // there is none before the first file is staged
      );
      if (mode !== undefined) await copyFile(index, fresh);
      await enterInto(this.#repository, fresh, entries);
      await this.#handle.truncate(0);
      await this.#handle.writeFile(await readFile(fresh));
      if (mode !== undefined) await this.#handle.chmod(mode);
      await this.#handle.sync();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** What was written is the index now. */
  async commit(): Promise<void> {
    await rename(lockOf(this.#repository), indexOf(this.#repository));
    this.#held = false;
    await unlinkIfThere(this.#own);
  }

  async release(): Promise<void> {
    await this.#handle.close();
    if (this.#held) await unlinkIfThere(lockOf(this.#repository));
    this.#held = false;
    await unlinkIfThere(this.#own);
  }

  /** Nobody works on it any more, but it stays. */
  async leave(): Promise<void> {
    await this.#handle.close();
  }
}

/** Where a file cannot have two names, the lock is one of its own, and nobody can tell whose it is. */
async function linkOrMake(own: string, lock: string): Promise<FileHandle | undefined> {
  try {
    await link(own, lock);
    return undefined;
  } catch (error) {
    if (hasNoLinks(error)) return open(lock, "wx", 0o666);
    throw error;
  }
}

async function unlinkIfThere(path: string): Promise<void> {
  await unlink(path).catch((error) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
}

export const indexOf = ({ place }: GitRepository) => join(place.gitDir, "index");
export const lockOf = (repository: GitRepository) => `${indexOf(repository)}.lock`;
