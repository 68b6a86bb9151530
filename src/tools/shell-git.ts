import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { ReadCommandLine } from "./command-line.ts";
import { programName } from "./command-line-opacity.ts";
import { gitSafeguards } from "./git-safeguards.ts";
import { foldersIn } from "./shell-targets.ts";

const LOOK_TIMEOUT_MS = 30_000;

/** In a folder that is not trusted: why git, called by a line, could still run what the repository names. */
export async function gitProblem(line: ReadCommandLine, cwd: string): Promise<string | undefined> {
  const called = line.segments.flatMap(({ words, runs = [] }) => [words, ...runs]);
  if (!called.some(([name = ""]) => programName(name) === "git")) return undefined;
  const { obeyed } = await gitSafeguards(await foldersOf(line, cwd), AbortSignal.timeout(LOOK_TIMEOUT_MS));
  return obeyed && `git would obey "${obeyed}" of a repository that is not trusted`;
}

/** What keeps git from obeying the configuration of every folder that a line may go to. */
export async function gitVariables(
  line: ReadCommandLine,
  cwd: string,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  return (await gitSafeguards(await foldersOf(line, cwd), signal)).variables;
}

/** One that is not there yet has nothing of the repository's own in it. */
async function foldersOf(line: ReadCommandLine, cwd: string): Promise<string[]> {
  const named = [...new Set(foldersIn(line).map((folder) => resolve(cwd, folder)))];
  const there = await Promise.all(named.map((folder) => stat(folder).catch(() => undefined)));
  return named.filter((_, at) => there[at]?.isDirectory());
}
