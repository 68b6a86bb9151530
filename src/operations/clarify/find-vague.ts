import { lineAt } from "../markdown.ts";
import type { Role, SpecDocument, Statement } from "../spec-document.ts";
import { AS_A } from "../spec-document-stories.ts";
import {
  type Doubt,
  type Finding,
  hasOwnRequirements,
  isBinding,
  nameOf,
  placeIn,
  sentenceAround,
  weightOf,
} from "./finding.ts";
import { type VagueTopic, type VagueWords, vagueWords } from "./vague-words.ts";
import { shared, stemsIn, withoutQuoted } from "./words.ts";

/** In which of the roles the words count. Success criteria are measured by rules of their own. */
const READ: readonly Role[] = ["requirements", "story", "stories", "scenarios", "edgeCases", "overview", "other"];

const SAYS: Record<VagueTopic, string> = {
  speed: "gives no time that could be measured",
  ease: "cannot be tested: nothing says how it would be seen",
  reliability: "says nothing that could be counted, such as an uptime or what survives a failure",
  scale: "names no number of users, records or requests",
  protection: "does not say what protects it, or against whom",
  handling: "does not say what happens",
  extent: "leaves open what belongs to it and what does not",
  amount: "gives no number",
  frequency: "does not say how often",
  commitment: "leaves open whether it has to be done",
  quality: "has no measure",
  access: "does not say who or what qualifies",
};

export function findVague(spec: SpecDocument): Finding[] {
  const measured = measuredTopics(spec);
  const prose = !hasOwnRequirements(spec);
  return spec.statements.flatMap((statement) =>
    READ.includes(statement.role) && isRead(spec, statement) ? vagueIn(statement, measured, prose) : [],
  );
}

/** An introduction promises, too, where it wants something and the requirements give it no measure. */
function isRead(spec: SpecDocument, statement: Statement): boolean {
  return isBinding(spec, statement) || (statement.role === "overview" && statement.block.kind === "paragraph");
}

/** What the requirements and criteria give a measure for, so that a story or an introduction may speak loosely of it. */
function measuredTopics(spec: SpecDocument): Measured {
  const firm = [...spec.requirements.filter((one) => one.given), ...spec.criteria].map((one) => one.text);
  const measured: Measured = new Map();
  for (const { topic, settledBy } of vagueWords) {
    const stems = firm.filter((text) => settledBy.test(text)).flatMap((text) => [...stemsIn(text)]);
    if (stems.length > 0) measured.set(topic, new Set(stems));
  }
  return measured;
}

/** What is measured, and the words of the statements that do it. */
type Measured = Map<VagueTopic, ReadonlySet<string>>;

interface Hit {
  words: VagueWords;
  at: number;
  text: string;
  /** What stands in brackets behind it says what is meant. */
  remarked: boolean;
}

function vagueIn(statement: Statement, measured: Measured, prose: boolean): Finding[] {
  const firm = prose || FIRM.includes(statement.role);
  const text = readable(statement);
  const found = withoutOverlaps(vagueWords.flatMap((words) => hitsOf(words, text)));
  const demanded = found.filter((hit) => {
    const sentence = sentenceAround(text, hit.at).text;
    if (OPEN.test(sentence)) return false; // which is found already
    if (FIRM.includes(statement.role)) return true;
    if (!firm && isMeasured(statement, hit, text, measured)) return false;
    return DEMAND.test(sentence) || (prose && TOLD.has(hit.words.topic));
  });
  const groups = new Map<string, Hit[]>();
  for (const hit of demanded) {
    const key = `${hit.words.topic} ${lineAt(statement.block, hit.at)}`;
    groups.set(key, [...(groups.get(key) ?? []), hit]);
  }
  return [...groups.values()].map((hits) => findingOf(statement, hits, firm ? "open" : "likely"));
}

const OPEN = /\b(?:TBD|TBC|TODO|to be (?:determined|decided|defined))\b/;
/** In prose also a sentence that only tells what happens leaves these open. */
const TOLD = new Set<VagueTopic>(["extent", "amount", "handling", "protection", "access"]);

