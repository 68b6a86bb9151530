import { firstOperand } from "./command-line-options.ts";
import type { Runs } from "./command-line-program.ts";

type Words = readonly string[];

/** Reads a text as a shell line: the words of each command in it. */
export type ReadLine = (text: string) => string[][];

/** The commands that a program runs in turn, as far as they can be seen in its words. */
export function commandsRunBy(words: Words, runs: Runs, readLine: ReadLine): string[][] {
  switch (runs.how) {
    case "operands":
      return [...split(words, readLine), rest(words, runs)].filter((each) => each.length > 0);
    case "line":
      return readLine(rest(words, runs).join(" "));
    case "script":
      return ofScript(words, runs, readLine);
    case "subcommand":
      return ofSubcommand(words, runs.names, readLine);
    case "after":
      return after(words, runs, readLine);
  }
}

function rest(words: Words, { withValue, skip = 0 }: { withValue?: Words; skip?: number }): string[] {
  let { at } = firstOperand(words, withValue);
  const isAssignment = (word: string | undefined) => word !== undefined && /^\w+=/.test(word);
  while (isAssignment(words[at])) at += 1;
  return words.slice(at + skip);
}

/** `env -S 'a b'` and `npx -c 'a b'`. */
function split(words: Words, readLine: ReadLine): string[][] {
  return words.flatMap((word, at) => {
    if (["-S", "--split-string", "-c", "--call"].includes(word)) return readLine(words[at + 1] ?? "");
    const joined = /^(?:-S|--split-string=|--call=)(.+)$/s.exec(word)?.[1];
    return joined ? readLine(joined) : [];
  });
}

function ofScript(words: Words, { options, withValue }: { options: Words; withValue?: Words }, readLine: ReadLine) {
  const at = words.findIndex((word, index) => index > 0 && (options.includes(word) || /^-[a-z]*c$/.test(word)));
  if (at >= 0) return readLine(words[at + 1] ?? "");
  const file = words.slice(firstOperand(words, withValue).at);
  return file.length > 0 ? [file] : [];
}

function ofSubcommand(words: Words, names: Words, readLine: ReadLine): string[][] {
  const { at } = firstOperand(words);
  return names.includes(words[at] ?? "")
    ? [...split(words, readLine), ...programIn(words.slice(at + 1), readLine)]
    : [];
}

/** More of them in one command are not looked at. */
const MAX_MARKS = 50;

function after(words: Words, { options, until }: { options: Words; until: Words }, readLine: ReadLine): string[][] {
  const marks = words.flatMap((word, at) => (at > 0 && options.includes(word) ? [at] : [])).slice(0, MAX_MARKS);
  return marks.flatMap((at) => {
    const tail = words.slice(at + 1);
    const end = tail.findIndex((each) => until.includes(each));
    return programIn(end < 0 ? tail : tail.slice(0, end), readLine);
  });
}

/** A first word with blanks in it is a line for a shell, as `git rebase -x` takes it. */
function programIn(words: Words, readLine: ReadLine): string[][] {
  const inner = words.slice(firstOperand(words, ["-p", "--package"], 0).at);
  const [first] = inner;
  if (first === undefined) return [];
  return inner.length === 1 || /\s/.test(first) ? readLine(first) : [inner];
}
