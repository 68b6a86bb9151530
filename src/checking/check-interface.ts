import { MOST_PROBLEMS, type Problem } from "./problem.ts";
import { renderProblems } from "./render-problems.ts";
import { syntaxProblems } from "./syntax-problems.ts";
import { typeProblems } from "./type-problems.ts";

export interface CheckOptions {
  signal?: AbortSignal;
  /** The code before it was changed. What is wrong with that already is not the fault of the change. */
  baseline?: string;
}

/** Why the code of an interface may not be shown: it has to parse, its types have to fit, and it has to render. No problem, and it may. */
export async function checkInterface(code: string, { signal, baseline }: CheckOptions = {}): Promise<Problem[]> {
  signal?.throwIfAborted();
  const unreadable = syntaxProblems(code);
  if (unreadable.length > 0) return unreadable;
  const found = await Promise.all([
    newProblems(typeProblems, code, baseline, signal),
    newProblems(renderProblems, code, baseline, signal),
  ]);
  return found.flat().slice(0, MOST_PROBLEMS);
}

type Stage = (code: string, signal?: AbortSignal) => Promise<Problem[]>;

async function newProblems(stage: Stage, code: string, baseline: string | undefined, signal?: AbortSignal) {
  const found = await stage(code, signal);
  if (found.length === 0 || baseline === undefined) return found;
  const before = new Set((await stage(baseline, signal)).map(({ message }) => message));
  return found.filter(({ message }) => !before.has(message));
}
