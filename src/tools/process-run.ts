import type { Readable } from "node:stream";
import { DragomanError, messageOf } from "../core/errors.ts";
import { newMark } from "../core/process-mark.ts";
import type { Supervise, Supervised } from "../core/supervision.ts";
import { ProcessGroup, type Program } from "./process-group.ts";
import { shortTitle } from "./short-title.ts";

const GRACE_MS = 2000;
/** How long a process that has ended is listened to, when something it started keeps its pipes open. */
const LISTEN_MS = 300;

export interface RunOptions extends Program {
  /** What it is to a person. */
  title: string;
  timeoutMs: number;
  signal: AbortSignal;
  onKill(kill: () => void | Promise<void>): () => void;
  supervise: Supervise;
  /** Takes the pipes before anything has come out of them. */
  listen(stdout: Readable, stderr: Readable): Listener;
}

export interface Listener {
  readonly blocked?: boolean;
  /** Resolves when everything is taken that was said. */
  end(): Promise<void>;
}

export interface RunEnd {
  exitCode: number | null;
  signal?: NodeJS.Signals;
  /** Why it was ended before it did so itself. */
  stopped?: "timeout" | "abort";
}

/** Runs a program to its end or to its time-out. When this resolves, nothing is left of it or of what it started. */
export async function runProcess(options: RunOptions): Promise<RunEnd> {
  const { signal, supervise } = options;
  if (signal.aborted) return { exitCode: null, stopped: "abort" };
  const supervised = await supervise(shortTitle(options.title));
  try {
    return signal.aborted ? { exitCode: null, stopped: "abort" } : await runSupervised(options, supervised);
  } finally {
    supervised.ended();
  }
}

async function runSupervised(options: RunOptions, supervised: Supervised): Promise<RunEnd> {
  const group = new ProcessGroup(options, supervised.mark);
  if (group.child.pid !== undefined) supervised.started(group.child.pid);
  const takeBack = options.onKill(() => group.kill());
  try {
    return await runGroup(group, options);
  } finally {
    await group.kill();
    takeBack();
  }
}

/** For what only looks, and is over soon: nobody else needs to know of it. */
export const unsupervised: Supervise = async () => ({ mark: newMark(), started() {}, ended() {} });

async function runGroup(group: ProcessGroup, options: RunOptions): Promise<RunEnd> {
  const { child } = group;
  const { stdout, stderr } = child;
  const started = new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  const exited = new Promise<RunEnd>((resolve) =>
    child.once("exit", (exitCode, signal) => resolve({ exitCode, ...(signal ? { signal } : {}) })),
  );
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  try {
    await started;
  } catch (error) {
    throw new DragomanError("tool_failed", `${options.file} could not be started: ${messageOf(error)}.`);
  }
  if (!stdout || !stderr) throw new DragomanError("internal", "A process has no pipes.");
  const listener = options.listen(stdout, stderr);
  const stops = stopWhenNeeded(group, options);
  const end = await exited;
  stops.off();
  await hearTheRest(group, listener, closed, options.signal);
  stdout.destroy();
  stderr.destroy();
  await unlessAborted(options.signal, listener.end());
  return stops.reason ? { ...end, stopped: stops.reason } : end;
}

interface Stops {
  reason?: "timeout" | "abort";
  off(): void;
}

function stopWhenNeeded(group: ProcessGroup, { timeoutMs, signal }: RunOptions): Stops {
  let killing: NodeJS.Timeout | undefined;
  const stop = (reason: "timeout" | "abort") => {
    if (stops.reason) return;
    stops.reason = reason;
    void group.terminate();
    killing = setTimeout(() => void group.kill(), GRACE_MS);
  };
  const onAbort = () => stop("abort");
  const timer = setTimeout(() => stop("timeout"), timeoutMs);
  const stops: Stops = {
    off() {
      clearTimeout(timer);
      clearTimeout(killing);
      signal.removeEventListener("abort", onAbort);
    },
  };
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  return stops;
}

/** What is still in the pipes is heard, but nothing that holds them open is waited for. */
async function hearTheRest(group: ProcessGroup, listener: Listener, closed: Promise<void>, signal: AbortSignal) {
  const heard = closed.then(() => true);
  if (await Promise.race([heard, afterMs(LISTEN_MS)])) return;
  await group.kill();
  while (!(await Promise.race([heard, afterMs(LISTEN_MS)]))) {
    if (!listener.blocked || signal.aborted) return;
  }
}

const afterMs = (ms: number) => new Promise<false>((resolve) => setTimeout(() => resolve(false), ms));

/** Whoever called it off may not listen any more. */
async function unlessAborted(signal: AbortSignal, work: Promise<void>): Promise<void> {
  let giveUp = () => {};
  const aborted = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  signal.addEventListener("abort", giveUp);
  await Promise.race([work, signal.aborted ? afterMs(LISTEN_MS) : aborted]);
  signal.removeEventListener("abort", giveUp);
}
