import type { Problem } from "./problem.ts";

/**
 * Those that were not there before, each of which stands for one of its kind. Only what has a line can be known: of a check that could not
 * be done, or was ended, nobody can tell whether it would have found the same.
 */
export function newProblems(found: readonly Problem[], before: readonly Problem[]): Problem[] {
  const known = new Map<string, number>();
  for (const { message } of before.filter(isPlaced)) known.set(message, (known.get(message) ?? 0) + 1);
  return found.filter((problem) => {
    const left = isPlaced(problem) ? (known.get(problem.message) ?? 0) : 0;
    if (left > 0) known.set(problem.message, left - 1);
    return left === 0;
  });
}

export const isPlaced = ({ line }: Problem) => line !== undefined;
