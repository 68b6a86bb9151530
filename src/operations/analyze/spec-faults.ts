import type { PlanDocument } from "../plan-document.ts";
import { PLAN_PARTS, partOf } from "../plan-document.ts";
import type { SpecDocument } from "../spec-document.ts";
import type { Fault } from "./analysis.ts";
import { placeIn, shortened } from "./place.ts";

/** A criterion that can be measured has a number in it, or a word that counts. */
export const isMeasurable = (text: string): boolean =>
  /\d|\b(?:zero|none|no|all|every|each|never|always|half|twice|once|one|two|three|double|100|nobody|without|only)\b/i.test(
    text,
  );

/** What is wrong with the spec itself, as far as tasks hang on it; clarify looks closer. */
export function specFaults(spec: SpecDocument): Fault[] {
  const place = (line: number) => placeIn("spec", spec.lines, line);
  const empty = spec.requirements.length === 0 && spec.stories.length === 0;
  return [
    ...(empty
      ? [
          {
            kind: "no-requirements",
            severity: "error",
            message: "The spec has no requirements and no user stories.",
            place: place(1),
            ids: [],
          } as Fault,
        ]
      : []),
    ...spec.marks.map(
      ({ text, line, owner }): Fault => ({
        kind: "open-mark",
        severity: "warning",
        message: `Left open: ${shortened(text.replace(/[[\]]/g, ""), 100)}`,
        place: place(line),
        ids: owner ? [owner] : [],
      }),
    ),
    ...spec.stories
      .filter(({ scenarios }) => scenarios.length === 0)
      .map(
        ({ id, title, line }): Fault => ({
          kind: "story-without-scenarios",
          severity: "warning",
          message: `${id} (${shortened(title, 60)}) has no acceptance scenario.`,
          place: place(line),
          ids: [id],
        }),
      ),
    ...spec.criteria
      .filter(({ text }) => !isMeasurable(text))
      .map(
        ({ id, text, line }): Fault => ({
          kind: "unmeasurable-criterion",
          severity: "warning",
          message: `${id} cannot be measured: “${shortened(text, 80)}”.`,
          place: place(line),
          ids: [id],
        }),
      ),
  ];
}

export function missingParts(plan: PlanDocument): string[] {
  return PLAN_PARTS.flatMap(({ name, title }) => (partOf(plan, title) ? [] : [name]));
}

export function planFaults(plan: PlanDocument): Fault[] {
  const place = (line: number) => placeIn("plan", plan.lines, line);
  return [
    ...missingParts(plan).map(
      (name): Fault => ({
        kind: "missing-section",
        severity: "warning",
        message: `The plan has no ${name}.`,
        place: place(1),
        ids: [],
      }),
    ),
    ...plan.marks.map(
      ({ text, line }): Fault => ({
        kind: "open-mark",
        severity: "warning",
        message: `The plan leaves something open: ${text}.`,
        place: place(line),
        ids: [],
      }),
    ),
    ...plan.placeholders.slice(0, 20).map(
      ({ text, line }): Fault => ({
        kind: "placeholder",
        severity: "warning",
        message: `“${shortened(text, 60)}” of the template is still there.`,
        place: place(line),
        ids: [],
      }),
    ),
  ];
}
