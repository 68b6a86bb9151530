export interface Sentence {
  text: string;
  /** Where it begins in the text it was taken from. */
  at: number;
}

const STOP = /[.!?][)"'”’*_\]]{0,3}\s+(?=[\p{Lu}\p{N}"“'([*`])/gu;
const ABBREVIATION =
  /(?:\b(?:e\.g|i\.e|etc|vs|approx|incl|resp|cf|no|max|min|Mr|Mrs|Dr|St|a\.m|p\.m)|^\d{1,3}|\s[A-Z])\.$/;

/** Cuts prose into its sentences; abbreviations and numbers with a point end none. */
export function sentencesIn(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  const cut = (end: number, next: number): void => {
    if (text.slice(from, end).trim()) sentences.push({ text: text.slice(from, end).trim(), at: from });
    from = next;
  };
  for (const stop of text.matchAll(STOP)) {
    const mark = stop.index + 1;
    if (text[stop.index] === "." && ABBREVIATION.test(text.slice(Math.max(from, mark - 8), mark))) continue;
    cut(stop.index + stop[0].trimEnd().length, stop.index + stop[0].length);
  }
  cut(text.length, text.length);
  return sentences;
}
