import { analyze } from "./analyze/index.ts";
import { applyAnswers, findingsIn, questionsFor } from "./clarify/index.ts";
import { makePlan } from "./plan/index.ts";
import { readSpec } from "./spec-document.ts";

/** What is worked out of documents, and of nothing else. A long document can take its time. */
export const work = {
  look(text: string, mostQuestions: number) {
    const spec = readSpec(text);
    const findings = findingsIn(spec);
    return { findings, questions: questionsFor(spec, findings, mostQuestions) };
  },
  apply: applyAnswers,
  analyze,
  plan: makePlan,
};

export type Work = typeof work;
export type WorkName = keyof Work;

export interface WorkOrder<Name extends WorkName = WorkName> {
  name: Name;
  args: Parameters<Work[Name]>;
}

export type WorkDone = { result: unknown } | { error: string };

export function done({ name, args }: WorkOrder): unknown {
  return (work[name] as (...given: unknown[]) => unknown)(...args);
}
