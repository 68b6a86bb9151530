/** Text collected from deltas. It ends at the next event of another kind or at the run's end, so the fold stays pure. */
export interface Block<Kind extends string> {
  kind: Kind;
  text: string;
  /** When its first delta came. */
  at: number;
  /** Of code, as its first delta has it. */
  language: string;
}

/** A longer block is sent in parts, so that a fold never holds more than this. */
export const LONGEST_BLOCK = 64 * 1024;

export interface Collecting<Kind extends string> {
  block?: Block<Kind>;
}

/** Adds a delta, and gives the block that it ended, if any. */
export function collect<Kind extends string>(
  state: Collecting<Kind>,
  kind: Kind,
  delta: { text: string; at: number; language?: string },
): Block<Kind> | undefined {
  const { block } = state;
  if (delta.text === "") return undefined;
  const sameLanguage = delta.language === undefined || delta.language === block?.language;
  if (block?.kind === kind && sameLanguage && block.text.length + delta.text.length <= LONGEST_BLOCK) {
    block.text += delta.text;
    return undefined;
  }
  // The next part of a block that grew too long keeps its language.
  const language = delta.language ?? (block?.kind === kind ? block.language : "");
  state.block = { kind, text: delta.text, at: delta.at, language };
  return block;
}

/** Ends the block under way. */
export function takeBlock<Kind extends string>(state: Collecting<Kind>): Block<Kind> | undefined {
  const { block } = state;
  state.block = undefined;
  return block;
}

/** Code in Markdown. The fence is longer than any in the code. */
export function fenced({ text, language }: Block<string>): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}
