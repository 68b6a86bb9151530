/** An id at the start of a statement: `**FR-001**: …`, `[REQ-1] …`, `FR-AUTH-001 - …`, `**NFR-2 (P1)**: …`. */
const ID = "[A-Z][A-Z0-9]{0,9}(?:-[A-Z][A-Z0-9]{0,11}){0,3}[-_.]?\\d{1,4}(?:\\.\\d{1,3}){0,2}[a-z]?";
const LEADING = new RegExp(`^[*_\\[(\\s]{0,6}(${ID})(?=[\\s*_\\]():.–—-]|$)`);

/** Names that look like ids and are none. */
const NAMES =
  /^(?:UTF|SHA|ISO|RFC|MD|AES|RSA|TLS|HTTP|WCAG|H|MP|IPV|EC|ES|S|B|V|Q|COVID|GPT|ASCII|BASE|X|PM|CO|OAUTH|WEB|DAY|WEEK|STEP|PHASE|SECTION)[-_.]?\d/i;

export interface Identified {
  id: string;
  /** What follows the id and its punctuation. */
  rest: string;
}

export function leadingId(text: string): Identified | undefined {
  const found = LEADING.exec(text);
  const id = found?.[1];
  if (!found || !id || (NAMES.test(id) && !/^EC-\d/.test(id)) || !/\d/.test(id)) return undefined;
  const after = text.slice(found[0].length);
  const punctuated = /^[*_\])\s]{0,6}(?:\([^)]{0,40}\)|\[[^\]]{0,40}\])?[*_\s]{0,4}[:.–—-]/.exec(after);
  const bold = /^[*_\])]/.test(after) || found[0].startsWith("*") || found[0].startsWith("[");
  if (!punctuated && !bold && !/[-_]/.test(id)) return undefined;
  return { id, rest: after.slice(punctuated?.[0].length ?? 0).replace(/^[*_\])\s:–—-]+/, "") };
}

export type IdKind = "requirement" | "criterion" | "story" | "edgeCase" | "assumption" | "entity" | "other";

export function kindOfId(id: string): IdKind {
  const prefix = /^[A-Z]+/.exec(id)?.[0] ?? "";
  if (/^(?:SC|KPI|MO|KR)$/.test(prefix)) return "criterion";
  if (/^(?:US|UC|STORY)$/.test(prefix)) return "story";
  if (prefix === "EC") return "edgeCase";
  if (/^(?:A|AS|ASM|ASSUMPTION|DEP|DEPENDENCY)$/.test(prefix)) return "assumption";
  if (prefix === "KE") return "entity";
  if (/^(?:AC|AT|TC|T|Q|OQ|CL|CHK|OOS|NG|P|G|D)$/.test(prefix)) return "other";
  return "requirement";
}

/** Ids that the words refer to: those with a dash and a number, so that "P1" and "HTTP2" are none. */
export function idsIn(text: string): { id: string; at: number }[] {
  const found: { id: string; at: number }[] = [];
  if (!/-\d/.test(text)) return found;
  for (const match of text.matchAll(/\b[A-Z]{2,8}(?:-[A-Z][A-Z0-9]{0,11}){0,3}-\d{1,4}\b/g)) {
    if (!NAMES.test(match[0])) found.push({ id: match[0], at: match.index });
  }
  return found;
}
