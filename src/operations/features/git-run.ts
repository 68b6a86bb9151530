import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, sep } from "node:path";
import { DragomanError, messageOf } from "../../core/errors.ts";
import type { Supervise } from "../../core/supervision.ts";
import type { ToolIO } from "../../core/tool.ts";
import { codeOf } from "./document-files.ts";

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 4 * 1024 * 1024;
const LONGEST_MESSAGE = 2000;
/** The variable by which whoever cleans up after a lost run finds what it started. */
const MARK = "TOOL_CALL_MARK";

export interface GitCall {
  /** Where it runs. */
  cwd: string;
  args: string[];
  /** What it reads. */
  input?: string;
  env?: Record<string, string>;
  timeoutMs?: number;
  maxBytes?: number;
  signal?: AbortSignal;
  supervise?: Supervise;
  onKill?: ToolIO["onKill"];
}

export interface GitAnswer {
  exitCode: number | null;
  stdout: Buffer;
  stderr: string;
}

/** Whatever a repository says of itself: no program of its choice is run, nothing waits for a person, nothing goes on behind us. */
const settings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.splitIndex=false",
  "core.alternateRefsCommand=true",
  "core.filesRefLockTimeout=300",
  "commit.gpgSign=false",
  "push.gpgSign=false",
  "push.recurseSubmodules=no",
  "push.followTags=false",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "protocol.ext.allow=never",
  "safe.bareRepository=explicit",
  "gc.auto=0",
  "maintenance.auto=false",
  "log.showSignature=false",
];
const options = ["--no-pager", "--no-optional-locks", "--literal-pathspecs", ...settings.flatMap((one) => ["-c", one])];

/** Of git's own variables, those that say who someone is and how a remote is reached; not which repository is meant. */
const kept = /^GIT_(AUTHOR_|COMMITTER_|SSH|SSL_|HTTP_|PROXY|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$)/;
const bends = /^(DRAGOMAN_.*|BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|LD_PRELOAD)$/s;

function environmentFor(call: GitCall): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => {
    return (!name.startsWith("GIT_") || kept.test(name)) && !bends.test(name);
  });
  return {
    ...Object.fromEntries(own),
    PATH: pathOutside(call.cwd),
    LC_ALL: "C.UTF-8", // messages are looked at in places
    LANGUAGE: "",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_EDITOR: "true",
    GIT_PAGER: "cat",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_ALLOW_PROTOCOL: "none", // nothing that it meets makes it reach for another repository, unless the call says by what
    ...call.env,
  };
}

/** Where programs are looked for, without what lies in the folder itself. */
function pathOutside(folder: string): string {
  const folders = (process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin").split(delimiter);
  const isOutside = (path: string) => isAbsolute(path) && !`${realOf(path)}${sep}`.startsWith(`${folder}${sep}`);
  return folders.filter(isOutside).join(delimiter);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // It is not there.
  }
}

/** Runs git with arguments, never through a shell. What it answers, whatever it is. */
export async function tryGit(call: GitCall): Promise<GitAnswer> {
  if (call.signal?.aborted) throw stopped();
  const supervised = await call.supervise?.(`git ${call.args.join(" ")}`.slice(0, 200));
  try {
    const child = spawn("git", [...options, ...call.args], {
      cwd: call.cwd,
      env: { ...environmentFor(call), ...(supervised ? { [MARK]: supervised.mark } : {}) },
      detached: true,
      windowsHide: true,
    });
    if (child.pid !== undefined) supervised?.started(child.pid);
    return await answerOf(child, call);
  } finally {
    supervised?.ended();
  }
}

/** Fails unless git succeeds. */
export async function runGit(call: GitCall): Promise<Buffer> {
  const { exitCode, stdout, stderr } = await tryGit(call);
  if (exitCode === 0) return stdout;
  throw new DragomanError("tool_failed", `git ${call.args[0]} failed: ${said(stderr)}`);
}

/** The user and the password in an address are for git alone. */
export const said = (text: string) =>
  text
    .replace(/(\w:\/\/)[^\s/]+@/g, "$1***@")
    .trim()
    .slice(-LONGEST_MESSAGE) || "it did not say why";

const stopped = () => new DragomanError("cancelled", "git was stopped.");

async function answerOf(child: ChildProcessWithoutNullStreams, call: GitCall): Promise<GitAnswer> {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, signal } = call;
  let ending: DragomanError | undefined;
  const end = (error: DragomanError) => {
    ending ??= error;
    killGroup(child);
  };
  const onAbort = () => end(stopped());
  const takeBack = call.onKill?.(() => killGroup(child));
  const slow = `git ${call.args[0]} took longer than ${timeoutMs / 1000} s and was stopped. Try again.`;
  const timer = setTimeout(() => end(new DragomanError("timeout", slow)), timeoutMs);
  signal?.addEventListener("abort", onAbort);
  const tooMuch = () => end(new DragomanError("too_large", `git ${call.args[0]} has more to say than is read here.`));
  try {
    const stdout = collect(child.stdout, maxBytes, tooMuch);
    const stderr = collect(child.stderr, maxBytes, tooMuch);
    child.stdin.on("error", () => {}); // it may end before it has read everything
    child.stdin.end(call.input ?? "");
    const exitCode = await exitOf(child);
    if (ending) throw ending;
    return { exitCode, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString("utf8") };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    takeBack?.();
  }
}

function collect(stream: NodeJS.ReadableStream, most: number, tooMuch: () => void): Buffer[] {
  const chunks: Buffer[] = [];
  let total = 0;
  stream.on("data", (chunk: Buffer) => {
    total += chunk.length;
    if (total > most) tooMuch();
    else chunks.push(chunk);
  });
  return chunks;
}

function exitOf(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", (error) => {
      const missing = codeOf(error) === "ENOENT";
      const why = missing ? "it is not installed, or not where PATH looks. Install it" : messageOf(error);
      reject(new DragomanError("tool_failed", `git could not be started: ${why}.`, undefined, { cause: error }));
    });
  });
}

/** Also what it started: ssh goes on without git. */
function killGroup({ pid }: ChildProcessWithoutNullStreams): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {} // It has ended by itself.
}
