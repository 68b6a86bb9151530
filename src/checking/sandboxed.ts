import { createRequire } from "node:module";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from "quickjs-emscripten-core";
import { messageOf } from "../core/errors.ts";
import { MODULE_FILE } from "./module-script.ts";
import type { SandboxEngine } from "./sandbox-engine.ts";
import { ENOUGH_WORK, INTERRUPTED, LONGEST_MS, MOST_MEGABYTES, MOST_REPORTED, MOST_WORK } from "./sandbox-limits.ts";

export interface SandboxOrder {
  engine: SandboxEngine;
  sandbox: string;
  module: string;
}

// Not bundled with this file, as it looks for its program beside itself.
const { default: variant }: typeof import("@jitl/quickjs-wasmfile-release-sync") = createRequire(import.meta.url)(
  "@jitl/quickjs-wasmfile-release-sync",
);

export interface SandboxOutcome {
  /** What the sandbox says that it saw, as JSON, if it still says something. */
  report?: string;
  /** Why there was an end before everything was seen. */
  stopped?: string;
}

const MEGABYTE = 1024 * 1024;
/** The thread has more, so that it is the sandbox that overflows. */
const MOST_STACK_BYTES = 2 * MEGABYTE;
/** To tell what happened, when the module has used up everything. */
const LAST_WORK = 1000;
const LAST_MEGABYTES = 32;
const JOBS_AT_ONCE = 1000;
/** Promises that wait for each other this often do so for ever. */
const MOST_JOBS = 500_000;
/** Of why there was an end; the module may have written it. */
const MOST_SAID = 2000;

/** Opens a module in a sandbox, into which nothing reaches but the time and chance, and visits its screens. */
export async function sandboxed({ engine, sandbox: script, module }: SandboxOrder): Promise<SandboxOutcome> {
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule: engine }));
  const runtime = quickjs.newRuntime({ maxStackSizeBytes: MOST_STACK_BYTES });
  // Nothing is given back piece by piece: the thread ends, and all of it goes.
  const context = runtime.newContext();
  const sandbox = evaluated(context, script, "sandbox.js");
  const ready = Date.now();
  let work = 0;
  const isTooMuch = () => work > MOST_WORK || Date.now() - ready > LONGEST_MS;
  runtime.setMemoryLimit(MOST_MEGABYTES * MEGABYTE);
  runtime.setInterruptHandler(() => {
    work += 1;
    return isTooMuch();
  });
  const failed = failureOf(() => visit(context, sandbox, module, () => work > ENOUGH_WORK));
  // Who is interrupted in a promise keeps that to itself.
  const stopped = isTooMuch() ? INTERRUPTED : failed;
  runtime.setMemoryLimit((MOST_MEGABYTES + LAST_MEGABYTES) * MEGABYTE);
  let last = 0;
  runtime.setInterruptHandler(() => {
    last += 1;
    return last > LAST_WORK;
  });
  return { report: told(context, sandbox), stopped: stopped?.slice(0, MOST_SAID) };
}

function visit(context: QuickJSContext, sandbox: QuickJSHandle, module: string, isEnough: () => boolean): void {
  called(context, sandbox, "open", evaluated(context, module, MODULE_FILE));
  let hasMore = true;
  while (hasMore) {
    runJobs(context.runtime);
    const enough = isEnough() ? context.true : context.false;
    hasMore = context.dump(called(context, sandbox, "step", enough)) === true;
  }
}

/** The module may have had it say anything. What is too long is not even copied out of the sandbox. */
function told(context: QuickJSContext, sandbox: QuickJSHandle): string | undefined {
  let report: string | undefined;
  failureOf(() => {
    const said = called(context, sandbox, "report");
    const isText = context.typeof(said) === "string";
    if (isText && context.getNumber(context.getProp(said, "length")) <= MOST_REPORTED) report = context.getString(said);
  });
  return report;
}

/** What promises wait for. */
function runJobs(runtime: QuickJSRuntime): void {
  for (let done = 0; runtime.hasPendingJob(); done += JOBS_AT_ONCE) {
    if (done > MOST_JOBS) throw new Error(INTERRUPTED);
    const result = runtime.executePendingJobs(JOBS_AT_ONCE);
    if (result.error) result.error.context.unwrapResult(result);
  }
}

function evaluated(context: QuickJSContext, script: string, file: string): QuickJSHandle {
  return context.unwrapResult(context.evalCode(script, file));
}

function called(context: QuickJSContext, of: QuickJSHandle, name: string, ...args: QuickJSHandle[]): QuickJSHandle {
  return context.unwrapResult(context.callFunction(context.getProp(of, name), context.undefined, ...args));
}

/** The engine itself may give up, too. */
function failureOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
