import { lineAt, plain } from "../markdown.ts";
import { sentencesIn } from "../markdown-sentences.ts";
import type { SpecDocument, Statement } from "../spec-document.ts";
import { isBinding } from "./finding.ts";
import { OPEN_MARK, withoutQuoted } from "./words.ts";

/** One sentence of a statement: what contradicts another is a sentence, not the paragraph around it. */
export interface Claim extends Statement {
  /** Its words as they stand, with quotes, marks and what a scenario only supposes blanked out. */
  read: string;
}

/** So many are compared; a longer list is no spec that one reads. */
const MOST_CLAIMS = 3000;

/** What the document claims, sentence by sentence; the introduction and sections of other names claim things too. */
export function claimsIn(spec: SpecDocument): Claim[] {
  const before = known.get(spec);
  if (before) return before;
  const claims = readClaims(spec);
  known.set(spec, claims);
  return claims;
}

/** Several finders read the same document. */
const known = new WeakMap<SpecDocument, Claim[]>();

function readClaims(spec: SpecDocument): Claim[] {
  const claims: Claim[] = [];
  for (const statement of spec.statements) {
    const { block, role } = statement;
    if (block.kind === "heading") continue;
    if (!isBinding(spec, statement) && role !== "overview" && role !== "other") continue;
    if (claims.length >= MOST_CLAIMS) break;
    claims.push(...claimsOf(statement));
  }
  return claims.slice(0, MOST_CLAIMS);
}

function claimsOf(statement: Statement): Claim[] {
  const { block, role } = statement;
  const whole = (role === "scenarios" ? [] : sentencesIn(block.text)).slice(0, 200);
  if (whole.length < 2) return [{ ...statement, read: readable(block.text, role) }];
  return whole.map(({ text, at }) => ({
    ...statement,
    text: plain(text),
    line: lineAt(block, at),
    read: readable(text, role),
  }));
}

function readable(text: string, role: string): string {
  const bare = withoutQuoted(text).replace(OPEN_MARK, " ");
  return role === "scenarios" ? bare.replace(/^\W*given\b.{0,400}?(?=\bwhen\b|\bthen\b)/i, "") : bare;
}
