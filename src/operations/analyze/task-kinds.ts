import type { Task } from "../task-document.ts";

const TEST = /\btest(?:s|ing|ed)?\b|\be2e\b|\bspecs? for\b|\bcoverage\b|\bqa\b|\bbenchmarks?\b/i;
const SUPPORT =
  /^(?:set[- ]?up|initiali[sz]e|bootstrap|scaffold|install|configure|deploy|refactor|document|clean[- ]?up|research|spike|prototype|dockeri[sz]e|lint|run|release|publish|package|profile|review|create (?:the )?(?:project|folder|directory|repo\w*|solution|database|db|base|initial|docker\w*|ci))\b|\b(?:scaffold\w*|boilerplate|skeleton|lint(?:er|ing)?|eslint|prettier|code format\w*|ci\/cd|ci|continuous integration|docker\w*|kubernetes|terraform|deployment|environment variables?|environment config\w*|project structure|director(?:y|ies)|folder structure|monorepo|(?:database|db|data|sql|initial) (?:schema|migrations?|connection|setup|access)|migrations?|schema|logg(?:ing|er)|telemetry|observability|tracing|monitoring|error[- ]handl\w*|error classes|error types|exception handl\w*|middleware|routing|router|base (?:class|model|type|entit)\w*|shared types?|fixtures?|mocks?|documentation|docs|readme|changelog|quickstart|code review|performance|optimi[sz]ation|profiling|security|hardening|accessibility|a11y|input validation|health checks?|feature flags?|rollout|rollback|smoke|data[- ]model|(?:api|service) contracts?|openapi|end-to-end|acceptance)\b/i;
const ERRORS =
  /\berrors?\b|\bexceptions?\b|\bfail(?:s|ed|ures?|ing)?\b|\bretr(?:y|ies)\b|\bfallbacks?\b|\brecover(?:y|s)?\b|\binvalid\b|\bedge cases?\b|\bvalidat\w*\b|\btime-?outs?\b|\breject\w*\b|\bresilien\w*\b/i;

/** What refuses something in passing. */
const REFUSALS =
  /\brefus\w*\b|\bdenie[ds]\b|\bdeclin\w*\b|\bexpired\b|\bgives? up\b|\bunavailable\b|\bnot found\b|\bwrong\b|\b[45]\d\d(?= |$|[.,;)])/i;

export const isTest = ({ title }: Task): boolean => TEST.test(title);
/** Tests speak of failing in any case. */
export const speaksOfErrors = (task: Task): boolean =>
  ERRORS.test(task.title) || (!isTest(task) && ERRORS.test(task.words));
/** Enough where the spec names no edge cases that somebody has to deal with. */
export const refuses = (task: Task): boolean => speaksOfErrors(task) || REFUSALS.test(task.words);
const isSetup = ({ phase = "" }: Task): boolean =>
  /\bset-?up\b|\binitiali[sz]ation\b|\bscaffold|\bfoundation|\binfrastructure\b/i.test(phase);

/** Tasks of kinds that every feature needs, whatever is asked for. */
export function servesAll(task: Task): boolean {
  return isSetup(task) || isTest(task) || SUPPORT.test(task.title);
}

/** Tasks that build something a user sees or calls: neither tests nor setting up nor documents. */
export function builds(task: Task): boolean {
  if (isTest(task) || isSetup(task)) return false;
  return !/\b(?:docs?|documentation|readme|changelog|quickstart|lint\w*|ci|deploy\w*|release|refactor\w*|clean[- ]?up|research)\b/i.test(
    task.title,
  );
}
