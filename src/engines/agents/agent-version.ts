import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { cleanEnvironment } from "../../tools/process-environment.ts";
import { runProcess, unsupervised } from "../../tools/process-run.ts";
import { type Surroundings, textOf } from "./find-agents.ts";

const TIMEOUT_MS = 5000;
const MOST_OUTPUT = 10_000;

/** By the package that the program is of, where it is of one; nothing is started. */
export function versionBeside(program: string): string | undefined {
  const real = realpathSync(program);
  for (let folder = dirname(real); folder !== dirname(folder); folder = dirname(folder)) {
    const version = versionIn(textOf(join(folder, "package.json")), folder, real);
    if (version !== undefined) return version;
  }
  return undefined;
}

/** A package that is not known to bring the program says nothing of it. */
function versionIn(text: string | undefined, folder: string, program: string): string | undefined {
  try {
    const { version, bin } = JSON.parse(text ?? "{}") as { version?: unknown; bin?: unknown };
    const programs = typeof bin === "string" ? [bin] : Object.values(bin ?? {});
    const brings = programs.some((path) => typeof path === "string" && join(folder, path) === program);
    return brings && typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

/** As the program says it, if it does so in time. */
export async function versionSaid(
  file: string,
  env: Record<string, string>,
  around: Pick<Surroundings, "env" | "home">,
  timeoutMs = TIMEOUT_MS,
): Promise<string | undefined> {
  let said = "";
  const listen = (stdout: Readable, stderr: Readable) => {
    stderr.resume();
    const heard = new Promise<void>((resolve) => stdout.once("close", resolve));
    stdout.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(0, MOST_OUTPUT);
    });
    return { end: () => heard };
  };
  await runProcess({
    file,
    args: ["--version"],
    cwd: around.home,
    env: { ...cleanEnvironment(around.env), ...env },
    title: `${file} --version`,
    timeoutMs,
    signal: new AbortController().signal,
    onKill: () => () => {},
    supervise: unsupervised,
    listen,
  }).catch(() => {}); // one that cannot say it has none
  return /\d+\.\d+[\w.+-]*/.exec(said)?.[0];
}
