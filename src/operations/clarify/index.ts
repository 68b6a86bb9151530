import type { SpecDocument } from "../spec-document.ts";
import { findExclusives } from "./find-exclusives.ts";
import { findGaps, isCareful, MATTERS_IN_CAREFUL_SPEC } from "./find-gaps.ts";
import { findMarks } from "./find-marks.ts";
import { findNegations } from "./find-negations.ts";
import { findNumbers } from "./find-numbers.ts";
import { findOpposites } from "./find-opposites.ts";
import { findPlaceholders } from "./find-placeholders.ts";
import { findReferences } from "./find-references.ts";
import { findScope } from "./find-scope.ts";
import { findNothing, findStructure } from "./find-structure.ts";
import { findUnmeasurable } from "./find-unmeasurable.ts";
import { findVague } from "./find-vague.ts";
import { findWording } from "./find-wording.ts";
import { type Finding, SERIOUS } from "./finding.ts";
import { onePerTopic } from "./one-per-topic.ts";
import { byWeight, isSettled } from "./questions.ts";

export { type Answered, applyAnswers } from "./apply.ts";
export type { Finding, FindingKind } from "./finding.ts";
export { type ClarifyQuestion, questionsFor } from "./questions.ts";

const finders: readonly ((spec: SpecDocument) => Finding[])[] = [
  findMarks,
  findPlaceholders,
  findStructure,
  findUnmeasurable,
  findVague,
  findNumbers,
  findOpposites,
  findNegations,
  findExclusives,
  findScope,
  findReferences,
  findWording,
];

/** More than that nobody reads: the heaviest are told. */
const MOST_FINDINGS = 300;

/** What a careful reader would remark on, the heaviest first, then by line. What a clarification settles is left out. */
export function findingsIn(spec: SpecDocument): Finding[] {
  const nothing = findNothing(spec);
  const found = nothing.length > 0 ? nothing : finders.flatMap((find) => find(spec));
  const careful = isCareful(spec) && !found.some(({ weight }) => weight >= SERIOUS);
  const more = nothing.length > 0 ? [] : findGaps(spec, careful);
  const told = careful
    ? found.filter(({ kind, weight }) => kind !== "vague" || weight >= MATTERS_IN_CAREFUL_SPEC)
    : found;
  const kept: Finding[] = [];
  for (const finding of onePerTopic([...told, ...more]).sort(byWeight)) {
    if (kept.length >= MOST_FINDINGS) break;
    if (!isSettled(spec, finding)) kept.push(finding);
  }
  return kept;
}
