import { lineAt } from "../markdown.ts";
import type { SpecDocument, Statement } from "../spec-document.ts";
import { type Finding, nameOf, placeIn, weightOf } from "./finding.ts";
import { withoutQuoted } from "./words.ts";

/** Words that spec-kit's templates leave to be filled in: `[FEATURE NAME]`, `[Brief Title]`, `[initial state]`. */
const BRACKETED =
  /\[([^\][]{3,200}(?:\[[^\][]{0,80}\][^\][]{0,120}){0,3}|[XYN])\](?![(:[])|<([a-z]{2,20}(?: [a-z]{2,20}){1,4})>/g;
const KNOWN =
  /^(?:feature name|###-feature-name|date|your name|name|title|brief title|entity \d|initial state|action|expected outcome|boundary condition|error scenario|describe |explain |assumption about|dependency on|specific capability|key interaction|data requirement|behaviou?r, e\.g\.|measurable metric|user satisfaction metric|business metric|what it represents|add more |insert |placeholder|[xyn]$|x+$|fill in|how (?:long|many|much|often|large|far)|(?:number|duration|amount|value|time|period|limit|percentage|size|unit|format|currency|channel|method|provider|role|name of)\b[^,.]{0,40}$|company|product name|link|author|owner|role|goal|benefit|specific (?:action|value)|performance metric|e\.g\.|list )/i;
const SHOUTED = /^[A-Z][A-Z0-9 _#/-]{3,60}$/;
const NO_PLACEHOLDER =
  /^(?:NEEDS|CLARIF|OPEN QUESTION|QUESTION|P\d|US\d|[ xX]$|MVP|OPTIONAL|MUST|SHOULD|DEPRECATED|NEW|WIP|[A-Z]{1,6}-\d)/;

/** What is left of the template is nobody's decision. All that one statement has left is one finding. */
export function findPlaceholders(spec: SpecDocument): Finding[] {
  const found = spec.statements.flatMap(placeholderIn);
  return found.length > 12 ? collected(found) : found;
}

function placeholderIn(statement: Statement): Finding[] {
  const { block, role, owner } = statement;
  const isMeta = role === "aside" && block.section.level <= 1;
  if (role === "clarifications" || (role === "aside" && !isMeta)) return [];
  if (!/[[<$]|lorem/i.test(block.text)) return [];
  const text = isMeta ? block.text : withoutQuoted(block.text);
  const hit = [...text.matchAll(BRACKETED)].find(
    ([, inner = "", angled]) => angled !== undefined || isPlaceholder(inner),
  );
  const lorem = /\blorem ipsum\b/i.exec(text);
  if (!hit && lorem) return [finding(statement, lorem[0], lorem.index)];
  if (!hit)
    return /\$ARGUMENTS\b/.test(block.text) ? [finding(statement, "$ARGUMENTS", block.text.indexOf("$ARGUMENTS"))] : [];
  return [finding({ ...statement, owner }, block.text.slice(hit.index, hit.index + hit[0].length), hit.index)];
}

function isPlaceholder(inner: string): boolean {
  const bare = inner.trim();
  if (/^[XYN]$/.test(inner)) return true;
  if (/\b(?:TB[DCA]|to be \w+ed)\b/.test(bare)) return false; // which says so itself
  return !NO_PLACEHOLDER.test(bare) && (KNOWN.test(bare) || SHOUTED.test(bare));
}

function finding({ block, role, owner }: Statement, words: string, at: number): Finding {
  const matters = role === "requirements" || role === "story" || role === "scenarios" || role === "criteria";
  return {
    kind: "missing",
    message: `${nameOf(owner, block.line)} still has the placeholder ${words}.`,
    place: placeIn(block, at, words.length),
    weight: matters ? weightOf("scope", "open") : weightOf("wording", "open"),
    topic: block.line === 1 || lineAt(block, at) < 3 ? "placeholder-title" : "placeholder",
    words,
    owner,
  };
}

/** A template that was hardly filled in needs no list of all its brackets: the first of each part tells it. */
function collected(found: Finding[]): Finding[] {
  const owners = new Set<string>();
  return found.filter(({ owner, topic }) => {
    const key = `${topic} ${owner?.replace(/\d+$/, "") ?? ""}`;
    return !owners.has(key) && owners.add(key) !== undefined;
  });
}
