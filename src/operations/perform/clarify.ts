import { DragomanError } from "../../core/errors.ts";
import type { ClarifyQuestion, Finding } from "../clarify/index.ts";
import type { Saved, StoredDocument } from "../features/feature-store.ts";
import { think } from "../think.ts";
import type { Advice } from "./advice.ts";
import { type Asked, type Asking, askQuestions } from "./ask-questions.ts";
import { clarifyAdvice } from "./clarify-advice.ts";
import { type FeatureFiles, type Read, specIn } from "./feature-files.ts";
import type { Performance, Performed } from "./performance.ts";
import { savedWhere } from "./saved-where.ts";
import type { Telling } from "./telling.ts";
import { counted, listed } from "./words.ts";

export const clarifySteps = [
  "Read the specification",
  "Look for what is unclear",
  "Ask",
  "Write the answers into the specification",
];

const MOST_QUESTIONS = 5;
const MOST_TOLD = 30;
const MOST_THOUGHT = 10;
/** From here on a finding is one that work should not begin with. */
const SERIOUS = 12;

interface Looked {
  spec: StoredDocument;
  today: string;
  findings: Finding[];
  questions: ClarifyQuestion[];
}

/** Finds what is unclear in a specification, asks, and writes the answers into it. */
export async function clarify({ telling, files, advice, io, signal }: Performance): Promise<Performed> {
  await telling.think("Reading specification document...");
  const read = await telling.step(() => files.read());
  const looked = await telling.step(() => look(read, telling, advice, signal));
  const { questions, spec } = looked;
  if (questions.length === 0) return withoutQuestions(telling, looked);
  const asking = await telling.step(
    async () => {
      await telling.progress(questions.map((_, index) => generating(index + 1, questions.length)));
      return askQuestions(io, spec.path, questions);
    },
    `Asking ${counted(questions.length, "question")}`,
  );
  const answered = asking.asked.filter(({ answer }) => answer !== undefined);
  if (answered.length === 0) return unanswered(telling, looked, asking);
  await telling.say(`${answered.length} of ${counted(questions.length, "question")} answered.`); // by which words is not for all to read
  const written = await telling.step(() => write(files, looked, answered, signal));
  return applied(telling, looked, asking, written);
}

async function look(read: Read, telling: Telling, advice: Advice | undefined, signal: AbortSignal): Promise<Looked> {
  const spec = specIn(read, "clarify");
  const own = await think(signal, "look", spec.content, MOST_QUESTIONS);
  const more = await clarifyAdvice(advice, spec);
  const findings = [...own.findings, ...more.map(({ finding }) => finding)].sort((a, b) => b.weight - a.weight);
  const questions = ranked(own.questions, more);
  await tellFindings(telling, spec.path, findings);
  return { spec, today: read.today, findings, questions };
}

/** Those of the rules go first where both weigh the same; a place that is asked about once is not asked about again. */
function ranked(own: ClarifyQuestion[], more: ClarifyQuestion[]): ClarifyQuestion[] {
  const lines = new Set(own.map(({ place }) => place.line));
  const others = more.filter(({ place }) => !lines.has(place.line));
  return [...own, ...others].sort((a, b) => b.finding.weight - a.finding.weight).slice(0, MOST_QUESTIONS);
}

async function tellFindings(telling: Telling, path: string, findings: Finding[]): Promise<void> {
  const areas = findings.slice(0, MOST_THOUGHT).map(({ message }, index) => `${index + 1}. ${message}`);
  const more = findings.length > MOST_THOUGHT ? [`and ${findings.length - MOST_THOUGHT} more`] : [];
  const noun = counted(findings.length, "area");
  if (findings.length > 0) {
    await telling.think([`Identified ${noun} with potential ambiguity:`, ...areas, ...more].join("\n"));
  }
  const serious = findings.filter(({ weight }) => weight >= SERIOUS);
  await telling.warn(serious.map(({ message, place }) => `${message} (${path}:${place.line})`));
  const others = findings.filter(({ weight }) => weight < SERIOUS);
  const lines = others.slice(0, MOST_TOLD).map((one) => `${path}:${one.place.line} (${one.kind}) ${one.message}`);
  const heading = serious.length > 0 ? "Also found:" : "Found:";
  if (lines.length > 0) await telling.say(listed(heading, lines, others.length));
}

const generating = (number: number, all: number) => `Generating clarification question ${number} of ${all}...`;

/** Whether it only tells how far the asking is: the questions that follow say as much. */
export const isGenerating = (line: string) => /^Generating clarification question \d+ of \d+\.\.\.$/.test(line);

interface Written {
  saved: Saved;
  applied: string[];
  unplaced: string[];
}

