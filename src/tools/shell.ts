import * as z from "zod";
import { DragomanError } from "../core/errors.ts";
import type { CommandLine, Intent, Tool, ToolContext } from "../core/tool.ts";
import { fieldsOf, textIn } from "./client-results.ts";
import { parseCommandLine, readCommandLine } from "./command-line.ts";
import type { GitIO } from "./git-process.ts";
import { ProcessCapture } from "./process-capture.ts";
import { cleanEnvironment, pathOutside } from "./process-environment.ts";
import { ProcessLiveOutput } from "./process-live-output.ts";
import { runProcess } from "./process-run.ts";
import { gitProblem, gitVariables } from "./shell-git.ts";
import { findShell } from "./shell-program.ts";
import { findTargets } from "./shell-targets.ts";
import { shortTitle } from "./short-title.ts";
import { realWorkspace } from "./workspace-path.ts";

const args = z.object({
  command: z
    .string()
    .max(64 * 1024)
    .refine((command) => command.trim() !== "", "The command is empty.")
    .refine((command) => !command.includes("\0"), "The command has a NUL character in it."),
  timeoutMs: z.int().min(1).max(600_000).default(120_000),
});

type Args = z.infer<typeof args>;

async function intent({ command }: Args, context: ToolContext): Promise<Intent> {
  const cwd = await realWorkspace(context);
  const read = readCommandLine(command);
  const { targets, problem } = await findTargets(read, context);
  const parsed = parseCommandLine(command);
  const { isBash } = await findShell();
  const why =
    parsed.problem ??
    problem ??
    (isBash ? undefined : "it is read by another shell than bash") ??
    (context.trusted ? undefined : await gitProblem(read, cwd));
  const line: CommandLine = { ...parsed, ...(why ? { problem: why } : {}) };
  return { title: shortTitle(`Run ${command.trim()}`), detail: command, targets, command: line };
}

/** In a folder that is not trusted nothing of its own takes the place of a command, and git obeys nothing in it. */
async function guardedEnvironment(command: string, cwd: string, io: GitIO): Promise<Record<string, string>> {
  const clean = cleanEnvironment();
  return {
    ...clean,
    PATH: pathOutside(cwd, clean.PATH),
    ...(await gitVariables(readCommandLine(command), cwd, io)),
  };
}

/** Runs a line in the workspace. Nothing of it is left when it has ended. */
export const shell: Tool<Args> = {
  name: "shell",
  description: "Runs a shell command in the workspace and gives its output and exit code.",
  kind: "execute",
  risk: "execute",
  args,
  intent,
  async run({ command, timeoutMs }, context, io) {
    const cwd = await realWorkspace(context);
    const program = await findShell();
    const started = performance.now();
    const captured = new ProcessCapture();
    const end = await runProcess({
      title: command,
      file: program.file,
      args: program.args(command),
      cwd,
      env: context.trusted ? cleanEnvironment() : await guardedEnvironment(command, cwd, io),
      timeoutMs,
      signal: io.signal,
      onKill: (kill) => io.onKill(kill),
      supervise: (title) => io.supervise(title),
      listen: (stdout, stderr) =>
        new ProcessLiveOutput(
          [stdout, stderr],
          (text) => io.output(text),
          (text) => captured.add(text),
        ),
    });
    if (end.stopped === "abort") throw new DragomanError("cancelled", "The command was stopped.");
    const { exitCode, signal } = end;
    const durationMs = Math.round(performance.now() - started);
    const output = captured.text();
    const timedOut = end.stopped === "timeout";
    return {
      result: { exitCode, ...(signal ? { signal } : {}), output, truncated: captured.truncated, timedOut, durationMs },
    };
  },
  client: async () => ({ result: resultOfClient }),
};

const outputFields = { output: z.string(), stdout: z.string(), stderr: z.string() };
const endFields = { exitCode: z.number(), truncated: z.boolean(), timedOut: z.boolean(), durationMs: z.number() };

function resultOfClient(given: unknown) {
  const { output, stdout = "", stderr = "" } = fieldsOf(given, outputFields);
  const end = { exitCode: 0, truncated: false, timedOut: false, ...fieldsOf(given, endFields) };
  return { ...end, output: output ?? textIn(given) ?? stdout + stderr };
}
