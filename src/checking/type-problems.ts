import { type ExecFileException, execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiler, compilerOptions } from "./compiler.ts";
import { MOST_PROBLEMS, type Problem, shortened } from "./problem.ts";
import { turns } from "./turns.ts";

const LONGEST_MS = 60_000;
/** GitHub's interface takes 180. */
const MOST_MEGABYTES = 768;
const MOST_OUTPUT_BYTES = 256 * 1024;
const FILE = "interface.tsx";
const unchecking = /\/[/*][\s*/]*(@ts-(?:nocheck|ignore|expect-error))\b/;

/** What the compiler finds wrong with the types, or why it could not look. */
export async function typeProblems(code: string, signal?: AbortSignal, program = compiler()): Promise<Problem[]> {
  signal?.throwIfAborted();
  const [, forbidding] = unchecking.exec(code) ?? [];
  if (forbidding) return unchecked(`${forbidding} forbids it; take it out`);
  if (!program) {
    return unchecked(`there is no TypeScript compiler for ${process.platform}-${process.arch}; install Dragoman anew`);
  }
  const folder = await mkdtemp(join(tmpdir(), "dragoman-types-"));
  try {
    await writeFile(join(folder, FILE), code);
    const config = { compilerOptions: compilerOptions(), files: [FILE] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    const { error, output } = await turns.pass(() => compiled(program, folder, signal), signal);
    signal?.throwIfAborted();
    return error ? problemsIn(error, output) : [];
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Compiled {
  error: ExecFileException | null;
  output: string;
}

function compiled(program: string, folder: string, signal: AbortSignal | undefined): Promise<Compiled> {
  const [file = program, ...args] = bounded([program, "-p", folder, "--pretty", "false", "--singleThreaded"]);
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
    execFile(file, args, options, (error, stdout, stderr) => settle({ error, output: stdout || stderr }));
  });
}

/** The compiler itself knows no limit, and a few lines of types can take all the memory of a machine. */
function bounded(command: string[]): string[] {
  if (process.platform === "win32") return command;
  return ["/bin/sh", "-c", 'ulimit -d "$0" 2>/dev/null; exec "$@"', String(MOST_MEGABYTES * 1024), ...command];
}

function problemsIn(error: ExecFileException, output: string): Problem[] {
  const found = diagnostics(output);
  if (found.length > 0) return found;
  if (error.killed) return unchecked(`that took longer than ${LONGEST_MS / 1000} s`);
  if (/^fatal error: .*out of memory/m.test(output)) return unchecked(`that takes more than ${MOST_MEGABYTES} MB`);
  // What others' files contain is nobody's business.
  if (/^\S.*\(\d+,\d+\): error /m.test(output)) return unchecked("it refers to other files");
  return unchecked(output.trim() || error.message);
}

/** Each has a line of its own, and more about it in those below that are indented. */
function diagnostics(output: string): Problem[] {
  const found: Problem[] = [];
  for (const text of output.split(/\r?\n/)) {
    const [, line, column, said = ""] = /^interface\.tsx\((\d+),(\d+)\): error (.*)$/.exec(text) ?? [];
    const last = found.at(-1);
    if (line && found.length >= MOST_PROBLEMS) break;
    if (line) found.push({ stage: "types", message: said, line: Number(line), column: Number(column) });
    else if (last && /^\s+\S/.test(text)) last.message += ` ${text.trim()}`;
  }
  return found.map((problem) => ({ ...problem, message: shortened(problem.message) }));
}

const unchecked = (why: string): Problem[] => [
  { stage: "types", message: shortened(`The types could not be checked: ${why}.`) },
];
