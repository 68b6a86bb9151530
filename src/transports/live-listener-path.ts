import { randomBytes } from "node:crypto";
import { accessSync, constants, linkSync, lstatSync, renameSync, rmSync, type Stats, statSync } from "node:fs";
import { connect, type Server } from "node:net";
import { dirname, resolve } from "node:path";
import { DragomanError, messageOf } from "../core/errors.ts";

/** What the system takes for a path of a socket, without the zero behind it. */
const MOST_BYTES = process.platform === "darwin" ? 103 : 107;
const OURS_ALONE = 0o600;
const NO_ONE_ELSE = 0o177;

/**
 * Lets a server listen at a path, for this user alone. It is bound beside its place and moved there: so it is found only when all is well
 * with it, and the system, which takes away the name that was bound, never takes away the socket of a later server. The function that is
 * returned removes the file, if it is still ours.
 */
export async function listenAtPath(server: Server, given: string): Promise<{ path: string; remove(): void }> {
  const path = resolve(given);
  const beside = `${path}~${randomBytes(3).toString("hex")}`;
  checkLength(path, beside);
  checkFolder(path);
  const left = await leftAt(path);
  const listening = bound(server, beside);
  try {
    await listening;
    const made = lstatSync(beside);
    checkOurs(made);
    if (left !== undefined) moveAway(path, `${beside}-`, left);
    takePlace(beside, path);
    return { path, remove: () => removeIf(path, made.ino) };
  } catch (error) {
    server.close();
    throw error instanceof DragomanError ? error : cannotListen(path, messageOf(error).replaceAll(beside, path));
  } finally {
    rmSync(beside, { force: true });
  }
}

function checkLength(path: string, beside: string): void {
  if (process.platform === "win32") {
    throw new DragomanError(
      "precondition_failed",
      "There are no such sockets on this system. Give --live-port instead.",
    );
  }
  const most = MOST_BYTES - (beside.length - path.length);
  const length = Buffer.byteLength(path);
  if (length <= most) return;
  const message = `${path} has ${length} bytes, and a socket's path at most ${most}. Give a shorter --live-socket.`;
  throw new DragomanError("invalid_params", message);
}

/** The system's own word for this is that one may not. */
function checkFolder(path: string): void {
  const folder = dirname(path);
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory();
  if (!isThere) throw cannotListen(path, `there is no folder ${folder}`);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw cannotListen(path, `you may not write to the folder ${folder}`);
  }
}

/** The file of a server that is gone, if there is one; anything else at the path is left as it is. */
async function leftAt(path: string): Promise<number | undefined> {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (!there) return undefined;
  if (!there.isSocket()) throw cannotListen(path, "something else is there, which is left as it is");
  const code = await connectProblem(path);
  if (code === "ECONNREFUSED" || code === "ENOENT") return there.ino;
  if (code !== undefined && code !== "EAGAIN") throw cannotListen(path, `what is there cannot be reached (${code})`);
  throw taken(path);
}

/** Only what was looked at: of two servers that start at the same moment the second would find the socket of the first. */
function moveAway(path: string, aside: string, ino: number): void {
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return; // another one did
    throw error;
  }
  if (lstatSync(aside).ino !== ino) linkSync(aside, path);
  rmSync(aside, { force: true });
}

/** Nothing is replaced by that: whoever is there stays. */
function takePlace(beside: string, path: string): void {
  try {
    linkSync(beside, path);
  } catch (error) {
    throw codeOf(error) === "EEXIST" ? taken(path) : error;
  }
}

/** The code of what went wrong; nothing where someone answers. */
function connectProblem(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once("connect", () => {
      probe.destroy();
      resolve(undefined);
    });
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

/** The file is made before `listen` returns, so the mask is of this process for that moment only. */
function bound(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    const before = process.umask(NO_ONE_ELSE);
    try {
      server.listen(path);
    } finally {
      process.umask(before);
    }
  });
}

function checkOurs({ mode, uid }: Stats): void {
  if ((mode & 0o777) === OURS_ALONE && uid === process.geteuid?.()) return;
  const message = "The system lets others use a socket in that folder. Give a --live-socket in another one.";
  throw new DragomanError("precondition_failed", message);
}

function removeIf(path: string, ino: number): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.ino === ino) rmSync(path, { force: true });
}

function taken(path: string): DragomanError {
  const message = `Another program listens at ${path} already. End it first, or give another --live-socket.`;
  return new DragomanError("conflict", message);
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code;

function cannotListen(path: string, why: string): DragomanError {
  return new DragomanError("precondition_failed", `Cannot listen at ${path}: ${why}. Give another --live-socket.`);
}
