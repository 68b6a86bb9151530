import type { Word, WordPart } from "unbash";
import { hiddenCharacterIn } from "./command-line-characters.ts";

/** A word of a command as the shell will hand it over, as far as that can be told without running anything. */
export interface ReadWord {
  value: string;
  /** Why it is not what is written. */
  opaque?: string;
  /** It is a pattern, and becomes the names of the files that fit it. */
  glob: boolean;
}

type Kind = WordPart["type"];

const notLiteral: Partial<Record<Kind, string>> = {
  SimpleExpansion: "it has a variable in it",
  ParameterExpansion: "it has a variable in it",
  CommandExpansion: "it has the output of another command in it",
  ArithmeticExpansion: "it has arithmetic in it",
  ProcessSubstitution: "it is given the output or input of another command",
  LocaleString: "it has a translated text in it",
  ExtendedGlob: "it has a pattern in it",
  BraceExpansion: "it has a brace expansion in it",
};

// Stands for a character that is quoted: it is in no pattern. A line with private characters is not read at all.
const QUOTED = "\ue000";

/**
 * The parser is believed when it says that a word is no literal, but not blindly when it says that it is one: what is left outside of
 * quotes is looked at again for anything that a shell could expand.
 */
export function readWord(word: Word): ReadWord {
  const parts = word.parts ?? [];
  const bare = word.parts ? parts.map(bareText).join("") : unescaped(word.text);
  const opaque = parts.map(opacity).find(Boolean) ?? leftOver(bare);
  return { value: word.value, opaque, glob: hasGlob(bare) };
}

function opacity(part: WordPart): string | undefined {
  if (notLiteral[part.type]) return notLiteral[part.type];
  switch (part.type) {
    case "DoubleQuoted":
      return part.parts.map(opacity).find(Boolean) ?? leftOverInQuotes(part.text);
    case "Glob":
      return part.parts?.map(opacity).find(Boolean);
    case "AnsiCQuoted":
      return isPlainlyEncoded(part.text) && !hiddenCharacterIn(part.value) ? undefined : "it has an encoded text in it";
    default:
      return undefined;
  }
}

/** Quoted characters are replaced, the rest stands as it is written. */
function bareText(part: WordPart): string {
  if (part.type === "Literal" || part.type === "Glob") return unescaped(part.text);
  return QUOTED;
}

const unescaped = (text: string) => text.replace(/\\\n/g, "").replace(/\\./gs, QUOTED);

function leftOver(bare: string): string | undefined {
  if (/[$`]/.test(bare.replace(/\$$/, ""))) return "it has a variable in it";
  if (/(^|[=:])~/.test(bare)) return "it names a home folder";
  return hasBraces(bare) ? "it has a brace expansion in it" : undefined;
}

function hasGlob(bare: string): boolean {
  const open = bare.indexOf("[");
  return /[*?]/.test(bare) || (open >= 0 && bare.lastIndexOf("]") > open);
}

function hasBraces(bare: string): boolean {
  const open = bare.indexOf("{");
  const within = open < 0 ? "" : bare.slice(open, bare.lastIndexOf("}") + 1);
  return within.includes(",") || within.includes("..");
}

/** A dollar sign before a blank or the end is only itself. */
function leftOverInQuotes(text: string): string | undefined {
  const inner = text.slice(1, -1).replace(/\\./gs, QUOTED);
  return /`|\$[^\s"/.,:;|)]/.test(inner) ? "it has a variable in it" : undefined;
}

/** Shells do not agree on every escape in `$'...'`; on these they do. */
const isPlainlyEncoded = (text: string) => /^\$'([^\\]|\\[\\'"nt])*'$/.test(text);
