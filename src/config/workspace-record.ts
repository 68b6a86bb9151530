import { createHash } from "node:crypto";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import * as z from "zod";
import { DragomanError, messageOf } from "../core/errors.ts";
import { ruleSchema } from "../core/rules.ts";
import { parseJsonText } from "./json-text.ts";
import { printable } from "./printable.ts";
import { makePrivateFolder, writePrivateFile } from "./private-file.ts";
import { withLock } from "./record-lock.ts";
import { checkOwnersOnly, codeOf, readTextFile, unusable } from "./text-file.ts";

const MAX_BYTES = 1_000_000;
const NAME = /^[0-9a-f]{32}\.json$/;

// Strict: a rule whose unknown key is left out would mean more than it says.
const rules = z.array(z.strictObject(ruleSchema.shape));

const recordSchema = z.strictObject({
  workspace: z.string(),
  trusted: z.boolean(),
  trustedAt: z.string().optional(),
  /** The digest of the `dragoman.json` that was trusted, or that there was none. */
  configuration: z.union([z.literal("absent"), z.string().regex(/^[0-9a-f]{64}$/)]).optional(),
  allow: rules,
  deny: rules,
});

/** What the user decided about a workspace. It is kept outside of it, where nothing that the workspace holds can change it. */
export type WorkspaceRecord = z.infer<typeof recordSchema>;

/** The folder itself, by whatever links it was reached. */
export async function realWorkspace(workspace: string): Promise<string> {
  try {
    const real = await realpath(workspace);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "ENOTDIR") {
      throw unusable(workspace, `cannot be reached: ${messageOf(error)}`);
    }
  }
  throw unusable(resolve(workspace), "is not a folder, or not any more. Name one that is there");
}

const recordsFolder = (home: string) => join(home, "workspaces");

export function recordPath(home: string, real: string): string {
  const name = createHash("sha256").update(real).digest("hex").slice(0, 32);
  return join(recordsFolder(home), `${name}.json`);
}

/** Fails rather than forget: nothing recorded and nothing readable are not the same. */
export async function readRecord(home: string, real: string): Promise<WorkspaceRecord> {
  await checkFolder(home);
  const path = recordPath(home, real);
  const record = await readRecordFile(path);
  if (!record) return { workspace: real, trusted: false, allow: [], deny: [] };
  if (record.workspace === real) return record;
  throw unusable(path, `is about ${printable(record.workspace)}, not about ${printable(real)}. Take it away`);
}

/** Every record there is, and what is wrong with those that cannot be read. */
export async function readRecords(home: string): Promise<{ records: WorkspaceRecord[]; errors: DragomanError[] }> {
  await checkFolder(home);
  const names = await readdir(recordsFolder(home)).catch((error) => {
    if (codeOf(error) === "ENOENT") return [];
    throw unusable(recordsFolder(home), `cannot be read: ${messageOf(error)}`);
  });
  const found: { records: WorkspaceRecord[]; errors: DragomanError[] } = { records: [], errors: [] };
  for (const name of names.filter((one) => NAME.test(one)).sort()) {
    try {
      const record = await readRecordFile(join(recordsFolder(home), name));
      if (record) found.records.push(record);
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      found.errors.push(error);
    }
  }
  return found;
}

/** Changes what is recorded, one change at a time among all processes. Resolves when it is on disk. */
export async function changeRecord(
  home: string,
  real: string,
  change: (record: WorkspaceRecord) => WorkspaceRecord,
): Promise<void> {
  const folder = recordsFolder(home);
  try {
    await makePrivateFolder(folder);
    await withLock(join(folder, "lock.db"), async () => {
      const record = await readRecord(home, real);
      const changed = change(record);
      if (changed !== record) await writeRecord(recordPath(home, real), changed);
    });
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    const advice = "Check the disk, or set DRAGOMAN_HOME to a folder that can be written to.";
    throw new DragomanError("store_failed", `Nothing was remembered in ${folder}: ${messageOf(error)}. ${advice}`);
  }
}

async function checkFolder(home: string): Promise<void> {
  const folder = recordsFolder(home);
  const stats = await lstat(folder).catch((error) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw unusable(folder, `cannot be reached: ${messageOf(error)}`);
  });
  if (!stats) return;
  if (!stats.isDirectory()) throw unusable(folder, "is not a folder. Take it away, and it is made anew");
  checkOwnersOnly(folder, stats);
}

async function readRecordFile(path: string): Promise<WorkspaceRecord | undefined> {
  const file = await readTextFile(path, { maxBytes: MAX_BYTES, links: "refuse", ownersOnly: true });
  if (!file) return undefined;
  try {
    return recordSchema.parse(parseJsonText(file.text).value);
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error).replaceAll("\n", " ") : messageOf(error);
    throw unusable(path, `is not a record of a workspace: ${printable(reason)}. Mend it, or take it away`);
  }
}

/** The lock is held, so nobody else writes it. */
async function writeRecord(path: string, record: WorkspaceRecord): Promise<void> {
  const text = `${JSON.stringify(record, null, 2)}\n`;
  if (Buffer.byteLength(text) > MAX_BYTES) throw unusable(path, "would grow too large. Take rules out of it");
  await writePrivateFile(path, text);
}
