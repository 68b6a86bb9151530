import type { DocumentName, Place } from "../documents.ts";

const LONGEST_QUOTE = 120;

/** A place with the words that stand there. Line 0 is the document as a whole. */
export function placeIn(document: DocumentName, lines: readonly string[], line: number): Place {
  const words = (lines[Math.max(1, line) - 1] ?? "").replace(/\s+/g, " ").trim();
  return { document, line: Math.max(1, line), quote: shortened(words, LONGEST_QUOTE) };
}

/** Cut at a word, so that no character is torn apart. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > most / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.–—-]+$/, "")}…`;
}

/** "T001, T002 and T003"; of many, the first and how many more. `count` is how many there are, if not all are given. */
export function listed(ids: readonly string[], most = 8, count = ids.length): string {
  const shown = count > most ? [...ids.slice(0, most - 1), `${count - most + 1} more`] : [...ids];
  const last = shown.pop() ?? "";
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}

export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
