import { applyPatch, reversePatch, structuredPatch } from "diff";
import { withCustomizations } from "../emitting/customizations.ts";

// What was changed in the code itself, by hand or by a model, goes over into newly generated code as far as its place is still there.

/** Of all that was changed, the parts: each with the lines around it, by which it is found again. */
export type Edits = ReturnType<typeof structuredPatch>;

/**
 * What differs between the code as it was generated and as it is now, but for the customizations, which go over by themselves. Undefined:
 * nothing. So much that it is another text is told as that.
 */
export function editsBetween(generated: string, now: string): Edits | undefined | "another text" {
  const [before, after] = [plain(generated), plain(now)];
  if (before === after) return undefined;
  const edits = structuredPatch("interface.tsx", "interface.tsx", before, after, undefined, undefined, {
    context: 3,
    maxEditLength: MOST_CHANGED,
  });
  if (!edits) return "another text";
  return edits.hunks.length > 0 ? edits : undefined;
}

/** Lines that are added or removed. To find more of them takes long: four times as long for twice as many. */
const MOST_CHANGED = 3000;
/** Lines around an edit that may have changed meanwhile. */
const MAY_DIFFER = 2;

/** Whether nothing but customizations is different. */
export const isSameCode = (one: string, other: string) => plain(one) === plain(other);

const plain = (code: string) => withCustomizations(code, []) ?? code;

export interface Carried {
  code: string;
  /** Those that went over, as they are in the new code. */
  edits?: Edits;
  /** Those that did not: their first line, and why. */
  lost: string[];
}

/** Each edit by itself: one that has lost its place costs no other. */
export function carriedOver(code: string, edits: Edits): Carried {
  let now = code;
  const lost: string[] = [];
  for (const hunk of edits.hunks) {
    const after = applyPatch(now, { ...edits, hunks: [hunk] }, { fuzzFactor: MAY_DIFFER });
    if (after === false) lost.push(`An edit has lost its place: ${firstChange(hunk.lines)}`);
    else now = after;
  }
  const carried = editsBetween(code, now);
  return { code: now, edits: carried === "another text" ? undefined : carried, lost };
}

const firstChange = (lines: string[]) => (lines.find((line) => /^[+-]/.test(line)) ?? "").slice(0, 120);

/** The code without them. */
export function withoutEdits(code: string, edits: unknown): string {
  if (edits === undefined) return code;
  const before = applyPatch(code, reversePatch(edits as Edits));
  return before === false ? code : before;
}
