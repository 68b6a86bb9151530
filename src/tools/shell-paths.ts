import { homedir } from "node:os";

const URL_LIKE = /^[a-z][a-z0-9+.-]*:\/\//i;
const LONGEST_PATH = 4096;

/** Its words are only said. */
const speakers = ["echo", "printf", "true", "false", ":"];
/** Its first operand is a pattern or a script. */
const patternFirst = ["grep", "egrep", "fgrep", "rg", "ag", "ack", "sed"];
/** Files that are no files. */
const nowhere = ["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"];

/** They look at files and leave them as they are. */
const readers =
  /^(ls|cat|head|tail|wc|grep|egrep|fgrep|rg|stat|file|du|find|diff|cmp|test|\[|\[\[|cd|git (status|diff|log|show|blame|grep|ls-files))$/;

export function onlyReads([program = "", first = ""]: readonly string[]): boolean {
  return readers.test(program) || readers.test(`${program} ${first}`);
}

/** The words of a command that may be paths, in whatever form; the program's own name is none. */
export function pathsIn(words: readonly string[]): string[] {
  const [program = "", ...rest] = words;
  if (speakers.includes(program)) return [];
  const isOwnName = !program.includes("=");
  const operands = patternFirst.includes(program) ? withoutPattern(rest) : rest;
  return [...(isOwnName ? [] : [program]), ...operands].flatMap(pathsInWord);
}

/** Unless an option (`-e`, `--regexp`, `-f`, `--file`, also shortened) already gives it. */
function withoutPattern(words: string[]): string[] {
  if (words.some((word) => /^-[^-]*[ef]|^--[ref]/.test(word))) return words;
  const at = words.findIndex((word) => !word.startsWith("-"));
  return words.filter((_, index) => index !== at);
}

/** `a`, `--file=a`, `-Ia`, `if=a`, `a:b`, `type=bind,source=a`. */
export function pathsInWord(word: string): string[] {
  if (URL_LIKE.test(word)) return word.startsWith("file://") ? [word.slice("file://".length)] : [];
  const whole = word.startsWith("-") ? word.replace(/^(-[^-]|--[^=]*=?)/, "") : word;
  const candidates = [whole, ...whole.split(/[=,:]/)];
  return [...new Set(candidates)].filter(canBePath).map(fromHome);
}

const canBePath = (text: string) =>
  text !== "" && text.length <= LONGEST_PATH && !/[\n\0]/.test(text) && !nowhere.includes(text);

/** As the shell reads it, unless it is quoted, which is a reason to ask as well. */
const fromHome = (path: string) => (/^~(\/|$)/.test(path) ? homedir() + path.slice(1) : path);
