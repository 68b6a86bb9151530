import { createTwoFilesPatch } from "diff";

/** One side of a comparison, and what it is called in it. */
export interface Compared {
  name: string;
  text: string;
}

export interface DiffOrder {
  before: Compared;
  after: Compared;
}

/** The work grows with the square of the lines that differ. Beyond either it is given up. */
export interface DiffLimits {
  lines: number;
  ms: number;
}

/** A unified diff; nothing where the two have too little in common to find it within the limits. */
export function lineDiff({ before, after }: DiffOrder, { lines, ms }: DiffLimits): string | undefined {
  const options = { context: 3, maxEditLength: lines, timeout: ms };
  return createTwoFilesPatch(before.name, after.name, before.text, after.text, undefined, undefined, options);
}
