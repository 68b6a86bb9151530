import { type Action, toolAction, type Unclear } from "./action.ts";
import type { Family, Form } from "./family.ts";
import { fileKinds } from "./file-kinds.ts";
import { trimmed } from "./paths.ts";
import { beforePlace, placeIn } from "./place.ts";
import { searchResult } from "./results.ts";
import { searchAnswer, type Wanted } from "./search-answer.ts";
import { ALL, type Found, SHOW, WHAT_IS, wording } from "./wording.ts";

const USE = "(?:usages?|uses|references?|occurrences?|mentions?|callers?|calls|instances?|imports|appearances?)";
const USED =
  "(?:used|called|referenced|mentioned|imported|invoked|consumed|instantiated|assigned|thrown|emitted|handled)";
const DEFINED = "(?:defined|declared|implemented|coming from|exported)";
const DEFINITION = "(?:definition|declaration|implementation)";
const DOES_USE = "(?:calls?|uses?|imports?|references?|mentions?|depends? on|invokes?|throws?|emits?)";
const HOLDS = `(?:${DOES_USE}|using|importing|mentioning|contains?|containing|have|includes?|including|say)`;
const MARKERS = "(?:TODO|FIXME|HACK|XXX)(?:s|'s)?(?:(?:,| and| or) (?:TODO|FIXME|HACK|XXX)s?)*";
const PLACE = "(?<place> (?:in|inside|within|under|across) .+| here| anywhere| everywhere)?";
const ASK = `(?:find|list|search for|look for|look up|where are|how many|count|are there|do we have|${SHOW}|${WHAT_IS})`;
const THING =
  /^(?:the |an? |all )?(?:text|word|string|phrase|function|method|class|type|variable|symbol|interface|constant|const|enum|component|hook|module|field|property|identifier|regex|regexp|regular expression|pattern|term|keyword) (?=\S)/i;

/** Where a pattern has a `verb` and the request has none, it is only part of a sentence. */
const asking = (pattern: RegExp, means: Wanted["means"], onlyCode = false): Form => ({
  pattern,
  make: (found) => {
    const action = search(found, means, onlyCode);
    const isTerse = pattern.source.includes("?<verb>") && !found.has("verb");
    return action && "run" in action && isTerse ? { ...action, terse: true } : action;
  },
});

export const searching: Family = {
  name: "searching",
  can: "search text, usages and definitions",
  examples: ["where is AgentEvent used?", "search for TODO in src", "which files mention retry?"],
  forms: [
    asking(
      wording`(?:where(?: all| else)?|in (?:which|what) (?:files?|places?)|how often|how many times) (?:is|are|does|do) ${ALL}(?<what>.+?)(?: being)? (?:${USED}|occur|appear)${PLACE}`,
      "name",
    ),
    asking(
      wording`(?:${SHOW} |find (?:out )?)?where ${ALL}(?<what>\S+) (?:is|are|gets?) (?:being )?${USED}${PLACE}`,
      "name",
    ),
    asking(wording`(?:${SHOW} |find (?:out )?)?where ${ALL}(?<what>\S+) (?:is|are) ${DEFINED}${PLACE}`, "definition"),
    asking(
      wording`where (?:do|does|did) (?:we|you|i|anyone|anything|it) (?:use|call|mention|import) (?<what>.+)`,
      "name",
    ),
    asking(wording`where(?: is|'s|s| are) ${ALL}(?<what>.+?) ${DEFINED}${PLACE}`, "definition"),
    asking(wording`(?:is|are) (?:the )?(?<what>\S+) (?:still |ever )?${USED}${PLACE}(?: somewhere| at all)?`, "name"),
    asking(
      wording`(?:does|do) (?:anything|anyone|any file|any code|we) (?:still |ever )?(?:use|call|reference|mention|import) (?<what>.+)`,
      "name",
    ),
    asking(wording`(?<verb>${ASK} )?${ALL}${USE}(?: are there| do we have)? (?:of|to|for) (?<what>.+)`, "name"),
    asking(
      wording`(?:go to|jump to|find|locate|look up|where is|where's|${SHOW}|${WHAT_IS}) (?:the )?${DEFINITION} (?:of|for) (?<what>.+)`,
      "definition",
    ),
    asking(wording`(?:who|what|where|which file) (?:defines|declares|implements|exports) (?<what>.+)`, "definition"),
    asking(wording`(?:who|what) (?:all )?${DOES_USE} (?<what>.+)`, "name"),
    asking(
      wording`(?<verb>(?:which|what|any|${ASK}) )?${ALL}files? (?:(?:that|which|where) )?(?:${HOLDS}|with) (?:the (?:word|text|string) )?(?<what>.+)`,
      "text",
    ),
    asking(
      wording`(?:search|grep|look|scan)(?: through| in| inside)? (?<where>(?:the |this |my |our )?\S+) for (?<what>.+)`,
      "text",
    ),
    asking(wording`(?<verb>search|look|scan|grep) for (?<what>.+)`, "text"),
    asking(wording`(?<verb>grep|rg|ripgrep|search) (?!-)(?<what>.+)`, "text"),
    asking(
      wording`(?<verb>${ASK} )?${ALL}(?<what>${MARKERS})(?: comments?| notes?| items?)?(?: are there| do we have| are left| there are| left)?${PLACE}`,
      "text",
    ),
    asking(wording`find (?:me )?(?:all |every |the |any )?(?<what>.+)`, "text", true),
    asking(
      wording`where(?: is|'s|s) (?:the )?(?<what>[A-Za-z_$][\w$.]*(?:\(\))?)(?: (?:function|class|type|method))?`,
      "name",
    ),
  ],
};

