import { textWidth, WIDTH } from "./text-width.ts";

/** As many words on each line as fit. */
export function filledLines(words: string[], indent: string): string[] {
  const lines: string[] = [];
  let line = "";
  let width = 0;
  for (const word of words) {
    const wordWidth = textWidth(word);
    const fits = width + 1 + wordWidth <= WIDTH;
    if (line !== "" && !fits) lines.push(`${line}\n`);
    const startsLine = line === "" || !fits;
    line = startsLine ? indent + word : `${line} ${word}`;
    width = startsLine ? indent.length + wordWidth : width + 1 + wordWidth;
  }
  return line === "" ? lines : [...lines, `${line}\n`];
}
