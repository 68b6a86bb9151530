import { type Dice, diceFor, hashOfText } from "./mock-random.ts";
import type { Words } from "./mock-words.ts";

/** Which record of a list it is, so that neighbours get different names. */
export interface MockTurn {
  of: string;
  at: number;
}

/** What a sample value is made from. */
export interface TextSource {
  /** Of the object around the value, so that all its parts can fit together. */
  seed: string;
  dice: Dice;
  /** The words of what it is of: the record, or the object around the field. */
  subject: string[];
  turn?: MockTurn;
  /** There is room for a code, not for a name. */
  isShort?: boolean;
}

/** A word for the name of the object: always the same one for it, and another one for the next. */
export function nameFrom(words: Words, { seed, turn }: TextSource, part = ""): string {
  if (!turn) return diceFor(`${seed}/name/${part}`).pick(words);
  const count = words.length;
  const stride = [7, 5, 11].find((step) => count % step !== 0) ?? 1;
  // The second part of a name shifts on with each round, so that no name comes back.
  const round = part === "second" ? Math.floor(turn.at / count) : 0;
  const index = hashOfText(`${turn.of}/${part}`) + turn.at * stride + round;
  return words[index % count] ?? words[0];
}

/** Something else of the object: a name in it that is not its own. */
export function sourceOfPart(source: TextSource, part: string): TextSource {
  return part === "" ? source : { ...source, seed: `${source.seed}/${part}`, turn: undefined };
}

export function isAbout({ subject }: TextSource, words: RegExp): boolean {
  return words.test(` ${subject.join(" ")} `);
}
