import { alternativesIn, isYesNo } from "./alternatives.ts";
import type { Asked } from "./asking.ts";
import type { Finding } from "./finding.ts";
import { quoted, withoutId } from "./quoting.ts";
import { type Choice, choice, LEAVE_OUT, subjectOf } from "./subjects.ts";

/** The words of a mark without its brackets; empty where it asks nothing. */
function questionOfMark(words: string): string {
  const open = /^\[?\s?[A-Z _-]*CLARIFICATION\b\s*:?|^\[[A-Za-z ]{3,30}:/i.exec(words)?.[0] ?? "";
  return quoted(words.slice(open.length).replace(/\]$/, ""), 300);
}

const TODO = /^(?:TB[DCA]|TODO|FIXME|XXX|to be \w+|\?{3,}|<.*>|\[[^\]]*\b(?:TB[DCA]|to be \w+)\b[^\]]*\])$/i;

export function askMark(finding: Finding): Asked {
  const words = finding.words ?? "";
  const question = TODO.test(words) ? "" : questionOfMark(words);
  const around = withoutId(quoted(finding.place.quote));
  const subject = subjectOf(question) ?? subjectOf(around);
  return {
    core: question ? interrogative(question) : gapQuestion(words, around),
    affects: subject?.affects ?? "what is built and how it is tested: the author marked it as open",
    choices: markChoices(question, subject?.choices),
  };
}

function gapQuestion(words: string, around: string): string {
  return TODO.test(words)
    ? `What belongs in the place of "${words}" in "${around}"?`
    : `What belongs in the gap of "${around}"?`;
}

/** A mark may ask, or only say what is open. */
function interrogative(question: string): string {
  const bare = question.replace(/[\s.:?]+$/, "");
  const first = bare.split(/\s+/).slice(0, 4).join(" ");
  const asks = isYesNo(bare) || /\b(?:who|whom|whose|what|which|when|where|why|how)\b/i.test(first);
  return asks ? `${bare.charAt(0).toUpperCase()}${bare.slice(1)}?` : `What is decided: ${bare}?`;
}

function markChoices(question: string, usual: readonly Choice[] | undefined): readonly Choice[] {
  const [first, ...others] = alternativesIn(question);
  if (/\bwhich \w+s\b[^?]{0,20}\(?\be\.g\./i.test(question) && first && others.length > 0 && others.length < 5)
    return [
      choice(allOf([first, ...others]), "All that the spec itself names."),
      ...[first, ...others].map((one) => choice(one)),
    ];
  if (first && others.length > 0)
    return [choice(first, "The first that the spec itself considers."), ...others.map((one) => choice(one))];
  if (isYesNo(question))
    return [choice("Yes", "The spec brings it up, so somebody expects it."), choice("No", "The smaller scope.")];
  return usual ?? (/^who\b/i.test(question.trim()) ? PEOPLE : GENERIC);
}

const allOf = (names: readonly string[]): string => `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

const PEOPLE: readonly Choice[] = [
  choice("The next person above them", "What most organizations do."),
  choice("An administrator"),
  choice("Each person themselves"),
  choice("Nobody: it is not possible in this version"),
];

/** They fit no sentence, so they are written behind it. */
export const GENERIC: readonly Choice[] = [
  choice("As simple as the acceptance scenarios allow", "Nothing is built that nobody asked for."),
  choice("As the product does it elsewhere today"),
  LEAVE_OUT,
];
