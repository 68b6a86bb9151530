import type { Readable } from "node:stream";
import { DragomanError } from "../core/errors.ts";
import type { ToolIO } from "../core/tool.ts";
import { ProcessLiveOutput } from "./process-live-output.ts";
import { runProcess, unsupervised } from "./process-run.ts";

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT = 1024 * 1024;

/** What the run of a tool gives it. What only looks, before there is a run, has a signal alone. */
export type GitIO = Pick<ToolIO, "signal"> & Partial<Pick<ToolIO, "onKill" | "supervise">>;

export interface GitCall extends GitIO {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  timeoutMs?: number;
  /** More than this is not read, and git is stopped. */
  maxOutput?: number;
  /** Told what git says besides its output, while it works. */
  show?(text: string): Promise<void>;
}

export interface GitOutput {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  truncated: boolean;
}

/** Runs git with arguments, never through a shell. */
export async function runGit(call: GitCall): Promise<GitOutput> {
  const { args, cwd, env, signal, timeoutMs = TIMEOUT_MS, maxOutput = MAX_OUTPUT } = call;
  const enough = new AbortController();
  const collected = { stdout: "", stderr: "" };
  const collect = (name: "stdout" | "stderr") => (text: string) => {
    collected[name] = (collected[name] + text).slice(0, maxOutput + 1);
    if (collected[name].length > maxOutput) enough.abort();
  };
  const end = await runProcess({
    title: titleOf(args),
    file: "git",
    args,
    cwd,
    env,
    timeoutMs,
    signal: AbortSignal.any([signal, enough.signal]),
    onKill: (kill) => call.onKill?.(kill) ?? (() => {}),
    supervise: (title) => (call.supervise ?? unsupervised)(title),
    listen: (stdout, stderr) => listenToBoth(stdout, stderr, collect, call.show),
  }).catch(explainMissing);
  if (signal.aborted) throw new DragomanError("cancelled", "git was stopped.");
  if (end.stopped === "timeout") {
    throw new DragomanError("tool_timeout", `git took longer than ${timeoutMs / 1000} s and was stopped. Try again.`);
  }
  const { stdout, stderr } = collected;
  return { exitCode: end.exitCode, stdout: stdout.slice(0, maxOutput), stderr, truncated: enough.signal.aborted };
}

/** Without the options that are always the same. */
function titleOf(args: string[]): string {
  const at = args.findIndex((arg, i) => !arg.startsWith("-") && args[i - 1] !== "-c");
  return withoutCredentials(`git ${args.slice(Math.max(at, 0)).join(" ")}`);
}

function listenToBoth(
  stdout: Readable,
  stderr: Readable,
  collect: (name: "stdout" | "stderr") => (text: string) => void,
  show: (text: string) => Promise<void> = async () => {},
) {
  const said = new ProcessLiveOutput([stdout], async () => {}, collect("stdout"));
  const told = new ProcessLiveOutput([stderr], (text) => show(withoutCredentials(text)), collect("stderr"));
  return {
    get blocked() {
      return told.blocked;
    },
    end: async () => {
      await Promise.all([said.end(), told.end()]);
    },
  };
}

function explainMissing(error: unknown): never {
  if (error instanceof DragomanError && error.message.includes("ENOENT")) {
    throw new DragomanError("tool_failed", "git is not installed, or not where PATH looks. Install it.");
  }
  throw error;
}

/** The user and the password in an address are for git alone. */
export const withoutCredentials = (text: string) => text.replace(/(\w:\/\/)[^\s/]+@/g, "$1***@");
