import { randomUUID } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { access, constants, type FileHandle, lstat, mkdir, open, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DragomanError } from "../core/errors.ts";
import type { Target } from "../core/tool.ts";
import { wholeContent } from "./file-content.ts";
import { fileError, movedError, openFile } from "./open-file.ts";
import { codeOf, realPath } from "./real-path.ts";

const MAX_BYTES = 10 * 1024 * 1024;

/** A file at some time; neither is there if the file is not. */
export interface FileState {
  content?: Buffer;
  stats?: BigIntStats;
}

export async function fileState(target: Target): Promise<FileState> {
  const handle = await openFile(target).catch((error) => {
    if (codeOf(error.cause) !== "ENOENT") throw error;
  });
  if (!handle) return {};
  try {
    const stats = await handle.stat({ bigint: true });
    const content = await wholeContent(handle, MAX_BYTES);
    if (content) return { content, stats };
  } catch (error) {
    throw fileError(error, target.path);
  } finally {
    await handle.close();
  }
  throw new DragomanError("tool_failed", `${target.path} has more than 10 MB. Change it by a command instead.`);
}

/**
 * Puts a new content in the file's place at once: nobody ever reads half of it, and a crash leaves one of the two. Fails if the file
 * is not as it was `before`, or not where it was.
 */
export async function replaceFile(target: Target, before: FileState, content: Buffer): Promise<void> {
  const folder = dirname(target.real);
  const fresh = join(folder, `.dragoman-${randomUUID()}.tmp`);
  try {
    await checkUnchanged(target, before);
    // Taking a file's place needs no right to the file itself, but one that is read-only is so for a reason.
    if (before.stats) await access(target.real, constants.W_OK);
    else await makeFolder(folder);
    const handle = await open(fresh, "wx", before.stats ? 0o600 : 0o666);
    try {
      await handle.writeFile(content);
      if (before.stats) await takeOver(before.stats, handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await checkUnchanged(target, before);
    await rename(fresh, target.real);
  } catch (error) {
    await unlink(fresh).catch(() => {}); // mostly it was never made
    throw error instanceof DragomanError ? error : fileError(error, target.path);
  }
}

async function takeOver({ mode, uid, gid }: BigIntStats, handle: FileHandle): Promise<void> {
  const own = await handle.stat({ bigint: true });
  // Only the administrator may give a file away; for anyone else it becomes their own.
  if (own.uid !== uid || own.gid !== gid) await handle.chown(Number(uid), Number(gid)).catch(() => {});
  await handle.chmod(Number(mode & 0o7777n));
}

async function checkUnchanged(target: Target, { stats: before }: FileState): Promise<void> {
  if ((await realPath(target.real)) !== target.real) throw movedError(target.path);
  const now = await lstat(target.real, { bigint: true }).catch((error) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
  const parts = ["dev", "ino", "size", "mtimeNs"] as const;
  if (parts.some((part) => now?.[part] !== before?.[part])) {
    throw new DragomanError("conflict", `${target.path} was changed by someone else in the meantime. Read it again.`);
  }
}

/** Not by `recursive`, which tries for ever where a folder cannot be made though the one above it is there, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path);
  }
}
