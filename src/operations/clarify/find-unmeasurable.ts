import type { Criterion, SpecDocument } from "../spec-document.ts";
import { type Finding, nameOf, placeAt, SECTION, shortened, weightOf } from "./finding.ts";
import { type VagueTopic, vagueWords } from "./vague-words.ts";
import { withoutQuoted } from "./words.ts";

/** Numbers that measure nothing: ids, versions, priorities, dates. */
const NAMES =
  /\b[A-Z]{1,8}(?:-[A-Z0-9]{1,12}){0,3}-\d+\b|\bv\d[\d.]*\b|\b[PQ]\d\b|\b(?:19|20)\d\d\b|\bphase \d+\b|\b[A-Za-z]+\d[\w.]*\b/gi;
const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|hundred|thousand|half|twice|double[sd]?|halved|zero|third|quarter)\b/i;
/** "All", "no" and "never" can be checked, if what they speak of can. */
const WHOLE =
  /\b(?:all|every|each|no|none|never|nobody|nothing|only|exactly|any|without|always|both|neither|fully|entire(?:ly)?|complete(?:s|d)? (?:without|in one)|the same|identical|in one|first (?:try|attempt)|does not|do not|cannot)\b/i;
const STANDARD = /\b(?:wcag|iso|gdpr|hipaa|pci|soc ?2|owasp|rfc|section 508|en 301)\b/i;
const LOOSE =
  /\b(?:improve[sd]?|improvement|increase[sd]?|decrease[sd]?|reduce[sd]?|reduction|lower|higher|more|less|fewer|better|satisf(?:ied|action|ying)|happy|happier|love|enjoy\w*|adopt\w*|positive(?:ly)?|good|great|excellent|most (?:users|people|customers|of)|majority|many|minimal|acceptable|reasonable|high|low|significant\w*|well[- ]received|drops?|falls?|rises?|grows?|shrinks?|goes (?:up|down)|sav(?:e|es|ing|ings)|(?:in|on) time|engag(?:ed|ing|ement)|trust|confident|comfortable|appreciate|useful|popular|valuable|successful|as expected)\b/i;

/** Success criteria of which nobody could say that they were met. */
export function findUnmeasurable(spec: SpecDocument): Finding[] {
  return [...spec.criteria.filter((criterion) => !isMeasurable(criterion.text)).map(findingOf), ...looseGoals(spec)];
}

/** Goals may be loose where success criteria give them a measure; without any, they are all there is to be held to. */
function looseGoals(spec: SpecDocument): Finding[] {
  if (spec.criteria.some((criterion) => isMeasurable(criterion.text))) return [];
  const goals = spec.statements.filter(
    ({ block, role }) => role === "overview" && block.kind === "item" && GOALS.test(block.section.title),
  );
  return goals
    .filter(({ text }) => LOOSE.test(text) && !isMeasurable(text))
    .map(({ text, line }) => ({
      kind: "unmeasurable",
      message: `The goal in line ${line} names nothing that could be measured: "${shortened(text, 120)}"`,
      place: placeAt(line, text),
      weight: weightOf("use", "open"),
      topic: `criterion-goal-${text}`,
      words: text,
    }));
}

const GOALS = /\b(?:goals?|objectives?|aims?|benefits?|outcomes?)\b/i;

export function isMeasurable(text: string): boolean {
  if (/\[[^\]]{3,}\]|\bTB[DCA]\b/.test(text)) return true; // left open, which is another finding
  const words = withoutQuoted(text).replace(NAMES, " ");
  if (NUMBER.test(words) || STANDARD.test(text) || /\(\s*measured\b/i.test(text)) return true;
  if (LOOSE.test(words)) return false;
  const vague = vagueWords.filter(({ pattern }) => words.search(pattern) >= 0);
  return WHOLE.test(words) ? !vague.some(({ topic }) => MATTER_OF_DEGREE.has(topic)) : vague.length === 0;
}

/** "All pages load quickly" says of all what can be said of none. */
const MATTER_OF_DEGREE = new Set<VagueTopic>(["speed", "ease", "scale", "quality", "amount"]);

function findingOf(criterion: Criterion): Finding {
  const owner = criterion.given ? criterion.id : undefined;
  return {
    kind: "unmeasurable",
    message: `${nameOf(owner, criterion.line)} names nothing that could be measured: "${shortened(criterion.text, 120)}"`,
    place: placeAt(criterion.line, criterion.text),
    weight: SECTION,
    topic: `criterion-${criterion.id}`,
    words: criterion.text,
    owner: criterion.id,
  };
}
