import { findingsIn } from "../clarify/index.ts";
import type { Requirement, SpecDocument } from "../spec-document.ts";

/** Two requirements of which only one can be built as it stands. */
export interface Conflict {
  first: Requirement;
  second: Requirement;
}

const MOST_CONFLICTS = 10;
/** In a longer spec nobody waits for the comparison of each with each. */
const MOST_REQUIREMENTS = 300;

export function conflictsIn(spec: SpecDocument): Conflict[] {
  if (spec.requirements.length > MOST_REQUIREMENTS || spec.lines.length > 5 * MOST_REQUIREMENTS) return [];
  const at = (line: number | undefined) =>
    line === undefined ? undefined : spec.requirements.findLast((one) => one.line <= line && line <= one.line + 3);
  return findingsIn(spec)
    .flatMap(({ kind, place, other }) => {
      const [first, second] = [at(other?.line), at(place.line)];
      return kind === "contradictory" && first && second && first !== second ? [{ first, second }] : [];
    })
    .slice(0, MOST_CONFLICTS);
}
