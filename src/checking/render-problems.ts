import { inSandbox } from "./in-sandbox.ts";
import { type ModuleScript, moduleScript } from "./module-script.ts";
import { MOST_PROBLEMS, type Problem, shortened } from "./problem.ts";
import type { Failure } from "./sandbox/failures.ts";
import { MOST_MEGABYTES } from "./sandbox-limits.ts";
import type { SandboxReport } from "./sandbox-report.ts";

const MOST_QUOTED = 120;

/** What goes wrong when the interface is opened in a sandbox and its first screens are visited. */
export async function renderProblems(
  code: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<Problem[]> {
  signal.throwIfAborted();
  const module = await moduleScript(code);
  if ("refused" in module) return [problem(`The module cannot be built: ${module.refused}`)];
  const report = await inSandbox(module.script, signal);
  return [...failed(report.failures, module, code), ...stopped(report)].slice(0, MOST_PROBLEMS);
}

const problem = (message: string, place?: { line: number; column: number }): Problem => ({
  stage: "render",
  message: `${shortened(message).replace(/[.\s]+$/, "")}.`,
  ...place,
});

/** The engine's words alone, such as "not a function", say little. */
function quoted(code: string, line: number | undefined): string {
  const text = line === undefined ? "" : (code.split("\n", line).at(-1) ?? "").trim();
  return text === "" ? "" : `, at: ${text.slice(0, MOST_QUOTED).toWellFormed()}`;
}

function stopped({ stopped, screen }: SandboxReport): Problem[] {
  return stopped === undefined ? [] : [problem(`${named(screen)} ${ended(stopped)}`)];
}

/** The same on other screens is told once. */
function failed(failures: Failure[], module: ModuleScript, code: string): Problem[] {
  const screensOf = new Map<string, Set<string>>();
  for (const one of failures) {
    const screens = screensOf.get(signOf(one)) ?? new Set();
    screensOf.set(signOf(one), screens.add(one.screen));
  }
  const firsts = failures.filter((one, at) => failures.findIndex((other) => signOf(other) === signOf(one)) === at);
  return firsts.map((first) => {
    const others = (screensOf.get(signOf(first))?.size ?? 1) - 1;
    const where = others === 0 ? named(first.screen) : `${named(first.screen)} (and ${others} more)`;
    const place = module.placeIn(first.stack);
    return problem(`${where} ${happened(first)}${quoted(code, place?.line)}`, place);
  });
}

const signOf = ({ kind, text, stack }: Failure) => JSON.stringify([kind, text, stack.split("\n")[0]]);

const named = (screen: string) => (screen === "" ? "The module" : `The screen ${screen}`);

function happened({ kind, text, component }: Failure): string {
  if (kind === "nothing") return text || "shows nothing";
  if (kind === "shown") return `shows a failure: ${text}`;
  if (kind === "report") return `reports an error: ${text}`;
  return `${ended(text.replace(/[.\s]+$/, ""))}${component ? ` (in ${component})` : ""}`;
}

function ended(reason: string): string {
  if (reason === "interrupted") return "does not come to an end";
  if (/out of memory/.test(reason)) return `takes more than ${MOST_MEGABYTES} MB of memory`;
  return `fails: ${reason}`;
}
