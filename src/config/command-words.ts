import { DragomanError } from "../core/errors.ts";

/** The words of a command as a variable has it: blanks part them, quotes keep what is in them together, and nothing else means anything. */
export function commandWords(line: string): string[] {
  const words: string[] = [];
  const piece = /\s*((?:[^\s"']|"[^"]*"|'[^']*')+)\s*/y;
  while (piece.lastIndex < line.trimEnd().length) {
    const [, word] = piece.exec(line) ?? [];
    if (word === undefined) throw new DragomanError("precondition_failed", "has a quote without an end");
    words.push(word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single));
  }
  return words;
}
