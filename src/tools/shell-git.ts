import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { ReadCommandLine } from "./command-line.ts";
import { programName } from "./command-line-opacity.ts";
import { gitEnvironment } from "./git-environment.ts";
import { judge } from "./git-judgement.ts";
import { placeQuestion } from "./git-place.ts";
import { type GitIO, runGit } from "./git-process.ts";
import { asOptions, ownSettings, safeguardVariables, untrusted } from "./git-safeguards.ts";
import { foldersIn } from "./shell-targets.ts";

const LOOK_TIMEOUT_MS = 30_000;

/** In a folder that is not trusted: why git, called by a line, could still run what the repository names, or show another one. */
export async function gitProblem(line: ReadCommandLine, cwd: string): Promise<string | undefined> {
  const called = line.segments.flatMap(({ words, runs = [] }) => [words, ...runs]);
  if (!called.some(([name = ""]) => programName(name) === "git")) return undefined;
  const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS);
  const folders = await foldersOf(line, cwd);
  const problems = await Promise.all(folders.map((folder) => problemIn(folder, signal).catch(() => UNREADABLE)));
  return problems.find((problem) => problem !== undefined);
}

const wouldObey = (what: string) => `git would obey ${what} of a repository that is not trusted`;
const UNREADABLE = wouldObey('"a configuration that cannot be read"');

async function problemIn(folder: string, signal: AbortSignal): Promise<string | undefined> {
  const args = [...asOptions(untrusted), ...placeQuestion];
  const [{ obeyed }, { stdout }] = await Promise.all([
    ownSettings(folder, { signal }),
    runGit({ args, cwd: folder, env: gitEnvironment(folder), signal }),
  ]);
  const verdict = await judge(stdout, folder, obeyed);
  if (verdict === undefined) return undefined;
  return "obeyed" in verdict
    ? wouldObey(`"${verdict.obeyed}"`)
    : `git would use a repository that is not this folder's own: ${verdict.odd}`;
}

/** What keeps git from obeying the configuration of every folder that a line may go to. */
export async function gitVariables(line: ReadCommandLine, cwd: string, io: GitIO): Promise<Record<string, string>> {
  return safeguardVariables(await foldersOf(line, cwd), io);
}

/** One that is not there yet has nothing of the repository's own in it. */
async function foldersOf(line: ReadCommandLine, cwd: string): Promise<string[]> {
  const named = [...new Set(foldersIn(line).map((folder) => resolve(cwd, folder)))];
  const there = await Promise.all(named.map((folder) => stat(folder).catch(() => undefined)));
  return named.filter((_, at) => there[at]?.isDirectory());
}
