import { MOST_PROBLEMS, type Problem } from "./problem.ts";
import { renderProblems } from "./render-problems.ts";
import { syntaxProblems } from "./syntax-problems.ts";
import { typeProblems } from "./type-problems.ts";

export type CheckInterface = (code: string, signal?: AbortSignal) => Promise<Problem[]>;

/**
 * Tells why the code of an interface may not be shown: it has to parse, its types have to fit, and it has to render. No problem, and it may.
 * What is wrong already with the code that it was made from is not the fault of the change.
 */
export function interfaceCheck(baseline?: string): CheckInterface {
  const stages = [newProblems(typeProblems, baseline), newProblems(renderProblems, baseline)];
  return async (code, signal) => {
    signal?.throwIfAborted();
    const unreadable = syntaxProblems(code);
    if (unreadable.length > 0) return unreadable;
    const found = await Promise.all(stages.map((stage) => stage(code, signal)));
    return found.flat().slice(0, MOST_PROBLEMS);
  };
}

/** The baseline is looked at once, and only when there is a problem. */
function newProblems(stage: CheckInterface, baseline: string | undefined): CheckInterface {
  let known: Promise<Set<string>> | undefined;
  return async (code, signal) => {
    const found = await stage(code, signal);
    if (found.length === 0 || baseline === undefined) return found;
    known ??= stage(baseline, signal).then((before) => new Set(before.map(({ message }) => message)));
    const before = await known;
    return found.filter(({ message }) => !before.has(message));
  };
}
