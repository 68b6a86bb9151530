import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { shellWord } from "./printable.ts";
import { checkOwnersOnly, codeOf, unusable } from "./text-file.ts";

/** Not by `recursive`, which tries for ever where a folder cannot be made though the one above it is there, as in /proc. */
export async function makePrivateFolder(path: string): Promise<void> {
  if (await exists(path)) return;
  await makePrivateFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error) => {
    if (codeOf(error) !== "EEXIST") throw error; // someone else was faster
  });
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** All of it or nothing: a reader sees the file before or after. Whoever calls it sees to it that nobody else writes the file. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true }); // of someone who died while writing it
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** Without it the file may come back under its old name after a power cut. Windows cannot, and need not. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * The text of a file that nobody else may read or change, or undefined where there is none. What is wrong with the file is a
 * DragomanError; what the system could not do for other reasons (no more open files) is thrown as it came.
 */
export function readPrivateFile(path: string, maxBytes: number): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  checkPrivate(path, found);
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const stats = fstatSync(fd); // it may have changed since it was looked at
    checkPrivate(path, stats);
    if (stats.size > maxBytes) throw unusable(path, `is larger than ${maxBytes} bytes. Make it smaller`);
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(fd));
  } catch (error) {
    if (error instanceof TypeError) throw unusable(path, "is not UTF-8 text. Put back a copy of it, or take it away");
    throw error;
  } finally {
    closeSync(fd);
  }
}

function checkPrivate(path: string, stats: Stats): void {
  if (stats.isSymbolicLink()) throw unusable(path, "is a symbolic link. Put the file itself there");
  if (!stats.isFile()) throw unusable(path, "is not a regular file. Take it away");
  checkOwnersOnly(path, stats);
  if (process.getuid === undefined || (stats.mode & 0o077) === 0) return;
  throw unusable(path, `can be read by other users. Run: chmod 600 ${shellWord(path)}`);
}
