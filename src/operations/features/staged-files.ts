import { randomUUID } from "node:crypto";
import {
  access,
  constants,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readFile,
  rename,
  rmdir,
  unlink,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DocumentName } from "../documents.ts";
import { etagOf, movedError } from "./document-content.ts";
import { checkFilePlace, codeOf, fileError } from "./document-files.ts";
import type { RecordedFile } from "./save-record.ts";

export interface FileChange {
  name: DocumentName;
  /** A real path. */
  root: string;
  /** From the root. */
  path: string;
  content: string;
  /** The etag of what is there now; undefined for a new file. */
  before: string | undefined;
}

interface Staged extends Omit<FileChange, "root" | "content"> {
  real: string;
  /** The etag of what is to be there. */
  after: string;
  fresh: string;
  /** What was there, by another name, until it is certain that it is not wanted back. */
  backup: string;
  placed: boolean;
}

/**
 * New contents of files, all of them on disk beside the old ones before the first takes its place. Each takes it at once, and only
 * of what it was meant to replace. `undo` gives back the very files that were there.
 */
export class StagedFiles {
  readonly #files: Staged[] = [];
  readonly #folders: string[] = [];

  private constructor() {}

  /** The mark is in the names of all files that are only there on the way. */
  static async prepare(changes: readonly FileChange[], mark: string = randomUUID()): Promise<StagedFiles> {
    const staged = new StagedFiles();
    try {
      for (const change of changes) await staged.#stage(change, mark);
      return staged;
    } catch (error) {
      await staged.undo();
      throw error;
    }
  }

  /** Those of someone who is no more, to be undone or finished. How far they came is seen by what is there. */
  static left(files: readonly RecordedFile[], root: string, mark: string): StagedFiles {
    const staged = new StagedFiles();
    for (const { name, path, before, after } of files) {
      const real = join(root, path);
      staged.#files.push({ name, path, before, after, real, ...besides(real, mark, name), placed: true });
      if (before === undefined) staged.#folders.push(dirname(real));
    }
    return staged;
  }

  async #stage(change: FileChange, mark: string): Promise<void> {
    const { name, path, before, content } = change;
    const real = join(change.root, path);
    const { fresh, backup } = besides(real, mark, name);
    try {
      await checkFilePlace(change.root, change.path);
      // Taking a file's place needs no right to the file itself, but one that is read-only is so for a reason.
      if (change.before !== undefined) await access(real, constants.W_OK);
      else await this.#makeFolder(dirname(real));
      this.#files.push({ name, path, before, after: etagOf(content), real, fresh, backup, placed: false });
      const mode = change.before === undefined ? 0o666 : (await lstat(real)).mode & 0o777;
      const handle = await open(fresh, "wx", change.before === undefined ? mode : 0o600);
      try {
        await handle.writeFile(change.content, "utf8");
        if (change.before !== undefined) await handle.chmod(mode);
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw codeOf(error) === "ENOENT" ? movedError(change.name) : fileError(error, change.path);
    }
  }

  /** Puts all in their places, or none. */
  async place(): Promise<void> {
    try {
      for (const file of this.#files) await this.#placeOne(file);
    } catch (error) {
      await this.undo();
      throw error;
    }
  }

  async #placeOne(file: Staged): Promise<void> {
    const { real, fresh, backup, before, name, path } = file;
    try {
      if (before === undefined) {
        await link(fresh, real); // unlike renaming, it takes nobody's place
        file.placed = true;
        return;
      }
      await link(real, backup).catch(() => copyFile(real, backup, constants.COPYFILE_EXCL));
      if (etagOf(await readFile(backup, "utf8")) !== before) throw movedError(name);
      await rename(fresh, real);
      file.placed = true;
    } catch (error) {
      const code = codeOf(error);
      throw code === "EEXIST" || code === "ENOENT" ? movedError(name) : fileError(error, path);
    }
  }

  /** All as it was, files and folders. What someone else has put there since stays. */
  async undo(): Promise<void> {
    for (const file of this.#files.toReversed()) {
      if (file.placed && (await this.#isOurs(file))) {
        await (file.before === undefined ? unlink(file.real) : rename(file.backup, file.real)).catch(() => {});
      }
      file.placed = false;
    }
    await this.finish();
    for (const folder of this.#folders.splice(0).toReversed()) await rmdir(folder).catch(() => {});
  }

  /** Where all are in their places it is finished: what would be needed to go back may be gone in part. Else it is undone. */
  async settle(): Promise<void> {
    const placed = await Promise.all(this.#files.map((file) => this.#isOurs(file)));
    await (placed.every(Boolean) ? this.finish() : this.undo());
  }

  async #isOurs({ real, after }: Staged): Promise<boolean> {
    const content = await readFile(real, "utf8").catch(() => undefined);
    return content !== undefined && etagOf(content) === after;
  }

  /** Takes away what was only there to be able to go back. */
  async finish(): Promise<void> {
    for (const { fresh, backup } of this.#files.splice(0)) {
      for (const path of [fresh, backup]) await unlink(path).catch(() => {}); // often there is none
    }
  }

  async #makeFolder(path: string): Promise<void> {
    try {
      await mkdir(path);
      this.#folders.push(path);
    } catch (error) {
      if (codeOf(error) === "EEXIST") return;
      if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
      await this.#makeFolder(dirname(path));
      await this.#makeFolder(path);
    }
  }
}

/** Where a file's new content waits beside it, and where its old one is kept. */
function besides(real: string, mark: string, name: DocumentName): Pick<Staged, "fresh" | "backup"> {
  const base = join(dirname(real), `.dragoman-${mark}-${name}`);
  return { fresh: `${base}.tmp`, backup: `${base}.old` };
}
