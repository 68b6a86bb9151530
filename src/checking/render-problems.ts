import { inSandbox } from "./in-sandbox.ts";
import { type ModuleScript, moduleScript } from "./module-script.ts";
import { type Problem, shortened, tooMany } from "./problem.ts";
import { type Failure, MOST_FAILURES } from "./sandbox/failures.ts";
import { INTERRUPTED, MOST_MEGABYTES } from "./sandbox-limits.ts";
import type { SandboxReport } from "./sandbox-report.ts";

const MOST_QUOTED = 120;
const OUT_OF_MEMORY = /out of memory/;
/** Looked for only where it begins, as the text may be made of nothing else. */
const FULL_STOP = /(?<![.\s])[.\s]+$/;

/** What goes wrong when the interface is opened in a sandbox and its first screens are visited. */
export async function renderProblems(code: string, signal?: AbortSignal): Promise<Problem[]> {
  signal?.throwIfAborted();
  const module = await moduleScript(code);
  if ("refused" in module) return [problem(`The module cannot be built: ${module.refused}`)];
  const report = await inSandbox(module.script, signal);
  const cut = report.failures.length < MOST_FAILURES ? [] : [tooMany("render")];
  return [...failed(report.failures, module, code.split("\n")), ...cut, ...stopped(report)];
}

const problem = (message: string, place?: { line: number; column: number }): Problem => ({
  stage: "render",
  message: `${shortened(message).replace(FULL_STOP, "")}.`,
  ...place,
});

/** The engine's words alone, such as "not a function", say little. */
function quoted(lines: string[], line = 0): string {
  const text = (lines[line - 1] ?? "").trim();
  return text === "" ? "" : `, at: ${text.slice(0, MOST_QUOTED).toWellFormed()}`;
}

function stopped({ stopped, screen }: SandboxReport): Problem[] {
  return stopped === undefined ? [] : [problem(`${named(screen)} ${ended(stopped)}`)];
}

/** The same on other screens is told once. */
function failed(failures: Failure[], module: ModuleScript, lines: string[]): Problem[] {
  const alike = new Map<string, Failure[]>();
  for (const one of failures) alike.set(signOf(one), [...(alike.get(signOf(one)) ?? []), one]);
  return [...alike.values()].map((all) => failedAlike(all as [Failure, ...Failure[]], module, lines));
}

function failedAlike([first, ...rest]: [Failure, ...Failure[]], module: ModuleScript, lines: string[]): Problem {
  const others = new Set(rest.map(({ screen }) => screen).filter((screen) => screen !== first.screen)).size;
  const where = others === 0 ? named(first.screen) : `${named(first.screen)} (and ${others} more)`;
  const place = module.placeIn(first.stack);
  const message = `${where} ${happened(first)}${quoted(lines, place?.line)}`;
  // Where the memory ran out is not where it went.
  return problem(message, OUT_OF_MEMORY.test(first.text) ? undefined : place);
}

const signOf = ({ kind, text, stack }: Failure) => JSON.stringify([kind, text, stack.split("\n")[0]]);

const named = (screen: string) => (screen === "" ? "The module" : `The screen ${screen}`);

function happened({ kind, text, component }: Failure): string {
  if (kind === "nothing") return text || "shows nothing";
  if (kind === "shown") return `shows a failure: ${text}`;
  if (kind === "report") return `reports an error: ${text}`;
  return `${ended(text.replace(FULL_STOP, ""))}${component ? ` (in ${component})` : ""}`;
}

function ended(reason: string): string {
  if (reason === INTERRUPTED) return "does not come to an end";
  if (OUT_OF_MEMORY.test(reason)) return `takes more than ${MOST_MEGABYTES} MB of memory`;
  return `fails: ${reason}`;
}
