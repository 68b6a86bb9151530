import type { NormalizedSpec } from "../normalized-spec.ts";

/** What a description's own sentences tell about its words. */
export interface Prose {
  /** Whether a word is written in small letters within sentences, so that a capital in a title says nothing: "Order", not "PayPal". */
  isCommon(word: string): boolean;
}

const longest = 600;
const aWord = /(?<![\w/.@:{-])(?:[a-z]{2,}|[A-Z][a-z]+)(?![\w/@:}-])/g;

export function proseOf(spec: NormalizedSpec): Prose {
  let counts: Map<string, number> | undefined;
  return {
    isCommon(word) {
      counts ??= countsIn(spec);
      return (counts.get(word.toLowerCase()) ?? 0) > 0;
    },
  };
}

/** How much more often each word is written small than with a capital. Titles have capitals anyway, so they only count for small ones. */
function countsIn({ endpoints = [] }: NormalizedSpec): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (word: string, by: number): void => {
    counts.set(word, (counts.get(word) ?? 0) + by);
  };
  for (const { summary = "", description = "" } of endpoints) {
    for (const [word] of summary.matchAll(aWord)) if (word === word.toLowerCase()) add(word, 1);
    for (const { 0: word, index } of description.slice(0, longest).matchAll(aWord)) {
      const isFirst = index === 0 || /[.!?:\n*#>]\s*$/.test(description.slice(Math.max(0, index - 3), index));
      if (word === word.toLowerCase()) add(word, 1);
      else if (!isFirst) add(word.toLowerCase(), -1);
    }
  }
  return counts;
}
