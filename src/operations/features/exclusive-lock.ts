import { stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { DragomanError } from "../../core/errors.ts";
import { codeOf, fileError } from "./document-files.ts";

const LONGEST_WAIT_MS = 10_000;
const LONGEST_PAUSE_MS = 60;

export interface LockOptions {
  /** Somebody has it: who knows whether that one is still there can take it away. */
  whenHeld?(): Promise<void>;
  signal?: AbortSignal;
  longestWaitMs?: number;
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
    if (Date.now() > deadline) throw held(path);
    await options.whenHeld?.().catch(() => {}); // it stays held, then
    // Those who wait for the same do not all come back at the same moment.
    await delay(pause * (0.5 + Math.random()), undefined, { signal: options.signal }).catch(() => {
      throw new DragomanError("cancelled", "It was called off before anything was saved.");
    });
  }
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
