import { type Action, type ActionEnd, callTool, done } from "./action.ts";
import { code, count } from "./answer.ts";
import type { Family } from "./family.ts";
import { anywhere } from "./file-kinds.ts";
import { grouped } from "./listing.ts";
import { escapeGlob, looksLikePath, trimmed } from "./paths.ts";
import { placeIn } from "./place.ts";
import { type GlobResult, globResult } from "./results.ts";
import { CALLED, type Found, SHOW, wording } from "./wording.ts";

const FIND = `(?:find|locate|look for|search for|where is|where's|wheres|where are|is there|do we have|${SHOW})`;
const PLACE = "(?<place> (?:in|inside|within|under|at) .+| here| anywhere)?";

export const finding: Family = {
  name: "finding",
  can: "find files by name",
  examples: ["find the file config.ts", "where is package.json?"],
  forms: [
    {
      pattern: wording`${FIND} (?:me )?(?:all |any |every |each )?(?:the |a |an |my |our )?files? ${CALLED}(?:like |matching |that match(?:es)? )?(?<name>\S+)${PLACE}`,
      make: (found) => find(found, true),
    },
    {
      pattern: wording`(?:find|locate|which|what|list|show|are there|is there|any) (?:me )?(?:all |any )?(?:the |a |an )?files? (?:(?:that|which) )?(?:are |is |have |has )?(?:called|named|matching|like|match|matches|with the name|ending (?:in|with)|starting with)(?: the)?(?: name)? (?<name>\S+)(?: in (?:their|its|the) (?:file ?)?name)?${PLACE}`,
      make: (found) => find(found, true),
    },
    {
      pattern: wording`(?:find|locate|search for|look for|where is|where's|wheres|is there|do we have|where can i find|where do i find|where are) (?:me )?(?:the |a |an |any |our |my )?(?<name>\S+?)(?: files?)?(?: located| stored| at)?${PLACE}`,
      make: (found) => find(found, false),
    },
  ],
};

/** `named`: it was called a file, so that any word is its name; otherwise only what looks like one. */
function find(found: Found, named: boolean): Action | undefined {
  const place = placeIn(found, "place");
  const literal = found.literal("name");
  const name = literal ? literal.content.trim() : trimmed(found.text("name"));
  if (!place || name === "" || /\s/.test(name) || literal?.kind === "regex") return undefined;
  const isGlob = /[*?]/.test(name);
  if (!named && !isGlob && !looksLikePath(name)) return undefined;
  if (named && /^(?:that|which|with|in|containing|mentioning|using|of|for|is|are)$/i.test(name)) return undefined;
  const pattern = anywhere(isGlob ? name : byName(name));
  const at = place.path === "." ? {} : { path: place.path };
  return {
    name: "glob",
    title: `Find ${name}`,
    args: { pattern, ...at },
    run: async (io) => {
      const exact = await callTool(io, "glob", { pattern, ...at }, globResult);
      if (exact.outcome !== "done") return exact;
      if (exact.result.files.length > 0 || isGlob) return told(name, exact.result);
      // People write readme and mean README.md.
      const inAnyCase = await callTool(io, "glob", { pattern: anyCase(pattern), ...at }, globResult);
      return inAnyCase.outcome === "done" ? told(name, inAnyCase.result) : inAnyCase;
    },
  };
}

const anyCase = (pattern: string) =>
  pattern.replace(/\p{L}/gu, (letter) => {
    const cases = new Set([letter.toLowerCase(), letter.toUpperCase()]);
    return cases.size === 1 ? letter : `[${[...cases].join("")}]`;
  });

function told(name: string, { files, truncated }: GlobResult): ActionEnd {
  const [only] = files;
  if (only === undefined) {
    const summary = `There is no file ${name} here.`;
    return done(`${summary} To look for it in the text of files: ${code(`search for ${name}`)}.`, summary);
  }
  if (files.length === 1) return done(code(only), `${name} is at ${only}.`);
  const summary = `${count(files.length, "file")} fit the name ${name}.`;
  return done(`${summary}\n\n${grouped(files, truncated)}`, summary);
}

/** A whole name is meant as it is; a word without an ending may be any part of one. */
function byName(name: string): string {
  const bare = name.replace(/^\.\//, "").replace(/^\//, "");
  if (bare.includes("/")) return `**/${escapeGlob(bare)}`;
  return bare.includes(".") ? escapeGlob(bare) : `*${escapeGlob(bare)}*`;
}
