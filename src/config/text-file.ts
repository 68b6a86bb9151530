import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, stat } from "node:fs/promises";
import { DragomanError, messageOf } from "../core/errors.ts";
import { printable, shellWord } from "./printable.ts";

export interface TextFile {
  text: string;
  sha256: string;
}

export interface TextFileRules {
  maxBytes: number;
  /** A link in a project could lead to a file that nobody guards as configuration. */
  links: "follow" | "refuse";
  /** Only its owner may have written it. */
  ownersOnly: boolean;
}

/** The text of a file, or undefined where there is none. Waits for nothing but the disk, whatever the file is. */
export async function readTextFile(path: string, rules: TextFileRules): Promise<TextFile | undefined> {
  let handle: FileHandle | undefined;
  try {
    // Looked at before it is opened, since the opening of a device may do something; and again after it, since it may have changed.
    check(path, await (rules.links === "follow" ? stat(path) : lstat(path)), rules);
    const noFollow = rules.links === "follow" ? 0 : constants.O_NOFOLLOW;
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
    check(path, await handle.stat(), rules);
    return decoded(path, await readUpTo(handle, path, rules.maxBytes));
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    const code = codeOf(error);
    const isLink = await lstat(path).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
    if (isLink) throw unusable(path, "is a link that leads nowhere. Put a file in its place");
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw unusable(path, `cannot be read: ${messageOf(error)}. Make it readable or take it away`);
  } finally {
    await handle?.close();
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** A file or folder that others may change decides nothing here. Windows has no such modes. */
export function checkOwnersOnly(path: string, stats: Stats): void {
  const me = process.getuid?.();
  if (me === undefined) return;
  if (stats.uid !== me && stats.uid !== 0) {
    throw unusable(path, "belongs to another user. Take it away, or make it yours with chown");
  }
  if ((stats.mode & 0o022) === 0) return;
  const mode = stats.isDirectory() ? "700" : "600";
  throw unusable(path, `can be changed by other users. Look at it, then run: chmod ${mode} ${shellWord(path)}`);
}

export function unusable(path: string, reason: string): DragomanError {
  return new DragomanError("precondition_failed", `${printable(path)} ${reason}.`, { file: path });
}

function check(path: string, stats: Stats, rules: TextFileRules): void {
  if (stats.isSymbolicLink()) throw unusable(path, "is a symbolic link. Put the file itself there");
  if (!stats.isFile()) throw unusable(path, "is not a regular file. Take it away, or put a file in its place");
  if (rules.ownersOnly) checkOwnersOnly(path, stats);
}

async function readUpTo(handle: FileHandle, path: string, maxBytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.min((await handle.stat()).size, maxBytes) + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  if (length > maxBytes) throw unusable(path, `is larger than ${maxBytes} bytes. Make it smaller`);
  if (length === buffer.length) throw unusable(path, "is being written. Try again");
  return buffer.subarray(0, length);
}

function decoded(path: string, bytes: Buffer): TextFile {
  try {
    // A byte order mark at its beginning is left out by the decoder.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text, sha256: createHash("sha256").update(bytes).digest("hex") };
  } catch {
    throw unusable(path, "is not UTF-8 text. Save it as UTF-8");
  }
}
