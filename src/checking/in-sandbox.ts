import type { Worker } from "node:worker_threads";
import { startThread } from "../core/start-thread.ts";
import { LONGEST_MS } from "./sandbox-limits.ts";
import { type SandboxReport, sandboxReport } from "./sandbox-report.ts";
import { sandboxScript } from "./sandbox-script.ts";
import type { SandboxOrder, SandboxOutcome } from "./sandboxed.ts";
import { turns } from "./turns.ts";

/** For the thread to start, and to tell what it saw. */
const GRACE_MS = 20_000;
/** More than the sandbox itself may have. */
const resourceLimits = { stackSizeMb: 32, maxOldGenerationSizeMb: 256 };

/** Visits the screens of a module in a thread of its own, so that this process goes on meanwhile, and no module stops it. */
export async function inSandbox(module: string, signal: AbortSignal): Promise<SandboxReport> {
  const sandbox = await sandboxScript();
  return sandboxReport(await turns.pass(() => inThread({ sandbox, module }, signal), signal));
}

async function inThread(order: SandboxOrder, signal: AbortSignal): Promise<SandboxOutcome> {
  signal.throwIfAborted(); // between its turn and here
  const thread = startThread(import.meta.url, "render-thread", { workerData: order, resourceLimits });
  const over = new AbortController();
  try {
    return await outcomeOf(thread, signal, over.signal);
  } finally {
    over.abort();
    await thread.terminate();
  }
}

function outcomeOf(thread: Worker, signal: AbortSignal, over: AbortSignal): Promise<SandboxOutcome> {
  const late = AbortSignal.timeout(LONGEST_MS + GRACE_MS);
  return new Promise((resolve, reject) => {
    const stop = (stopped: string) => resolve({ stopped });
    thread.once("message", resolve);
    thread.once("error", ({ message }) => stop(`its sandbox says: ${message}`));
    thread.once("exit", () => stop("its sandbox ended without a word"));
    late.addEventListener("abort", () => stop("interrupted"), { signal: over });
    signal.addEventListener("abort", () => reject(signal.reason), { signal: over });
  });
}
