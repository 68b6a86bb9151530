import { createHash } from "node:crypto";
import type { Place } from "../documents.ts";
import type { SpecDocument } from "../spec-document.ts";
import { askingOf } from "./asking.ts";
import type { Finding } from "./finding.ts";
import { quoted, whereOf, withoutId } from "./quoting.ts";

export interface ClarifyQuestion {
  /** The same for the same question of the same words, in whichever run. */
  id: string;
  question: string;
  /** The recommended one is the first. */
  options: { id: string; label: string; detail?: string }[];
  /** What hangs on it. */
  context: string;
  place: Place;
  finding: Finding;
}

const MOST = 5;
/** What weighs less is told and not asked. */
const WORTH_ASKING = 6;

/** At most five, the heaviest first, one for each matter and each line. */
export function questionsFor(spec: SpecDocument, findings: readonly Finding[], most = MOST): ClarifyQuestion[] {
  const questions: ClarifyQuestion[] = [];
  const [matters, lines] = [new Set<string>(), new Set<number | string>()];
  for (const finding of [...findings].sort(byWeight)) {
    if (questions.length >= most) break;
    const matter = matterOf(finding);
    if (finding.weight < WORTH_ASKING || matters.has(matter) || lines.has(lineOf(finding))) continue;
    const question = questionOf(finding, findings, spec);
    if (question.options.length < 2 || isSettled(spec, question.finding)) continue;
    matters.add(matter);
    lines.add(lineOf(finding));
    questions.push(question);
  }
  return questions;
}

/** What is missing altogether stands on no line, though it is told at the first one. */
function lineOf(finding: Finding): number | string {
  return ABSENT.test(finding.topic ?? "") ? (finding.topic ?? "") : finding.place.line;
}

const ABSENT = /^(?:requirements|stories|criteria|edge-cases)$/;

export function byWeight(one: Finding, other: Finding): number {
  return other.weight - one.weight || one.place.line - other.place.line || one.message.localeCompare(other.message);
}

function questionOf(finding: Finding, findings: readonly Finding[], spec: SpecDocument): ClarifyQuestion {
  const whole = withAllValues(finding, findings);
  const { core, affects, choices } = askingOf(whole, spec);
  const lead = leadOf(whole, core);
  return {
    id: idOf(whole, core),
    question: lead ? `${lead} ${core}` : core,
    options: choices.map(({ label, detail }, index) => ({
      id: "abcdefgh".charAt(index),
      label,
      ...(detail && { detail }),
    })),
    context: `This affects ${affects}.`,
    place: finding.place,
    finding: whole,
  };
}

/** The words of the spec that it is about, unless the question has them already. */
function leadOf(finding: Finding, core: string): string {
  const gap = /^(?:placeholder|marked)/.test(finding.topic ?? "") && /^[[<]/.test(finding.words ?? "");
  const quote = gap ? finding.place.quote.replace(finding.words ?? "", "…") : finding.place.quote;
  const words = withoutId(quoted(quote)).replace(/[.\s]+$/, "");
  const where = whereOf(finding);
  if (!words || STRUCTURE.test(finding.topic ?? "") || core.includes(words.slice(0, 60))) {
    return where.startsWith('"') || core.includes(where) || !finding.owner ? "" : `${where}:`;
  }
  return where.startsWith('"') ? `The spec says "${words}".` : `${where} says "${words}".`;
}

/** What is missing altogether has no words. */
const STRUCTURE =
  /^(?:requirements|stories|criteria|edge-cases|empty|no-spec|doubled|scope|opposite|denied|reserved|field|exclusive|order)\b/;

/** A further number for the same thing is one more option of the same question, and its place one more to settle. */
function withAllValues(finding: Finding, findings: readonly Finding[]): Finding {
  if (!finding.sides) return finding;
  const others = findings.filter((one) => one !== finding && matterOf(one) === matterOf(finding));
  const sides = [...finding.sides, ...others.flatMap((one) => one.sides?.slice(1) ?? [])];
  return { ...finding, sides, values: [...new Set(sides.map(({ value }) => value))].slice(0, MOST_VALUES) };
}

const MOST_VALUES = 5;

/** What is asked about once. Numbers of one kind are one matter only if they disagree with the same statement. */
function matterOf({ topic, message, sides: [first] = [] }: Finding): string {
  return first ? `${topic} ${first.place.line} ${first.value}` : (topic ?? message);
}

function idOf(finding: Finding, core: string): string {
  const topic = (finding.topic ?? "advice")
    .split("-")
    .slice(0, 2)
    .join("-")
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "")
    .slice(0, 24);
  const digest = createHash("sha256")
    .update(`${finding.topic ?? ""}\n${core}`)
    .digest("hex")
    .slice(0, 10);
  return `${topic.replace(/-$/, "") || "advice"}-${digest}`;
}

/** Whether someone has answered what would be asked about the finding. A mark that still stands is open whatever was said. */
export function isSettled(spec: SpecDocument, finding: Finding): boolean {
  if (spec.clarifications.length === 0 || finding.kind === "marked") return false;
  const told = answeredIn(spec);
  const core = bare(askingOf(finding, spec).core);
  if (core !== "" && told.includes(core)) return true;
  const sides = sidesOf(finding);
  return sides.length > 1 && told.split("\n").some((question) => sides.every((side) => question.includes(side)));
}

/** What a question about the finding names, whatever remark was written into the statements since. */
function sidesOf({ topic = "", values = [], place }: Finding): string[] {
  if (STATED.test(topic)) return values.map(lead);
  const last = values.at(-1);
  if (!topic.startsWith("number-") || !last) return [];
  return [bare(values.join(" or ")), bare(place.quote.slice(0, Math.max(0, place.quote.indexOf(last))).slice(-40))];
}

/** Two statements that were asked about are the same two when a remark was put behind one of them. */
const STATED = /^(?:opposite|denied|reserved|field|exclusive)-/;
const lead = (statement: string): string => bare(statement.replace(/(?:\s*\([^()]{0,1100}\))+\.?$/, "").slice(0, 100));

const answers = new WeakMap<SpecDocument, string>();

/** All questions that have an answer, one in a line; the same for each finding, so it is made once. */
function answeredIn(spec: SpecDocument): string {
  const before = answers.get(spec);
  if (before !== undefined) return before;
  const told = spec.clarifications.filter(({ answer }) => answer !== "").map(({ question }) => bare(question));
  const text = told.join("\n");
  answers.set(spec, text);
  return text;
}

const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
