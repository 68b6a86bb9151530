import { safeguardVariables } from "../tools/git-safeguards.ts";
import { cleanEnvironment } from "../tools/process-environment.ts";

/** A variable by its name, or all whose names fit. */
export type PassedVariable = string | RegExp;

/**
 * What an agent gets to see of our own environment: what every command does, and on top of it the variables that it needs itself, such
 * as its own key. The keys of others are not its business.
 */
export function agentEnvironment(
  passed: readonly PassedVariable[],
  extra: Record<string, string> = {},
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const needed = Object.entries(env).filter(([name, value]) => value !== undefined && isPassed(name, passed));
  return { ...cleanEnvironment(env), ...(Object.fromEntries(needed) as Record<string, string>), ...extra };
}

/**
 * For an agent in a folder that nobody trusts: git, whoever calls it there, obeys no program that the repository's configuration names
 * when the agent is started. They go last, for they count each other.
 */
export function gitSafeguards(workspace: string): Promise<Record<string, string>> {
  return safeguardVariables([workspace], { signal: new AbortController().signal }); // git has a time limit of its own
}

function isPassed(name: string, passed: readonly PassedVariable[]): boolean {
  return passed.some((each) => (typeof each === "string" ? each === name : each.test(name)));
}
