import { leadingId } from "../spec-document-ids.ts";
import { type Finding, shortened } from "./finding.ts";
import { OPEN_MARK } from "./words.ts";

/** How the place is called in a question: its id, or its words. */
export function whereOf(finding: Finding): string {
  const story = /^US(\d+)$/.exec(finding.owner ?? "")?.[1];
  if (story) return `User Story ${story}`;
  const made = finding.owner === undefined || /^[RC]\d+$/.test(finding.owner);
  return made ? `"${quoted(finding.place.quote, 80)}"` : (finding.owner as string);
}

export function quoted(text: string, longest = 120): string {
  const cells = / \| /.test(text) ? text.split("|").sort((a, b) => b.length - a.length) : [text];
  const words = (cells[0] ?? "")
    .replace(/\*\*|`/g, "")
    .trim()
    .replace(/["“”]/g, "'");
  return shortened(words.replace(OPEN_MARK, "…"), longest);
}

/** Without the id in front, where that is named beside it. */
export function withoutId(text: string): string {
  return leadingId(text)?.rest ?? text;
}
