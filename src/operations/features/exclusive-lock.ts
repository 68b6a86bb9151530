import { type FileHandle, open, stat, unlink } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { DragomanError } from "../../core/errors.ts";
import { codeOf, fileError } from "./document-files.ts";

const LONGEST_WAIT_MS = 10_000;
const LONGEST_PAUSE_MS = 60;
const LONGEST_ALONE_MS = 5_000;

export interface LockOptions {
  /** After this long a lock is what someone left behind who is no more. Without it, it is somebody's until they take it away. */
  staleMs?: number;
  signal?: AbortSignal;
  longestWaitMs?: number;
}

/** Holds a file that nobody else can make as long as it is there. */
export function holdFile(path: string, options: LockOptions = {}): Promise<FileHandle> {
  return takeLock(path, () => open(path, "wx", 0o666), options);
}

/** Waits until the file can be made. */
export async function takeLock<T>(path: string, make: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const deadline = Date.now() + (options.longestWaitMs ?? LONGEST_WAIT_MS);
  for (let pause = 5; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await make();
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw fileError(error, path);
    }
    const { staleMs } = options;
    if (staleMs !== undefined && (await ageOf(path)) > staleMs) {
      await whileAlone(path, async () => {
        if ((await ageOf(path)) > staleMs) await unlink(path).catch(() => {});
      });
    } else if (Date.now() > deadline) throw held(path);
    // Those who wait for the same do not all come back at the same moment.
    await delay(pause * (0.5 + Math.random()), undefined, { signal: options.signal }).catch(() => {
      throw new DragomanError("cancelled", "It was called off before anything was saved.");
    });
  }
}

/**
 * For one who takes a lock away that another left behind: of two who found it, the second would take away what the first, or a third,
 * has made since. So one looks again while no other can take it away. Nobody stays here for longer than a few steps.
 */
export async function whileAlone(path: string, act: () => Promise<void>): Promise<void> {
  const alone = `${path}.alone`;
  const handle = await takeLock(alone, async () => {
    if ((await ageOf(alone)) > LONGEST_ALONE_MS) await unlink(alone).catch(() => {}); // of one that was killed just here
    return open(alone, "wx", 0o600);
  });
  try {
    await act();
  } finally {
    await handle.close();
    await unlink(alone).catch(() => {});
  }
}

async function ageOf(path: string): Promise<number> {
  const stats = await stat(path).catch(() => undefined);
  return stats ? Date.now() - stats.mtimeMs : 0;
}

function held(path: string): DragomanError {
  const message = `Someone else is at work here: ${path} is there. Try again; if no git runs, take that file away.`;
  return new DragomanError("conflict", message);
}

/** Whether both are there, and are one file by two names. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((path) => stat(path, { bigint: true }).catch(() => undefined)),
  );
  return first !== undefined && second !== undefined && first.dev === second.dev && first.ino === second.ino;
}

/** Of an attempt to give a file a second name, where the file system knows no such thing. */
export const hasNoLinks = (error: unknown) =>
  ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(codeOf(error) ?? "");
