// How much room text takes on a terminal. Terminals differ about emoji; where they do, this says the most that any of them takes,
// since a line that is shorter than thought does no harm, and one that is longer breaks the drawing.

/** Made when there is a use for it: that takes longer than all else that the terminal needs to start. */
let segmenter: Intl.Segmenter | undefined;
const printableAscii = /^[ -~]*$/;
const widthless = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}\u1160-\u11ff]$/u;
const emoji = /^\p{Emoji_Presentation}$/u;
const EMOJI_SELECTOR = 0xfe0f;

/** First and last of the characters that take two columns, besides emoji. */
const wide = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd],
] as const;

/** What a reader takes for one character, each with all that belongs to it. */
export function graphemes(text: string): string[] {
  if (printableAscii.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Columns that text without controls takes. */
export function widthOf(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

function widthOfCharacter(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point === EMOJI_SELECTOR) return 1; // the sign before it was counted as one
  if (point < 0x300) return widthless.test(character) ? 0 : 1;
  if (widthless.test(character)) return 0;
  return emoji.test(character) || wide.some(([first, last]) => point >= first && point <= last) ? 2 : 1;
}

/** The longest beginning that fits. */
export function fitting(text: string, width: number): string {
  if (printableAscii.test(text)) return text.slice(0, Math.max(0, width));
  let room = width;
  let fit = "";
  for (const grapheme of graphemes(text)) {
    room -= widthOf(grapheme);
    if (room < 0) break;
    fit += grapheme;
  }
  return fit;
}

/** Cut to a width, with a sign that it was. */
export function cut(text: string, width: number): string {
  // Only as much is looked at as could fit: the text may be very long.
  const near = Number.isFinite(width) ? text.slice(0, Math.max(0, width) * 8 + 8) : text;
  if (near.length === text.length && widthOf(text) <= width) return text;
  return width < 1 ? "" : `${fitting(near, width - 1)}…`;
}

const TAB = 8;

/** Tabs as the spaces they would be, so that the width is known. */
export function withoutTabs(line: string): string {
  if (!line.includes("\t")) return line;
  let spread = "";
  for (const part of line.split(/(\t)/)) {
    spread += part === "\t" ? " ".repeat(TAB - (widthOf(spread) % TAB)) : part;
  }
  return spread;
}

/** A line in as many rows as it takes, broken anywhere: nothing of it is left out or moved. */
export function rowsOf(line: string, width: number): string[] {
  return rowsCut(line, width, (row) => row.length);
}

/** The same, broken at a space where a row has one in its second half. */
export function rowsAtSpaces(line: string, width: number): string[] {
  return rowsCut(line, width, (row, next) => {
    const space = next === " " ? row.length : row.lastIndexOf(" ") + 1;
    return space > row.length / 2 ? space : row.length;
  });
}

/** `keep` says how much of a full row stays in it, before what comes next; the rest begins the next row. */
function rowsCut(line: string, width: number, keep: (row: string, next: string) => number): string[] {
  const room = Math.max(2, width);
  const rows: string[] = [];
  let row = "";
  let taken = 0;
  for (const grapheme of graphemes(withoutTabs(line))) {
    const more = widthOf(grapheme);
    if (taken + more > room && row !== "") {
      const kept = keep(row, grapheme);
      rows.push(row.slice(0, kept));
      row = row.slice(kept);
      taken = widthOf(row);
    }
    row += grapheme;
    taken += more;
  }
  return [...rows, row];
}

/** A line of prose in rows that break between words; what is set in stays set in. */
export function wordRows(line: string, width: number): string[] {
  const text = withoutTabs(line);
  if (widthOf(text) <= width) return [text];
  const [margin = ""] = /^ */.exec(text) ?? [];
  const indent = margin.length * 2 < width ? margin : "";
  const room = width - indent.length;
  const rows: string[] = [];
  let row = "";
  for (const word of text.slice(margin.length).split(/(?<= )/)) {
    if (widthOf((row + word).trimEnd()) <= room) {
      row += word;
      continue;
    }
    if (row !== "") rows.push(row.trimEnd());
    const parts = rowsOf(word.trimEnd(), room);
    rows.push(...parts.slice(0, -1));
    row = (parts.at(-1) ?? "") + (word.endsWith(" ") ? " " : "");
  }
  return [...rows, row.trimEnd()].map((each) => indent + each);
}
