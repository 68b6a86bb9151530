import { codeReading } from "./code-reading.ts";
import { isPlaced, newProblems } from "./new-problems.ts";
import { MOST_PROBLEMS, type Problem } from "./problem.ts";
import type { CodeReading } from "./read-code.ts";
import { renderProblems } from "./render-problems.ts";
import { typeProblems } from "./type-problems.ts";

/** Who has read the code already hands on what it says. */
type CheckInterface = (code: string, signal?: AbortSignal, reading?: CodeReading) => Promise<Problem[]>;
type Stage = (code: string, signal?: AbortSignal) => Promise<Problem[]>;

/**
 * Tells why the code of an interface may not be shown: it has to parse, its types have to fit, and it has to render. No problem, and it may.
 * What is wrong already with the code that it was made from is not the fault of the change.
 */
export function interfaceCheck(baseline?: string): CheckInterface {
  const unchecking = onlyNew(async (code, signal) => (await codeReading(code, signal)).unchecking, baseline);
  const types = onlyNew(typeProblems, baseline);
  const render = onlyNew(renderProblems, baseline);
  return async (code, signal, reading) => {
    signal?.throwIfAborted();
    const read = reading ?? (await codeReading(code, signal));
    if (read.unreadable) return [read.unreadable];
    const found = await Promise.all([
      unchecking(read.unchecking, signal),
      typeProblems(code, signal).then((all) => types(all, signal)),
      renderProblems(code, signal).then((all) => render(all, signal)),
    ]);
    return found.flat().slice(0, MOST_PROBLEMS);
  };
}

/** Leaves out what the baseline has, too. That is looked at once, and only where it can make a difference. */
function onlyNew(stage: Stage, baseline: string | undefined) {
  let before: Problem[] | undefined;
  return async (found: Problem[], signal?: AbortSignal): Promise<Problem[]> => {
    if (baseline === undefined || !found.some(isPlaced)) return found;
    before ??= await stage(baseline, signal); // who stopped waiting leaves nothing for the next one
    return newProblems(found, before);
  };
}
