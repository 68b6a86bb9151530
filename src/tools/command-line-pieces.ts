import type { Assignment, Command, Redirection, Word } from "unbash";
import type { Segment } from "../core/tool.ts";
import { opacityOfGlob } from "./command-line-glob.ts";
import { opacityOf, programName } from "./command-line-opacity.ts";
import { type ReadWord, readWord } from "./command-line-word.ts";

/** A file that a redirect opens, or what may become the name of one: the value of a variable. */
export interface NamedFile {
  path: string;
  writes: boolean;
}

/** A segment, and the files that are named in it elsewhere than in its words. */
export interface Piece extends Segment {
  files: NamedFile[];
}

/** A simple command. `inherited` is what already makes it opaque where it stands, such as a `&` behind it. */
export function pieceOfCommand(command: Command, text: string, inherited?: string): Piece {
  const words = [command.name, ...command.args].flatMap((word) => (word ? [readArgument(word)] : []));
  const assigned = command.prefix.some((part) => part.type === "Assignment");
  const values = words.map(({ value }) => value);
  const opaque =
    inherited ??
    (assigned ? "it sets a variable" : undefined) ??
    words.map((word) => word.opaque ?? opacityIfGlob(word, values)).find(Boolean) ??
    command.redirects.map(opacityOfRedirect).find(Boolean) ??
    opacityOf(values);
  const files = [...command.prefix.flatMap(valuesOf), ...filesOf(command.redirects)];
  return { text, words: values.length > 0 ? values : [text], ...(opaque ? { opaque } : {}), files };
}

/** What stands around commands and does something of its own, such as the redirect of a group. */
export function pieceOfRedirects(redirects: readonly Redirection[], text: string): Piece {
  const opaque = redirects.map(opacityOfRedirect).find(Boolean);
  return { text, words: [text], ...(opaque ? { opaque } : {}), files: filesOf(redirects) };
}

function readArgument(word: Word | Assignment): ReadWord {
  if (word.type === "Word") return readWord(word);
  if (word.value.type === "ArrayValue" || word.index)
    return { value: word.text, opaque: "it sets a list", glob: false };
  const { value, opaque, glob } = readWord(word.value);
  return { value: `${word.name}${word.append ? "+=" : "="}${value}`, opaque, glob };
}

function valuesOf(part: Assignment | Redirection): NamedFile[] {
  if (part.type !== "Assignment") return [];
  const words = part.value.type === "ArrayValue" ? part.value.elements : [part.value];
  return words.map((word) => ({ path: word.value, writes: true }));
}

function opacityIfGlob({ glob, value }: ReadWord, words: string[]): string | undefined {
  // `[` is the name of a command, and `[ -f a ]` has no pattern in it.
  return glob && value !== "[" ? opacityOfGlob(programName(words[0] ?? ""), value) : undefined;
}

function opacityOfRedirect(redirect: Redirection): string | undefined {
  if (redirect.type === "HereDoc" || redirect.type === "HereString") return "it is given a text as its input";
  if (redirect.descriptor?.type === "FileDescriptorVariable") return "it sets a variable";
  if (isHarmless(redirect)) return undefined;
  return redirect.operator === "<" || redirect.operator === "<&" ? "it reads from a file" : "it writes to a file";
}

/** To or from nowhere, or another of the open files. */
function isHarmless(redirect: Extract<Redirection, { type: "Redirect" }>): boolean {
  const text = redirect.target?.text ?? "";
  if (redirect.operator === ">&" || redirect.operator === "<&") return /^(\d{1,2}-?|-)$/.test(text);
  return text === "/dev/null";
}

function filesOf(redirects: readonly Redirection[]): NamedFile[] {
  return redirects.flatMap((redirect) => {
    if (redirect.type !== "Redirect" || !redirect.target || isHarmless(redirect)) return [];
    return [{ path: readWord(redirect.target).value, writes: redirect.operator !== "<" }];
  });
}
