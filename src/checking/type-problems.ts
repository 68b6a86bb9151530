import { type ExecFileException, execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiler, compilerOptions } from "./compiler.ts";
import { notTooMany, type Problem, shortened, tooMany } from "./problem.ts";
import { turns } from "./turns.ts";

const LONGEST_MS = 60_000;
/** GitHub's interface takes 180. */
const MOST_MEGABYTES = 768;
const MOST_OUTPUT_BYTES = 1024 * 1024;
const FILE = "interface.tsx";

interface TypeCheckOptions {
  program?: string;
  megabytes?: number;
}

/** What the compiler finds wrong with the types, or why it could not look. */
export async function typeProblems(
  code: string,
  signal?: AbortSignal,
  { program = compiler(), megabytes = MOST_MEGABYTES }: TypeCheckOptions = {},
): Promise<Problem[]> {
  signal?.throwIfAborted();
  if (!program) {
    return unchecked(`there is no TypeScript compiler for ${process.platform}-${process.arch}; install Dragoman anew`);
  }
  const folder = await mkdtemp(join(tmpdir(), "dragoman-types-"));
  try {
    await writeFile(join(folder, FILE), code);
    const config = { compilerOptions: compilerOptions(), files: [FILE] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    const command = bounded([program, "-p", folder, "--pretty", "false", "--singleThreaded"], megabytes);
    const { error, output } = await turns.pass(() => compiled(command, folder, signal), signal);
    signal?.throwIfAborted();
    return error ? problemsIn(error, output, megabytes) : [];
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Compiled {
  error: ExecFileException | null;
  output: string;
}

function compiled([file = "", ...args]: string[], folder: string, signal: AbortSignal | undefined): Promise<Compiled> {
  const { SystemRoot } = process.env; // Windows starts nothing without it
  const options = {
    cwd: folder,
    env: SystemRoot === undefined ? {} : { SystemRoot },
    signal,
    timeout: LONGEST_MS,
    killSignal: "SIGKILL",
    maxBuffer: MOST_OUTPUT_BYTES,
    windowsHide: true,
  } as const;
  return new Promise((settle) => {
    execFile(file, args, options, (error, stdout, stderr) => settle({ error, output: `${stdout}\n${stderr}` }));
  });
}

/** The compiler itself knows no limit, and a few lines of types can take all the memory of a machine. */
function bounded(command: string[], megabytes: number): string[] {
  if (process.platform === "win32") return command;
  return ["/bin/sh", "-c", 'ulimit -d "$0" 2>/dev/null; exec "$@"', String(megabytes * 1024), ...command];
}

function problemsIn(error: ExecFileException, output: string, megabytes: number): Problem[] {
  const { found, rest } = diagnostics(output);
  const isUnderstood = found.length > 0 && rest === "" && !error.killed && !error.signal;
  return [...notTooMany("types", found), ...(isUnderstood ? [] : unfinished(error, rest, megabytes))];
}

/** Why there may be more than was found. */
function unfinished({ code, killed, message }: ExecFileException, rest: string, megabytes: number): Problem[] {
  if (String(code) === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return [tooMany("types")];
  if (killed) return unchecked(`that took longer than ${LONGEST_MS / 1000} s`);
  if (/^fatal error: .*out of memory/m.test(rest)) return unchecked(`that takes more than ${megabytes} MB`);
  // What others' files contain is nobody's business.
  if (/^\S.*\(\d+,\d+\): error /m.test(rest)) return unchecked("it refers to other files");
  return unchecked(rest || message);
}

/** Each has a line of its own, and more about it in those below that are indented. The rest is no diagnostic of this code. */
function diagnostics(output: string): { found: Problem[]; rest: string } {
  const found: Problem[] = [];
  const rest: string[] = [];
  for (const text of output.split(/\r?\n/)) {
    const [, line, column, said = ""] = /^interface\.tsx\((\d+),(\d+)\): error (.*)$/.exec(text) ?? [];
    const last = found.at(-1);
    if (line) found.push({ stage: "types", message: said, line: Number(line), column: Number(column) });
    else if (last && /^\s/.test(text)) last.message += ` ${text.trim()}`;
    else rest.push(text);
  }
  const told = found.map((problem) => ({ ...problem, message: shortened(problem.message) }));
  return { found: told, rest: rest.join("\n").trim() };
}

const unchecked = (why: string): Problem[] => [
  { stage: "types", message: shortened(`The types could not be checked: ${why}.`) },
];
