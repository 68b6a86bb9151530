import type { Mark, SpecDocument, Statement } from "../spec-document.ts";
import { type Finding, type Impact, nameOf, placeAt, placeIn, shortened, weightOf } from "./finding.ts";
import { subjectOf } from "./subjects.ts";
import { withoutMarks, withoutQuoted } from "./words.ts";

/** What the author says is still open: marks, TBD and TODO, questions under a heading of their own. */
export function findMarks(spec: SpecDocument): Finding[] {
  return [
    ...spec.marks.map(markFinding),
    ...spec.statements.flatMap(todosIn),
    ...spec.statements.flatMap(openQuestion),
  ];
}

function markFinding(mark: Mark): Finding {
  const subject = subjectOf(mark.question) ?? subjectOf(mark.block.text.slice(Math.max(0, mark.at - 200)));
  return {
    kind: "marked",
    message: mark.question
      ? `${nameOf(mark.owner, mark.line)} is marked as open: ${shortened(mark.question)}`
      : `${nameOf(mark.owner, mark.line)} is marked as open and does not say what is asked.`,
    place: placeIn(mark.block, mark.at, mark.text.length),
    weight: weightOf(subject?.impact ?? "use", "said"),
    topic: `marked-${mark.owner ?? ""}-${mark.question || mark.block.text}`,
    words: mark.text,
    owner: mark.owner,
  };
}

const TODO =
  /\[[^\][]{0,60}\b(?:TBD|TBC|TBA|to be (?:determined|decided|defined|confirmed|clarified|discussed|specified))\b[^\][]{0,60}\]|\b(?:TBD|TBC|TODO|FIXME|TBA|to be (?:determined|decided|defined|confirmed|clarified|discussed|specified))\b|\?{3,}|<(?:TBD|TODO|insert[^<>]{0,60}|your [^<>]{0,60})>/gi;

function todosIn(statement: Statement): Finding[] {
  const { block, role, owner } = statement;
  if (role === "aside" || role === "clarifications") return [];
  const text = withoutMarks(withoutQuoted(block.text));
  const found = [...text.matchAll(TODO)].find(
    (one) => !/^todo$/i.test(one[0]) || (one[0] === "TODO" && isAlone(text, one.index)),
  );
  if (!found) return [];
  const what: Impact =
    role === "requirements" || role === "outOfScope" ? (subjectOf(block.text)?.impact ?? "scope") : "use";
  return [
    {
      kind: "marked",
      message: `"${found[0]}" in ${nameOf(owner, block.line)}: this is still to be decided.`,
      place: placeIn(block, found.index, found[0].length),
      weight: weightOf(what, "noted"),
      topic: `marked-${block.text}`,
      words: found[0],
      owner,
    },
  ];
}

/** "TODO: decide" is open; "a TODO list" is what is built. */
function isAlone(text: string, at: number): boolean {
  return !/^TODO(?:s|[- ](?:lists?|items?|apps?|entr(?:y|ies)|tasks?))\b/.test(text.slice(at));
}

function openQuestion({ block, role, text, line, owner }: Statement): Finding[] {
  if (role !== "openQuestions" || block.kind === "heading" || !text.includes("?") || /→|\?\s*\S{3,}.{10,}$/.test(text))
    return [];
  if (/NEEDS CLARIFICATION/i.test(text) || /^\W*(?:~~|\[x\])/i.test(block.text) || block.checked) return [];
  return [
    {
      kind: "marked",
      message: `An open question of the spec has no answer: ${shortened(text)}`,
      place: placeAt(line, text),
      weight: weightOf(subjectOf(text)?.impact ?? "use", "said"),
      topic: `question-${text}`,
      words: block.text,
      owner,
    },
  ];
}
