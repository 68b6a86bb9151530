import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { mayBeRunning, type ProcessIdentity, thisProcess } from "../../core/process-identity.ts";
import { documentNames } from "../documents.ts";
import type { GitPlace } from "./git-place.ts";

const LONGEST_RECORD = 64 * 1024;
/** A record that is still not whole after this long never will be. */
const STALE_MS = 60_000;
const PREFIX = "dragoman-save-";

const etag = z.string().regex(/^[0-9a-f]{32}$/);
const commit = z.string().regex(/^[0-9a-f]{40,64}$/);
const fileSchema = z.object({
  name: z.enum(documentNames),
  path: z.string().max(500),
  before: etag.optional(),
  after: etag,
});
const processSchema = z.object({ host: z.string(), pid: z.number().int().positive(), startedAt: z.string() });

/** Who saves, and which files are written on the way: enough for others to clean up after it. */
export const stepsSchema = z.object({
  process: processSchema,
  /** What the names of its temporary files have in common. */
  mark: z.uuid(),
  files: z.array(fileSchema).max(documentNames.length),
});
export type SaveSteps = z.infer<typeof stepsSchema>;
export type RecordedFile = SaveSteps["files"][number];

const recordSchema = stepsSchema.extend({
  feature: z.string(),
  /** From the top of the working tree to the workspace, which paths are from. */
  prefix: z.string().max(4000),
  /** Where the branch was, and where it goes. */
  from: commit.optional(),
  to: commit,
  entries: z
    .array(z.object({ path: z.string().max(5000), mode: z.string().regex(/^100\d{3}$/), blob: commit }))
    .max(10),
});
export type RecordedSave = z.infer<typeof recordSchema>;

export const isGone = (process: ProcessIdentity) => !mayBeRunning(process);

/**
 * What a save is about to do, in the git directory, from before its first step until after its last. Whoever finds one of a process
 * that is no more ends what that had begun.
 */
export class SaveRecord {
  readonly save: RecordedSave;
  readonly #base: string;

  private constructor(gitDir: string, save: RecordedSave) {
    this.save = save;
    this.#base = join(gitDir, `${PREFIX}${save.mark}`);
  }

  static async write(place: GitPlace, about: Omit<RecordedSave, "process" | "mark" | "prefix">): Promise<SaveRecord> {
    const { gitDir, prefix } = place;
    const record = new SaveRecord(gitDir, { ...about, prefix, process: thisProcess(), mark: randomUUID() });
    await writeWhole(`${record.#base}.json`, `${record.#base}.new`, JSON.stringify(record.save));
    return record;
  }

  /** Those of processes that are gone. */
  static async left(gitDir: string): Promise<SaveRecord[]> {
    const names = (await readdir(gitDir)).filter((name) => name.startsWith(PREFIX));
    const found: SaveRecord[] = [];
    for (const name of names) {
      const path = join(gitDir, name);
      if (name.endsWith(".new")) await dropOld(path);
      if (!name.endsWith(".json")) continue;
      const save = recordSchema.safeParse(await jsonAt(path)).data;
      if (save && name === `${PREFIX}${save.mark}.json` && isGone(save.process))
        found.push(new SaveRecord(gitDir, save));
    }
    return found;
  }

  /** The file that becomes the index's lock: by it the lock is known to be of this save. */
  get lock(): string {
    return `${this.#base}.lock`;
  }

  async remove(): Promise<void> {
    for (const path of [this.lock, `${this.#base}.json`, `${this.#base}.new`]) await unlink(path).catch(() => {});
  }
}

/** All of it is there by that name, or nothing. */
export async function writeWhole(path: string, fresh: string, text: string): Promise<void> {
  try {
    const handle = await open(fresh, "wx", 0o600);
    try {
      await handle.writeFile(text, "utf8");
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await unlink(fresh).catch(() => {});
    throw error;
  }
}

/** What a small file says; nothing where it is not there, or says nothing that can be read. */
export async function jsonAt(path: string): Promise<unknown> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > LONGEST_RECORD) return undefined;
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** Of a record that never got its name: nothing had been begun. */
export async function dropOld(path: string): Promise<void> {
  const steps = stepsSchema.safeParse(await jsonAt(path)).data;
  if (steps && isGone(steps.process)) await unlink(path).catch(() => {});
  const stats = await stat(path).catch(() => undefined);
  if (stats && Date.now() - stats.mtimeMs > STALE_MS) await unlink(path).catch(() => {});
}
