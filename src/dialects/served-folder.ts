import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { DragomanError, messageOf } from "../core/errors.ts";
import { type Caller, demand, may } from "../core/roles.ts";

/** So many of the latest sessions are looked through for those that a caller may see. */
export const MOST_LOOKED_THROUGH = 1000;

/**
 * The folder that a node serves. What is elsewhere is there only for whoever may do everything; without a caller it is the user
 * themself, at the other end of a pipe.
 */
export class ServedFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
  }

  /** Whether a session that works there is one that the caller may see and use. */
  async admits(workspace: string, caller: Caller | undefined): Promise<boolean> {
    return isFree(caller) || isWithin(await real(workspace), await real(this.path));
  }

  /** Those that the caller may see, at most so many. Each folder is looked up once. */
  async seen<Session extends { workspace: string }>(
    sessions: Session[],
    limit: number,
    caller: Caller | undefined,
  ): Promise<Session[]> {
    const admitted = new Map<string, boolean>();
    const found: Session[] = [];
    for (const session of sessions) {
      if (found.length >= limit) break;
      const { workspace } = session;
      if (!admitted.has(workspace)) admitted.set(workspace, await this.admits(workspace, caller));
      if (admitted.get(workspace)) found.push(session);
    }
    return found;
  }

  async check(workspace: string, caller: Caller | undefined): Promise<void> {
    if (!caller || (await this.admits(workspace, caller))) return;
    demand(caller, "admin", "use a session of a folder that is not served here");
  }

  /** The path of that name, from the served folder if it is not absolute. Whether there is something elsewhere is not told. */
  async within(given: string, caller: Caller | undefined): Promise<string> {
    const path = resolve(this.path, given);
    if (!caller || isFree(caller)) return path;
    const isThere = isWithin(path, this.path) || isWithin(path, await real(this.path));
    if (!isThere || !isWithin(await real(path), await real(this.path))) {
      demand(caller, "admin", `work in ${path}, which is not in the served folder`);
    }
    return path;
  }

  /** The real folder of that name. */
  async folder(given: string, caller: Caller | undefined): Promise<string> {
    return realFolder(await this.within(given, caller));
  }
}

/** As it is written, where there is no such thing. */
const real = (path: string) => realpath(path).catch(() => path);

const isFree = (caller: Caller | undefined) => !caller || may(caller, "admin");

function isWithin(path: string, folder: string): boolean {
  const from = relative(folder, path);
  return from !== ".." && !from.startsWith(`..${sep}`) && !isAbsolute(from);
}

async function realFolder(path: string): Promise<string> {
  try {
    const folder = await realpath(path);
    if ((await stat(folder)).isDirectory()) return folder;
  } catch (error) {
    const message = `The workspace ${path} cannot be entered: ${messageOf(error)}. Give a folder that is there.`;
    throw new DragomanError("invalid_params", message);
  }
  throw new DragomanError("invalid_params", `The workspace ${path} is no folder. Give one that is.`);
}
