import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DragomanError } from "../core/errors.ts";

/** A store that cannot be opened because of the rights of its file or folder: SQLite does not say so, and the user can mend it. */
export function withRights(error: unknown, path: string, isAllowed = canWrite): unknown {
  if (!(error instanceof DragomanError) || error.code !== "store_failed") return error;
  const closed = [dirname(path), path].find((each) => existsSync(each) && !isAllowed(each));
  if (closed === undefined) return error;
  const { mode } = statSync(closed);
  const what = `The session store ${path} cannot be used: you may not write to ${closed} (its rights are ${(mode & 0o777).toString(8)}).`;
  const mend = "Change them, or set DRAGOMAN_HOME to a folder that can be written to. dragoman doctor tells more.";
  return new DragomanError(error.code, `${what} ${mend}`, undefined, { cause: error });
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
