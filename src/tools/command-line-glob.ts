import { controlNames } from "./control-files.ts";

/** These show what is in files and do nothing else, whatever the names are that a pattern gives them. */
const readers = ["ls", "cat", "head", "tail", "wc", "grep", "stat", "du"];
/** These as well, unless a file is called like one of their options. */
const carefulReaders = ["rg", "file"];

/** Why a pattern in a command's words can become more than is seen. The command's name comes first. */
export function opacityOfGlob(name: string, pattern: string): string | undefined {
  const isReader = readers.includes(name) || (carefulReaders.includes(name) && /^[^*?[-]/.test(pattern));
  if (!isReader) return "it has a pattern in it that becomes the names of files";
  const parts = pattern.split("/");
  // A pattern with a dot in front may become `..` itself.
  if (parts.some((part) => part === ".." || /^\.[.*?[]/.test(part)))
    return "it has a pattern that can leave the folder";
  if (parts.some(couldNameControlFile)) return "it has a pattern in it that can name Dragoman's or git's own files";
  return undefined;
}

/** Reads a bracket as any character: too much costs a question. */
function couldNameControlFile(part: string): boolean {
  if (!/[*?[]/.test(part)) return false;
  const signs = part.toLowerCase().match(/\[[^\]]*\]|./gs) ?? [];
  return controlNames.some((name) => fits(signs, name));
}

/** The places in the name that the pattern can have come to, sign by sign. */
function fits(signs: string[], name: string): boolean {
  let places = new Set([0]);
  for (const sign of signs) {
    const next = new Set<number>();
    for (const place of places) {
      if (sign === "*") for (let to = place; to <= name.length; to += 1) next.add(to);
      else if (place < name.length && (sign === "?" || sign.length > 1 || sign === name[place])) next.add(place + 1);
    }
    places = next;
  }
  return places.has(name.length);
}