function search(found: Found, means: Wanted["means"], onlyCode: boolean): Action | Unclear | undefined {
  if (/^(?:the )?(?:web|internet|net|google|online)$/i.test(found.masked("where"))) {
    return { hint: "There is no network here: only the files of the workspace can be searched." };
  }
  const { words, ...where } = whereIn(found);
  const thing = THING.exec(words)?.[0] ?? "";
  const piece = found.part(words.slice(thing.length));
  const query = queryOf(piece, means, /reg|pattern/i.test(thing));
  if (!query || (onlyCode && thing === "" && !isCode(piece, query.query))) return undefined;
  const { what, ...args } = query;
  const titles = {
    text: `Search for ${what}`,
    name: `Find where ${what} is used`,
    definition: `Find where ${what} is defined`,
  };
  return toolAction({
    name: "search",
    title: titles[means],
    args: { ...args, ...where },
    result: searchResult,
    answer: (result) => searchAnswer({ what, means }, result),
  });
}

/** The place is a group of its own or at the end of what is looked for; "in TypeScript files" is one too. */
function whereIn(found: Found): { words: string; path?: string; glob?: string } {
  const masked = found.masked("what");
  const said = found.has("place") ? found.masked("place") : found.has("where") ? ` in ${found.masked("where")}` : "";
  const inKind = / (?:in|inside|within|across) (?:all |any )?(?:the |my |our )?(?<kind>[^ ]+)(?: files)?$/i;
  const kindAt = inKind.exec((masked + said).slice(-100));
  const kind = kindAt && / files$|\*/.test(kindAt[0]) ? fileKinds(kindAt.groups?.kind ?? "") : undefined;
  if (kind) return { words: (masked + said).slice(0, -(kindAt?.[0].length ?? 0)), glob: kind.glob };
  if (said !== "") {
    const place = placeIn(found.part(said), "part");
    return place ? at(masked, place.path) : { words: masked + (found.has("place") ? said : "") };
  }
  const { words, place } = beforePlace(masked, found);
  return at(words, place);
}

function at(words: string, path: string | undefined): { words: string; path?: string } {
  return path === undefined || path === "." ? { words } : { words, path };
}

/** A definition may come after many uses. */
const MOST_LOOKED_AT = 5000;

interface Query {
  what: string;
  query: string;
  regex?: true;
  caseSensitive?: true;
  wholeWord?: true;
  limit?: number;
}

function queryOf(piece: Found, means: Wanted["means"], isRegex: boolean): Query | undefined {
  const literal = piece.literal("part");
  const what = literal ? literal.content : trimmed(piece.text("part")).trim();
  const either = literal ? undefined : eitherOf(piece);
  if (either) return { what, query: either, regex: true };
  // A quotation among other words: those would be searched for as well, which nobody means.
  if (what === "" || (!literal && piece.masked("part").includes("\uE000"))) return undefined;
  if (literal?.kind === "regex") {
    const ignoresCase = literal.raw.slice(literal.raw.lastIndexOf("/")).includes("i");
    return { what: literal.raw, query: what, regex: true, ...(ignoresCase ? {} : { caseSensitive: true }) };
  }
  if (isRegex) return { what, query: what, regex: true };
  if (means === "text") return { what, query: literal ? what : withoutPlural(what) };
  const name = what.replace(/\(\)$/, "");
  if (!literal && !/^[\w$#@.:/-]+$/.test(name)) return undefined;
  if (/^(?:it|this|that|everything|everyone|he|she|they|you|me|we|there|here)$/i.test(name)) return undefined;
  const args = {
    query: name,
    caseSensitive: true as const,
    ...(/^\w+$/.test(name) ? { wholeWord: true as const } : {}),
  };
  return { what: name, ...args, ...(means === "definition" ? { limit: MOST_LOOKED_AT } : {}) };
}

/** "TODO and FIXME", "foo or bar", with or without quotes: either of them. */
function eitherOf(piece: Found): string | undefined {
  const masked = trimmed(piece.masked("part"));
  if (!/^[\w$\uE000\uE001]+(?:(?:, and |, or |, | and | or )[\w$\uE000\uE001]+){1,5}$/.test(masked)) return undefined;
  return masked
    .split(/, and |, or |, | and | or /)
    .map((word) => withoutPlural(piece.part(word).text("part")).replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("|");
}

const withoutPlural = (word: string) => word.replace(/^(TODO|FIXME|HACK)(?:s|'s)$/i, "$1");

/** "find bugs" is no search for a word, "find parseArgs" is. */
function isCode(piece: Found, query: string): boolean {
  if (piece.literal("part")) return true;
  return (
    /^\S+$/.test(query) &&
    (/[a-z][A-Z]|[_$(){}<>=#@]|^[A-Z][A-Z\d_]+$|\w\.\w/.test(query) || /^[A-Z]\w*[a-z][A-Z]/.test(query))
  );
}