/** Of an introduction the matter as a whole, of a story the very thing that the clause speaks of. */
function isMeasured({ role }: Statement, hit: Hit, text: string, measured: Measured): boolean {
  const stems = measured.get(hit.words.topic);
  if (!stems || role !== "story") return stems !== undefined;
  const from = Math.max(0, hit.at - WINDOW);
  const before =
    text
      .slice(from, hit.at)
      .split(/\bso that\b|[,;.]/i)
      .at(-1) ?? "";
  const after = text.slice(hit.at + hit.text.length, hit.at + WINDOW).split(/[,;.]/)[0] ?? "";
  return shared(stems, stemsIn(`${before} ${after}`)).length > 0;
}

const WINDOW = 300;
const FIRM: readonly Role[] = ["requirements", "scenarios", "edgeCases"];
/** A sentence that wants something, and does not only tell. */
const DEMAND =
  /\b(?:must|shall|should|will|needs?|has to|have to|can|may|want|ideally|able|supports?|lets?|allows?|love)\b/i;

/** A loose word weighs less than a part that is missing. */
const HEAVIEST = 10;

function findingOf({ block, owner }: Statement, hits: Hit[], doubt: Doubt): Finding {
  const [first] = hits as [Hit, ...Hit[]];
  const { topic, impact } = first.words;
  const names = [...new Set(hits.map((hit) => `"${hit.text.replace(/^(?:be|is|are) /i, "")}"`))].join(", ");
  const place = placeIn(block, first.at, first.text.length);
  const where = nameOf(owner, place.line);
  return {
    kind: "vague",
    message: `${names} in ${where} ${SAYS[topic]}.`,
    place,
    weight: Math.min(HEAVIEST, weightOf(impact, doubt)),
    topic: `vague-${topic}`,
    words: first.text,
    owner,
  };
}

/** Only what is claimed: of a scenario what comes out, of a story not its motive; quotes and marks are blanked. */
function readable({ block, role }: Statement): string {
  let text = withoutQuoted(block.text)
    .replace(/\[[^\][]{0,2000}\]/g, blank)
    .replace(LEADING_ID, blank);
  if (block.cells) text = text.replace(/\|\s*[A-Z]{0,8}-?\d{1,4}\s*(?=\|)/g, blank);
  if (role === "scenarios") text = text.replace(/^.*?\bthen\b/i, blank);
  if ((role === "story" || role === "stories") && AS_A.test(text))
    text = text.replace(/\b(?:so that|in order to|because|so I can)\b.*$/i, blank);
  return text;
}

const LEADING_ID = /^\s*[A-Z][A-Z0-9-]{0,30}\d[a-z]?\s*(?:\([^)]{0,40}\))?\s*[:.–—-]/;
const blank = (found: string): string => " ".repeat(found.length);

function hitsOf(words: VagueWords, text: string): Hit[] {
  if (text.search(words.pattern) < 0) return []; // cheaper than an iterator, and most words are in no statement
  const hits: Hit[] = [];
  for (const found of text.matchAll(words.pattern)) {
    const after = text.slice(found.index + found[0].length, found.index + found[0].length + 40);
    const before = text.slice(Math.max(0, found.index - 20), found.index);
    if (words.notBefore?.test(after) || words.notAfter?.test(before)) continue;
    if (/\b(?:not|n't|never|no longer)\s(?:be\s)?$/i.test(before) && words.topic !== "commitment") continue;
    hits.push({ words, at: found.index, text: found[0], remarked: /^,?\s?[([]\s*\S/.test(after) });
  }
  return hits.filter((hit) => !words.settledBy.test(aroundOf(text, hit.at)));
}

/** What belongs to a word: the whole of a short statement, of longer prose its sentence and the next. */
function aroundOf(text: string, at: number): string {
  if (text.length <= 160) return text;
  const sentence = sentenceAround(text, at);
  const end = sentence.at + sentence.text.length + 2;
  const next = end < text.length ? sentenceAround(text, end).text : "";
  const goesOn =
    /^(?:It|This|That|They|These)\b/.test(next) || shared(stemsIn(sentence.text), stemsIn(next)).length > 0;
  return goesOn ? `${sentence.text} ${next}` : sentence.text;
}

/** "State-of-the-art encryption" is one complaint, of the words that are longer. */
function withoutOverlaps(hits: Hit[]): Hit[] {
  const kept: Hit[] = [];
  for (const hit of [...hits].sort((a, b) => b.text.length - a.text.length || a.at - b.at)) {
    if (kept.every((other) => hit.at >= other.at + other.text.length || other.at >= hit.at + hit.text.length))
      kept.push(hit);
  }
  return kept.filter((hit) => !hit.remarked).sort((a, b) => a.at - b.at);
}
