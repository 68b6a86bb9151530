import type { Scene } from "./action.ts";
import type { Found } from "./wording.ts";
import { IT } from "./wording.ts";

const BARE_NAMES =
  /^(?:readme|license|licence|changelog|contributing|authors|makefile|dockerfile|gemfile|rakefile|procfile|justfile|jenkinsfile|vagrantfile|codeowners)$/i;
const IS_IT = new RegExp(`^${IT}$`, "i");

/** Whether words without quotes are a file's path by their look: a folder, an ending, or a name known to be one. */
export function looksLikePath(text: string): boolean {
  if (/[\s<>|;&$]/.test(text) || text.length > 400) return false;
  if (/^(?:https?|ftp|file|ssh):\/\//i.test(text)) return false;
  if (/^\.{1,2}$|^~\//.test(text)) return true;
  return /[\p{L}\p{N}_\])-]\/|\/[\p{L}\p{N}_.[(@-]|^\.?[^.\s].*\.[a-z][a-z0-9_-]{0,11}$|^\.[a-z][\w.-]*$/iu.test(
    text,
  ) || BARE_NAMES.test(text)
    ? !/^(?:e\.g|i\.e|etc)\.?$/i.test(text)
    : false;
}

/** A path as it was said: quoted, or one by its look, or `it`. `named`: it was called a file, so that any single word will do. */
export function pathIn(found: Found, name: string, scene: Scene, named = false): string | undefined {
  const literal = found.literal(name);
  if (literal) return literal.content.trim() === "" ? undefined : literal.content.trim();
  const text = trimmed(found.text(name));
  if (IS_IT.test(text)) return scene.subject ?? scene.context[0]?.path;
  if (text === "" || /\s/.test(text)) return undefined;
  return named || looksLikePath(text) ? text : undefined;
}

export const isIt = (text: string) => IS_IT.test(text);

/** Punctuation of the sentence is no part of a name in it; a slash at its end says only that it is a folder. */
export function trimmed(text: string): string {
  return text.replace(/^[(,]+/, "").replace(/[),;:!?]{1,5}$/, "");
}

/** A word of a shell line that means exactly this. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A glob that means exactly this name. */
export function escapeGlob(name: string): string {
  return name.replace(/[\\[\](){}!*?|]/g, "\\$&");
}
