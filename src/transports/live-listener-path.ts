import { lstatSync, renameSync, rmSync, type Stats } from "node:fs";
import { connect, type Server } from "node:net";
import { resolve } from "node:path";
import { DragomanError, messageOf } from "../core/errors.ts";

/** What the system takes for a path of a socket, without the zero behind it. */
const MOST_BYTES = process.platform === "darwin" ? 103 : 107;
const OURS_ALONE = 0o600;
const NO_ONE_ELSE = 0o177;

/**
 * Lets a server listen at a path, for this user alone. It is bound beside its place and moved there: so what an earlier server left is
 * replaced at once, and the system, which takes away the name that was bound, never takes away the socket of a later server. The
 * function that is returned removes the file, if it is still ours.
 */
export async function listenAtPath(server: Server, given: string): Promise<{ path: string; remove(): void }> {
  const path = resolve(given);
  const beside = `${path}~${process.pid.toString(36)}`;
  checkLength(path, beside);
  await checkFree(path);
  rmSync(beside, { force: true }); // of a process that had our number
  const listening = bound(server, beside);
  try {
    await listening;
    checkMode(lstatSync(beside));
    renameSync(beside, path);
  } catch (error) {
    server.close();
    rmSync(beside, { force: true });
    throw error instanceof DragomanError ? error : cannotListen(path, messageOf(error));
  }
  const { ino } = lstatSync(path);
  return { path, remove: () => removeIf(path, ino) };
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

/** Nothing is at the path, or what a server left there that is gone. */
async function checkFree(path: string): Promise<void> {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (!there) return;
  if (!there.isSocket()) throw cannotListen(path, "something else is there, which is left as it is");
  const code = await connectProblem(path);
  if (code === "ECONNREFUSED" || code === "ENOENT") return;
  if (code !== undefined && code !== "EAGAIN") throw cannotListen(path, `what is there cannot be reached (${code})`);
  const message = `Another program listens at ${path} already. End it first, or give another --live-socket.`;
  throw new DragomanError("conflict", message);
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

function checkMode({ mode }: Stats): void {
  if ((mode & 0o777) === OURS_ALONE) return;
  const message = "The system lets others use a socket in that folder. Give a --live-socket in another one.";
  throw new DragomanError("precondition_failed", message);
}

function removeIf(path: string, ino: number): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.ino === ino) rmSync(path, { force: true });
}

function cannotListen(path: string, why: string): DragomanError {
  return new DragomanError("precondition_failed", `Cannot listen at ${path}: ${why}. Give another --live-socket.`);
}
