import { DragomanError } from "../core/errors.ts";

// https://sqlite.org/rescode.html
const BUSY = 5;
const CORRUPT = 11;
/** A lock that many want at once: SQLite gives up after a while. */
const PROTOCOL = 15;
const NOTADB = 26;

/** The primary result code. The driver leaves it out of what `all` and `prepare` throw, and then only the message tells. */
function resultCode(error: unknown): number | undefined {
  const { errcode, message } = error as { errcode?: number; message?: string };
  if (errcode !== undefined) return errcode & 0xff;
  if (/malformed|corrupt/i.test(message ?? "")) return CORRUPT;
  if (/not a database/i.test(message ?? "")) return NOTADB;
  if (/is locked/i.test(message ?? "")) return BUSY;
  if (/locking protocol/i.test(message ?? "")) return PROTOCOL;
  return undefined;
}

const TOOBIG = 18;
const CONSTRAINT = 19;
const MISMATCH = 20;
const RANGE = 25;

/** What was asked is at fault, not the file: it is rolled back, and the next one may well succeed. */
export function isRefusal(error: unknown): boolean {
  const code = resultCode(error);
  return code === undefined ? error instanceof TypeError : [TOOBIG, CONSTRAINT, MISMATCH, RANGE].includes(code);
}

/** Another process is at it: later it may well succeed. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === PROTOCOL;
}

/** What SQLite says, as one of our errors, with the file and what to do. */
export function sqliteError(error: unknown, path: string): DragomanError {
  if (error instanceof DragomanError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = resultCode(error);
  if (code === CORRUPT || code === NOTADB || error instanceof SyntaxError) return storeCorrupt(path, message);
  if (isBusy(error)) {
    return new DragomanError(
      "store_failed",
      `The session store ${path} stayed locked by another process (${message}). Nothing was written; try again.`,
    );
  }
  if (pathCodes.has((error as NodeJS.ErrnoException).code ?? "")) {
    const advice = "Set DRAGOMAN_HOME to a folder that can be written to.";
    return new DragomanError("store_failed", `The session store ${path} cannot be opened: ${message}. ${advice}`);
  }
  return storeFailed(path, message);
}

/** A mistake in the path, not a fault of the disk. */
const pathCodes = new Set([
  "EEXIST",
  "ENOENT",
  "ENOTDIR",
  "EISDIR",
  "EACCES",
  "EPERM",
  "EROFS",
  "ELOOP",
  "ENAMETOOLONG",
]);

export function storeFailed(path: string, what: string): DragomanError {
  return new DragomanError(
    "store_failed",
    `The session store ${path} cannot be used: ${what}. Check the disk and its free space, then start Dragoman again.`,
  );
}

export function storeCorrupt(path: string, what: string): DragomanError {
  return new DragomanError(
    "store_corrupt",
    `The session store ${path} is damaged or not a store: ${what}. It was left as it is. ` +
      "Restore a backup, or move the file away, with its -wal file if there is one, and a new store is made.",
  );
}
