import { firstOperand, isOption } from "./command-line-options.ts";
import { type Program, why } from "./command-line-program.ts";
import { programs } from "./command-line-programs.ts";
import { commandsRunBy, type ReadLine } from "./command-line-runs.ts";

type Words = readonly string[];

const MAX_RUNS = 50;

/** What a program is called whatever its path, its version and, where names have no case, its case: `/usr/bin/Python3.11`. */
export function programName(word: string): string {
  const name = word
    .slice(word.lastIndexOf("/") + 1)
    .toLowerCase()
    .replace(/\.exe$/, "");
  const unversioned = name.replace(/-?\d[\d.]*$/, "");
  return !programs.has(name) && programs.has(unversioned) ? unversioned : name;
}

/** Why no rule can vouch for the command by how it begins, if its words are just what they are. */
export function opacityOf(words: Words): string | undefined {
  const program = programs.get(programName(words[0] ?? ""));
  return program && opacityOfProgram(program, words);
}

function opacityOfProgram(program: Program, words: Words): string | undefined {
  if (program.always) return program.always;
  const { opaqueOptions, knownOptions } = program;
  if (opaqueOptions && words.slice(1).some((word) => isOption(word, opaqueOptions))) return why.option;
  if (knownOptions && !optionsOf(words).every((word) => isKnown(word, knownOptions))) return why.option;
  return program.check?.(words) ?? opacityOfLeading(program, words) ?? opacityOfSubcommand(program, words);
}

function opacityOfLeading({ knownLeadingOptions, aloneWith = [] }: Program, words: Words): string | undefined {
  if (!knownLeadingOptions) return undefined;
  const { options, at } = firstOperand(words);
  if (!options.every((word) => isKnown(word, knownLeadingOptions))) return why.option;
  const hasOperand = at < words.length && words[at] !== "-";
  return hasOperand || options.some((word) => aloneWith.includes(word)) ? undefined : why.code;
}

function opacityOfSubcommand({ subcommands }: Program, words: Words): string | undefined {
  const { at } = firstOperand(words);
  if (!subcommands || at >= words.length) return undefined;
  const program = subcommands.get(words[at] ?? "");
  return program ? opacityOfProgram(program, words.slice(at)) : why.subcommand;
}

function optionsOf(words: Words): string[] {
  const end = words.indexOf("--");
  return words.slice(1, end < 0 ? undefined : end).filter((word) => /^-./.test(word));
}

const isKnown = (word: string, known: Words) => known.includes(word.replace(/=.*$/s, ""));

/** The commands that are run in turn, and those that these run, the first of them at least. */
export function runsOf(words: Words, readLine: ReadLine): string[][] {
  const found: string[][] = [];
  for (let at = -1; at < found.length && found.length < MAX_RUNS; at += 1) {
    const each = at < 0 ? words : (found[at] ?? []);
    const program = programs.get(programName(each[0] ?? ""));
    const runs = program?.runs ? commandsRunBy(each, program.runs, readLine) : [];
    const plain = program ? withoutLeading(program, each) : [];
    found.push(...[...plain, ...runs].slice(0, MAX_RUNS - found.length));
  }
  return found;
}

/** `git -C x push` is a `git push` for whoever denied that. */
function withoutLeading({ subcommands, leadingWithValue }: Program, words: Words): string[][] {
  const { at } = firstOperand(words, leadingWithValue);
  return subcommands && at > 1 && at < words.length ? [[words[0] ?? "", ...words.slice(at)]] : [];
}