/** What moved meanwhile is read again, and gets the answers as it is now. */
async function write(
  files: FeatureFiles,
  { spec, today }: Looked,
  answered: Asked[],
  signal: AbortSignal,
): Promise<Written> {
  const into = (now: StoredDocument) => writeInto(files, now, today, answered, signal);
  try {
    return await into(spec);
  } catch (error) {
    if (!(error instanceof DragomanError) || !/^(conflict|precondition_failed)$/.test(error.code)) throw kept(error);
  }
  try {
    const now = await files.read();
    return await into(specIn(now, "clarify"));
  } catch (error) {
    throw kept(error);
  }
}

async function writeInto(
  files: FeatureFiles,
  spec: StoredDocument,
  today: string,
  answered: Asked[],
  signal: AbortSignal,
): Promise<Written> {
  const answers = answered.map(({ question, answer = "" }) => ({ question, answer }));
  const { content, ...placed } = await think(signal, "apply", spec.content, answers, today);
  const message = `docs: clarify ${spec.path} (${counted(answers.length, "answer")})`;
  return { saved: await files.save([{ name: "spec", content, ifMatch: spec.etag }], message), ...placed };
}

/** Errors of a save that do not tell how far it came. */
const openEnded: readonly string[] = ["timeout", "tool_timeout", "internal"];

/** Whoever answered is not to do it again for nothing. */
function kept(error: unknown): unknown {
  if (!(error instanceof DragomanError)) return error;
  const written = openEnded.includes(error.code) ? "" : " The answers were not written into the specification.";
  const message = `${error.message}${written} The log of this run keeps the answers.`;
  return new DragomanError(error.code, message, error.data, { cause: error });
}

async function withoutQuestions(telling: Telling, { findings }: Looked): Promise<Performed> {
  await telling.skipRest();
  const verdict = findings.length === 0 ? "Nothing in it is unclear." : "None of the findings needs an answer.";
  await telling.say(`${verdict} Next: plan.`);
  const description = `Clarification complete. No questions: ${verdict.toLowerCase()} Spec ready for review.`;
  return { description, data: { questions: [], findings: findings.map(shownFinding) } };
}

async function unanswered(telling: Telling, looked: Looked, { asked, nobody }: Asking): Promise<Performed> {
  await telling.skipRest();
  const lines = asked.flatMap(({ question }) => questionLines(question, looked.spec.path));
  await telling.say(listed("Open questions:", lines));
  const why = nobody ? "no one was there to answer them" : "none was answered";
  const count = counted(asked.length, "question");
  const description = `Clarification complete. ${count} generated; ${why}, so the specification is unchanged.`;
  const questions = asked.map((one) => told(one, []));
  return { description, data: { questions, findings: looked.findings.map(shownFinding) } };
}

function questionLines({ question, options, place }: ClarifyQuestion, path: string): string[] {
  return [`${question} (${path}:${place.line})${options.map(({ label }) => `\n  - ${label}`).join("")}`];
}

async function applied(telling: Telling, looked: Looked, { asked }: Asking, written: Written): Promise<Performed> {
  const { saved } = written;
  const open = asked.filter(({ answer }) => answer === undefined);
  const unplaced = asked.filter(({ question }) => written.unplaced.includes(question.id));
  const placed = asked.length - open.length - unplaced.length;
  await telling.say(
    `Wrote ${counted(placed + unplaced.length, "answer")} into ${looked.spec.path}${savedWhere(saved)}.`,
  );
  if (unplaced.length > 0) await telling.say(listed(ONLY_RECORDED, unplaced.map(asText)));
  if (open.length > 0) await telling.say(listed("Left open:", open.map(asText)));
  if (saved.warning) await telling.warn([saved.warning]);
  const recorded = unplaced.length > 0 ? `, ${unplaced.length} answered and only recorded under Clarifications` : "";
  const description = [
    "Clarification complete.",
    `${counted(asked.length, "question")} generated, ${placed} answered and applied${recorded}.`,
    "Spec ready for review.",
  ].join(" ");
  const questions = asked.map((one) => told(one, written.applied));
  return { description, data: { questions, findings: looked.findings.map(shownFinding), saved } };
}

const ONLY_RECORDED =
  "Only under Clarifications, because no statement of the specification now has the words that they are about:";

const asText = ({ question }: Asked): string => question.question;

const shownFinding = ({ kind, message, place, weight }: Finding) => ({ kind, message, place, weight });

function told({ question, answer }: Asked, applied: string[]) {
  const { id, question: text, options, context, place } = question;
  const status = answer === undefined ? "unanswered" : applied.includes(id) ? "applied" : "answered";
  return { id, question: text, options, context, place, status, answer };
}
