import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { DragomanError, messageOf } from "../core/errors.ts";
import type { Target } from "../core/tool.ts";
import { codeOf } from "./real-path.ts";

// A link that took the file's place since it was looked at is not followed, and a pipe without a writer is not waited for.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file for reading, at the very place that the target says. The caller closes it. */
export async function openFile(target: Pick<Target, "path" | "real">): Promise<FileHandle> {
  const handle = await open(target.real, FLAGS).catch((error) => {
    throw fileError(error, target.path);
  });
  try {
    const stats = await handle.stat();
    if (stats.isDirectory())
      throw new DragomanError("tool_failed", `${target.path} is a folder. Use list to see what is in it.`);
    if (!stats.isFile())
      throw new DragomanError("tool_failed", `${target.path} is not a regular file, so it is not opened.`);
    if ((await realpath(target.real)) !== target.real) throw movedError(target.path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error instanceof DragomanError ? error : fileError(error, target.path);
  }
}

export function movedError(path: string): DragomanError {
  return new DragomanError("conflict", `${path} leads elsewhere than when this was asked for. Look at it again.`);
}

/** What the system says about a file, as a person can use it. */
export function fileError(error: unknown, path: string): DragomanError {
  const why: Record<string, string> = {
    ENOENT: `There is no ${path}. Use list or glob to find what there is.`,
    ENOTDIR: `${path} cannot be: something above it is a file, not a folder.`,
    EISDIR: `${path} is a folder.`,
    EACCES: `${path} may not be used: permission denied.`,
    EPERM: `${path} may not be changed: the system does not permit it.`,
    EROFS: `${path} lies on a read-only file system.`,
    ENOSPC: `There is no room left for ${path}.`,
    ENAMETOOLONG: `The name ${path} is too long.`,
    ENXIO: `${path} is not a regular file, so it is not opened.`,
  };
  if (codeOf(error) === "ELOOP") return movedError(path);
  const message = why[codeOf(error) ?? ""] ?? `${path} cannot be used: ${messageOf(error)}.`;
  return new DragomanError("tool_failed", message, undefined, { cause: error });
}
