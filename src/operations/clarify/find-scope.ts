import type { Item, SpecDocument, Statement } from "../spec-document.ts";
import { contradiction } from "./find-opposites.ts";
import { type Finding, nameOf, placeAt, shortened, weightOf } from "./finding.ts";
import { shared, stemsIn, withoutQuoted } from "./words.ts";

/** What is left out and demanded all the same; what only one of stories and requirements knows; questions nobody answers. */
export function findScope(spec: SpecDocument): Finding[] {
  return [...leftOut(spec), ...unanswered(spec), ...untold(spec)];
}

const MOST_DEMANDS = 10;
const NEGATED = /\b(?:not|never|no|without|out of scope|excluded?|deferred|later|future|handled by|existing)\b/i;

function leftOut(spec: SpecDocument): Finding[] {
  const wanted = spec.statements.filter((one) => one.role === "requirements" && one.block.kind !== "heading");
  const told = spec.statements.filter(
    (one) => one.owner?.startsWith("US") && (one.block.kind === "heading" || one.role === "story"),
  );
  const demands = [...wanted, ...told].filter((one) => !NEGATED.test(one.text)).slice(0, 1000);
  const known = demands.map((one) => ({ one, stems: stemsIn(withoutQuoted(one.block.text)) }));
  const outs = spec.statements.filter((one) => one.role === "outOfScope" && one.block.kind !== "heading").slice(0, 100);
  return outs.flatMap((out) => {
    const clashes = partsOf(out.text).flatMap((head) => {
      const stems = telling(stemsIn(head));
      const hits = known.filter(({ one, stems: other }) => demandsIt(stems, other) && sameKind(head, one.text));
      return hits[0] ? [scopeClash(out, hits.map(({ one }) => one) as [Statement, ...Statement[]], head)] : [];
    });
    return clashes.slice(0, 1);
  });
}

/** "Out of scope: GPS tracking, stock management" leaves out two things. */
function partsOf(text: string): string[] {
  const bare = text.replace(/^\W*(?:out of scope|not in scope|excluded|non-goals?)\W{0,4}:\s*/i, "");
  const head = headOf(bare);
  return bare === text ? [head] : [head, ...bare.split(/[,;]\s*/).map(headOf)].slice(0, 12);
}

/** "Tracking", "management" and the like tell less than what they are of. */
function telling(stems: Set<string>): Set<string> {
  const strong = [...stems].filter((word) => !/^(?:track|manag|process|handl|integrat)/.test(word));
  return strong.length >= 2 ? new Set(strong) : stems;
}

/** "More than one list" leaves out the second list, not the first; "bulk export" leaves out no other export. */
function sameKind(head: string, demand: string): boolean {
  const more =
    /\b(?:more than|multiple|several|other|others|additional|further|beyond|different|custom|advanced|automatic\w*|bulk|third[- ]party|own)\b/i.exec(
      head,
    );
  return !more || (!/than/i.test(more[0]) && demand.toLowerCase().includes(more[0].toLowerCase()));
}

