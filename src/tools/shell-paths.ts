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

/** Unless an option (`-e`, `--regexp`, `-f`, `--file`, `--match`, also shortened) already gives it. */
function withoutPattern(words: string[]): string[] {
  if (words.some((word) => /^-[^-]*[ef]|^--[refm]/.test(word))) return words;
  const at = words.findIndex((word) => !word.startsWith("-"));
  return words.filter((_, index) => index !== at);
}

/** `a`, `--file=a`, `-Ia`, `-xIa`, `if=a`, `a:b`, `type=bind,source=a`, `@a`, `x=@a`, `:(top)a`. */
export function pathsInWord(word: string): string[] {
  const pieces = isUrl(word) ? pathsInUrl(word) : [...afterFlags(word), ...word.split(/[=,:;@]/)];
  // The word as it stands, too: behind `--` an option is the name of a file, and `a://b` is one where there is a folder `a:`.
  const marked = pieces.filter((piece) => piece !== word);
  const candidates = [word, ...pieces, ...marked.map(withoutMark)];
  return [...new Set(candidates)].filter(canBePath).map(fromHome);
}

const isUrl = (word: string) => URL_LIKE.test(word);

/** Only this kind leads to a file of ours, and may name a host before it. */
function pathsInUrl(url: string): string[] {
  const path = /^file:\/\/(.*)$/is.exec(url)?.[1];
  return path === undefined ? [] : [path, path.slice(Math.max(path.indexOf("/"), 0))];
}

/** What may be the value of an option: how many flags stand before it, only the program knows. */
function afterFlags(word: string): string[] {
  if (word.startsWith("--")) return [word.replace(/^--[^=]*=?/, "")];
  const flags = /^-[A-Za-z0-9]*/.exec(word)?.[0].length ?? 0;
  return Array.from({ length: Math.max(flags - 1, 0) }, (_, at) => word.slice(at + 2));
}

/** curl's for a file (`x=<a`), and git's for where a path counts from (`:(top)a`, `:^a`). */
const withoutMark = (piece: string) => piece.replace(/^(<|\([^)]*\)|[!^]+)/, "");

const canBePath = (text: string) =>
  text !== "" && text.length <= LONGEST_PATH && !text.includes("\0") && !nowhere.includes(text);

/** As the shell reads it, unless it is quoted, which is a reason to ask as well. */
const fromHome = (path: string) => (/^~(\/|$)/.test(path) ? homedir() + path.slice(1) : path);
