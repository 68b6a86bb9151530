import { looksLikePath, trimmed } from "./paths.ts";
import { FOLDER, type Found } from "./wording.ts";

const HERE =
  /^(?:here|there|everywhere|anywhere|(?:in |inside |within |of |across |throughout |under |from |at )?(?:all (?:of )?)?(?:the |this |my |our |your )?(?:whole |entire |current |source )?(?:project|repo|repository|workspace|codebase|code base|code|app|folder|directory|dir|root|files?|sources?))$/i;
const IN = new RegExp(
  `^(?:in|inside|within|under|of|from|at|below) (?:the )?(?:${FOLDER} )?(?<path>\\S+?)(?: ${FOLDER}| files?)?$`,
  "i",
);

/** Where, as in " in src", " in the src folder", " here". Nothing said is the whole workspace; other words are no place. */
export function placeIn(found: Found, name: string): { path: string } | undefined {
  const masked = found.masked(name).trim();
  if (masked === "" || HERE.test(masked)) return { path: "." };
  const path = IN.exec(masked)?.groups?.path ?? (/^\S+$/.test(masked) ? masked : undefined);
  if (path === undefined) return undefined;
  const piece = found.part(path);
  const literal = piece.literal("part");
  const said = literal ? literal.content : trimmed(piece.text("part"));
  // A single word may be a folder's name, but a flag is none: `ls -la` is a command.
  if (!literal && (said.startsWith("-") || !/^[\w@.~/()[\]-]+$/.test(said))) return undefined;
  return said === "" ? undefined : { path: withoutSlash(said) };
}

/** The words before a place at the end, and the place. After one word any other is a place, after several it has to look like one. */
export function beforePlace(masked: string, found: Found): { words: string; place?: string } {
  const at = lastPreposition(masked);
  if (at < 0) return { words: masked };
  const rest = masked.slice(at + 1);
  if (HERE.test(rest)) return { words: masked.slice(0, at) };
  const place = placeIn(found.part(rest), "part");
  if (!place) return { words: masked };
  const isQuoted = found.part(IN.exec(rest)?.groups?.path ?? "").literal("part") !== undefined;
  const isNamed = new RegExp(`\\b${FOLDER}\\b`, "i").test(rest);
  const words = masked.slice(0, at);
  const isPlain = isQuoted || isNamed || isFolderByLook(place.path);
  return isPlain || /^\S+$/.test(words) ? { words, place: place.path } : { words: masked };
}

const USUAL_FOLDERS =
  /^(?:\.|src|lib|test|tests|docs|bin|app|apps|packages|scripts|web|server|client|examples?|bench)$/;

/** A word that is a folder even where other words could stand. */
export const isFolderByLook = (path: string) => looksLikePath(path) || USUAL_FOLDERS.test(path);

function lastPreposition(masked: string): number {
  const tail = masked.slice(-300);
  const match = /.* (?=(?:in|inside|within|under|across|throughout|below) |(?:here|everywhere|anywhere)$)/i.exec(tail);
  return match ? masked.length - tail.length + match[0].length - 1 : -1;
}

const withoutSlash = (path: string) => (path.length > 1 ? path.replace(/\/+$/, "") || "/" : path);
