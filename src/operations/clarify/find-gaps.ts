import { sentencesIn } from "../markdown-sentences.ts";
import type { SpecDocument, Statement } from "../spec-document.ts";
import { isMeasurable } from "./find-unmeasurable.ts";
import { type Finding, isBinding, placeIn, weightOf } from "./finding.ts";
import { type Gap, gapSubjects, gaps } from "./gaps.ts";
import { subjectOf } from "./subjects.ts";
import { withoutMarks, withoutQuoted } from "./words.ts";

/** A gap that weighs less is left alone in a spec whose author thought of the rest. */
export const MATTERS_IN_CAREFUL_SPEC = 9;

/** What a spec of this kind should say somewhere and nowhere does. */
export function findGaps(spec: SpecDocument, careful: boolean): Finding[] {
  const whole = spec.statements
    .filter(({ role }) => role !== "aside")
    .map(({ block }) => withoutMarks(block.text))
    .join("\n");
  const said = sentencesOf(spec);
  const asked = spec.marks.map(({ question }) => ({ question, subject: subjectOf(question)?.name }));
  const least = careful ? MATTERS_IN_CAREFUL_SPEC : 1;
  return gaps.flatMap((gap) => {
    const weight = weightOf(gap.impact, gap.doubt);
    if (weight < least || gap.settledBy.test(whole) || asked.some((mark) => isAbout(gap, mark))) return [];
    const hits = said.filter(({ text }) => gap.when.test(text));
    const first = preferred(hits.filter(({ text }) => gap.best?.test(text))) ?? preferred(hits);
    const guarded = gap.impact === "security" && gap.doubt === "open" ? 2 : 0; // what harms people is asked before what is only not written
    return first && hits.length >= (gap.times ?? 1) ? [findingOf(gap, first, weight + guarded)] : [];
  });
}

interface Said {
  text: string;
  at: number;
  statement: Statement;
}

/** The sentences that demand something and that no mark or TBD leaves open already. */
function sentencesOf(spec: SpecDocument): Said[] {
  return spec.statements
    .filter((one) => isBinding(spec, one) && one.role !== "assumptions" && one.role !== "criteria")
    .filter(({ block }) => block.text === withoutMarks(block.text) && !/\b(?:TBD|TODO|TBC)\b/.test(block.text))
    .flatMap((statement) =>
      sentencesIn(withoutQuoted(statement.block.text)).map(({ text, at }) => ({ text, at, statement })),
    );
}

/** What is marked as open is found already. */
function isAbout(gap: Gap, mark: { question: string; subject?: string }): boolean {
  const subject = gapSubjects[gap.topic];
  return subject ? mark.subject === subject : gap.settledBy.test(mark.question);
}

/** A requirement shows best where it belongs. */
function preferred(hits: Said[]): Said | undefined {
  return hits.find(({ statement }) => statement.role === "requirements") ?? hits[0];
}

function findingOf(gap: Gap, { statement, at, text }: Said, weight: number): Finding {
  const found = gap.when.exec(text);
  return {
    kind: "missing",
    message: gap.message,
    place: placeIn(statement.block, at + (found?.index ?? 0), found?.[0].length ?? 0),
    weight,
    topic: `gap-${gap.topic}`,
    owner: statement.owner,
  };
}

/** Every story has scenarios, errors are thought of, and all success is measured: what such an author left out was left to defaults. */
export function isCareful(spec: SpecDocument): boolean {
  return (
    spec.scenarios.length > 0 &&
    spec.stories.every((story) => story.scenarios.length > 0) &&
    spec.edgeCases.length >= 2 &&
    spec.requirements.length >= 4 &&
    spec.criteria.length >= 2 &&
    spec.criteria.every((criterion) => isMeasurable(criterion.text)) &&
    spec.marks.length === 0
  );
}