/** "Payment processing (handled by billing)" leaves out "payment processing". */
function headOf(text: string): string {
  return (
    text.split(/\s[–—-]\s|[(:;]|\bbecause\b|\bare out\b|\bis out\b|\bwill\b|, (?:which|as|since)\b/)[0] ?? text
  ).replace(/^\W*(?:no|not|any|the)\b/i, "");
}

function demandsIt(out: Set<string>, demand: Set<string>): boolean {
  if (out.size === 0 || out.size > 6) return false;
  const common = shared(out, demand).length;
  return out.size === 1 ? false : common === out.size || (out.size >= 4 && common >= out.size - 1);
}

function scopeClash(out: Statement, demands: [Statement, ...Statement[]], head: string): Finding {
  const [demand] = demands;
  const [earlier, later] = out.line < demand.line ? [out, demand] : [demand, out];
  const says = `"${head.trim().replace(/\.$/, "")}" is out of scope, and ${nameOf(demand.owner, demand.line)} demands it`;
  const values = [out, ...demands].map((one) => one.text).slice(0, MOST_DEMANDS);
  return { ...contradiction(earlier, later, `scope-${head.trim()}`, "scope", says), values };
}

/** An edge case that only asks, where no other statement answers. */
function unanswered(spec: SpecDocument): Finding[] {
  const answers = [
    ...spec.requirements,
    ...spec.scenarios,
    ...spec.assumptions,
    ...spec.outOfScope,
    ...spec.clarifications,
  ].map(({ text }) => ({ text, stems: stemsIn(text) }));
  const questions = spec.edgeCases.filter(({ text }) => /\?\W*$/.test(text.trim()) && !/\[/.test(text));
  return questions.flatMap((edge) => {
    const asked = [...stemsIn(edge.text)].filter((word) => !ASKING.has(word));
    const traits = TRAITS.filter((trait) => trait.test(edge.text));
    const fits = answers.filter(({ text }) => traits.every((trait) => trait.test(text)));
    return fits.some(({ stems }) => answered(asked, stems)) ? [] : [unansweredFinding(edge)];
  });
}

/** What makes the case one: an answer has to speak of it as well. */
const TRAITS: readonly RegExp[] = [
  /\b(?:two|both|same|simultaneous\w*|concurrent\w*|at once|at the same time|twice|again|already|second|conflict\w*|duplicates?)\b/i,
  /\b(?:fail\w*|unavailable|offline|down|los[et]s?|interrupt\w*|drops?|breaks?|unreachable|time(?:s|d)? ?out|error\w*|not (?:respond|answer)|crash\w*)\b/i,
  /\b(?:exceed\w*|larger|bigger|longer|more than|over|too (?:large|big|long|many)|max(?:imum)?|limit\w*|at most|up to|full)\b/i,
  /\b(?:no|empty|without|missing|none|zero|lacks?)\b/i,
];

const ASKING = new Set([
  ...stemsIn("happens happen handle handled handling case occurs scenario event tries try attempts behave react"),
]);

function answered(asked: string[], answer: Set<string>): boolean {
  const common = asked.filter((word) => answer.has(word)).length;
  return asked.length <= 2 ? common === asked.length : common >= 3 || common / asked.length >= 0.6;
}

function unansweredFinding(edge: Item): Finding {
  return {
    kind: "missing",
    message: `The edge case only asks, and nothing answers it: "${shortened(edge.text, 120)}"`,
    place: placeAt(edge.line, edge.text),
    weight: weightOf("use", "open"),
    topic: "edge-answer",
    words: edge.text,
  };
}

/** A story of which no requirement speaks at all. Fewer words in common than one would be needed to tell more. */
function untold(spec: SpecDocument): Finding[] {
  const given = spec.requirements.filter((one) => one.given);
  if (given.length < 2) return [];
  const known = new Set(
    spec.statements.filter((one) => !one.owner?.startsWith("US")).flatMap((one) => [...stemsIn(one.text)]),
  );
  return spec.stories.flatMap((story) => {
    const stems = stemsIn(`${story.title} ${story.scenarios.map((one) => one.text).join(" ")}`);
    const title = stemsIn(story.title);
    const placeholder = /^\W*\[/.test(story.title);
    const spoken = shared(title, known).length > 0 || shared(stems, known).length >= 2;
    const referred = given.some((one) => new RegExp(`\\b(?:US-?0*|story )${story.id.slice(2)}\\b`, "i").test(one.text));
    if (placeholder || title.size === 0 || spoken || referred) return [];
    const finding: Finding = {
      kind: "missing",
      message: `No requirement speaks of User Story ${story.id.slice(2)} "${story.title}".`,
      place: placeAt(story.line, story.title),
      weight: weightOf("scope", "likely"),
      topic: `untold-${story.id}`,
      owner: story.id,
    };
    return [finding];
  });
}
