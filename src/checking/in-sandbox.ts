import { askThread, type ThreadLimits } from "../core/ask-thread.ts";
import { sandboxEngine } from "./sandbox-engine.ts";
import { INTERRUPTED, LONGEST_MS } from "./sandbox-limits.ts";
import { type SandboxReport, sandboxReport } from "./sandbox-report.ts";
import { sandboxScript } from "./sandbox-script.ts";
import type { SandboxOrder, SandboxOutcome } from "./sandboxed.ts";
import { turns } from "./turns.ts";

const limits: ThreadLimits = {
  turns,
  // For the thread to start, and to tell what it saw.
  longestMs: LONGEST_MS + 20_000,
  // More than the sandbox itself may have.
  resourceLimits: { stackSizeMb: 32, maxOldGenerationSizeMb: 256 },
};

/** Visits the screens of a module in a thread. */
export async function inSandbox(module: string, signal?: AbortSignal): Promise<SandboxReport> {
  const [sandbox, engine] = await Promise.all([sandboxScript(), sandboxEngine()]);
  const order: SandboxOrder = { engine, sandbox, module };
  const question = { beside: import.meta.url, name: "render-thread", order };
  const seen = await askThread<SandboxOutcome>(question, limits, signal);
  if ("answer" in seen) return sandboxReport(seen.answer);
  return sandboxReport({ stopped: seen.why === "late" ? INTERRUPTED : seen.stopped });
}
