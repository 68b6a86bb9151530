/** How the commands are found that a program runs in turn. */
export type Runs =
  /** The rest of its words, after its options (`withValue` take the next word), `skip` operands and assignments. */
  | { how: "operands"; withValue?: readonly string[]; skip?: number }
  /** The same words, read by a shell as one line. */
  | { how: "line"; withValue?: readonly string[]; skip?: number }
  /** The word after one of these options is a line; without such an option its first operand is the program. */
  | { how: "script"; options: readonly string[]; withValue?: readonly string[] }
  /** What stands after its first operand, if that is one of these, and after its options. */
  | { how: "subcommand"; names: readonly string[] }
  /** What stands after each of these options, to the end of the words or one of `until`. */
  | { how: "after"; options: readonly string[]; until: readonly string[] };

/**
 * What is known of a program: when a rule cannot vouch for it by how it begins. A program that is not known is what its words say, a
 * rule may name it.
 */
export interface Program {
  /** Why, however it is called. */
  always?: string;
  /** Options that make it do what a rule for the rest of its words did not mean; see `isOption`. */
  opaqueOptions?: readonly string[];
  /** Where too many options would have to be named: those that are harmless, and every other before `--` is not. */
  knownOptions?: readonly string[];
  /** The same for a program that runs the file named by its first operand: what comes after that is the file's own affair. */
  knownLeadingOptions?: readonly string[];
  /** Of the options before a sub-command those whose value is the next word. */
  leadingWithValue?: readonly string[];
  /** With one of these it needs no operand; without, and without an operand, it reads code from its input. */
  aloneWith?: readonly string[];
  /** Each known sub-command; any other is opaque. Before it, only `knownLeadingOptions`. */
  subcommands?: ReadonlyMap<string, Program>;
  check?(words: readonly string[]): string | undefined;
  runs?: Runs;
}

export const each = (names: string, program: Program): [string, Program][] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, program]);

export const why = {
  changes: "it changes what later commands mean",
  code: "it runs code that is given to it",
  command: "it runs another command",
  elsewhere: "it runs a command somewhere else",
  later: "it runs a command later",
  program: "it is a program from which others can be started",
  files: "it can write files that are not named",
  option: "one of its options can run a command or write a file",
  subcommand: "this use of it can run or change more than is seen",
} as const;
