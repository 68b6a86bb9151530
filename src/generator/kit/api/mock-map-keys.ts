import { nameWords } from "./format.ts";
import type { Dice } from "./mock-random.ts";
import { type Words, wordList } from "./mock-words.ts";

const keyRules: [words: RegExp, keys: Words][] = [
  [/ headers? /, wordList("Content-Type, Cache-Control, X-Request-Id")],
  [/ files? /, wordList("README.md, index.ts, notes.txt")],
  [/ (translations?|locales?|languages?|localized) /, wordList("en, de, fr")],
  [/ (currency|currencies|rates|prices) /, wordList("EUR, USD, GBP")],
  [/ (containers?|hosts?|nodes?|servers?|services?|networks?) /, wordList("web-1, api-1, db-1")],
  [
    / (metadata|labels?|annotations?|tags?|options?|settings) /,
    wordList("team, region, environment"),
  ],
];

const usualKeys = wordList("default, primary, secondary");

/** The keys that a map of this name could have: at least two of them. */
export function mapKeysFor(name: string, dice: Dice): string[] {
  const words = ` ${nameWords(name).join(" ")} `;
  const keys = keyRules.find(([pattern]) => pattern.test(words))?.[1] ?? usualKeys;
  return keys.slice(0, dice.between(2, keys.length));
}
