import type { ActionEnd } from "./action.ts";
import { code, duration, fenced, lastLines, shortened } from "./answer.ts";
import type { ShellResult } from "./results.ts";

const LINES_OF_SUCCESS = 40;
const LINES_OF_FAILURE = 25;

/** What a command came to. One that did not end with 0 has failed, and its last lines tell why. */
export function shellAnswer(command: string, result: ShellResult): ActionEnd {
  const took = result.durationMs === undefined ? "" : ` after ${duration(result.durationMs)}`;
  const name = code(shortened(command, 200));
  const ok = result.exitCode === 0 && !result.timedOut;
  const { text, left } = lastLines(result.output, ok ? LINES_OF_SUCCESS : LINES_OF_FAILURE);
  const before = left > 0 || result.truncated ? "The last lines:\n\n" : "";
  const output = text.trim() === "" ? "It printed nothing." : `${before}${fenced(text)}`;
  if (ok) {
    const summary = `${shortened(command)} ended with exit code 0${took}.`;
    return { outcome: "done", text: `${name} ended with exit code 0${took}.\n\n${output}`, summary };
  }
  return { outcome: "failed", code: "tool_failed", message: `${name} ${ending(result)}${took}.\n\n${output}` };
}

function ending({ exitCode, signal, timedOut }: ShellResult): string {
  if (timedOut) return "took too long and was stopped";
  return exitCode === null ? `was ended by ${signal ?? "a signal"}` : `failed with exit code ${exitCode}`;
}
