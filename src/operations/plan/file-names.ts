/** Say nothing in a name: articles, pronouns, auxiliaries, quantities, units. */
const SMALL = words(
  `a an the their its his her own all each every any both no not able must can should shall will may might only also always never
  exactly at least most more less than one two three same new other such last first next previous cannot let allow allows enable make sure ensure there it they them
  these those this mb gb kb tb ms px am pm e g i per once has have had do does did system`,
);
/** What follows these only says how, when, why or for whom. */
const TURNS = words(
  `with by within for from in into on onto after when while before during using via between under through whenever without about
  up out to as so that which who whose whom where if unless until because against across over among upon toward towards based
  larger smaller longer shorter older higher lower better but then followed`,
);
/** Between a subject and what is said of it. */
const STATES = words("be is are was were been being");
/** Where these come first, "of" says what about: "notify people of an answer". */
const TELLS = words("notify inform remind warn tell advise");

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(Boolean));
}

const LIMIT = /^(?:refuse|reject|deny|prevent)s?\s+(?:more than|over|an?\s+([\p{L}-]+)\s+of\s+(?:more than|over))\s+/iu;
/** "add, rename and remove items" manages items. */
const SEVERAL = /^[\p{L}-]+(?:,\s+[\p{L}-]+){1,5},?\s+(?:and|or)\s+\p{L}+\s+/iu;
const PARTICLE = /\b(log|sign|hand|check|opt|set|tick|roll|time|clock)\s(in|out|up|off|back)\b/gi;

/**
 * A name for the file in which something is done, as an engineer would choose it: what is done and to what, in at most
 * `most` words of ASCII; `fallback` where the text gives none.
 */
export function fileName(text: string, fallback: string, most = 4): string {
  const said = text
    .slice(0, 300)
    .replace(/\([^)]{0,200}\)?|[“"”][^“"”]{0,100}[“"”]/g, " ")
    .replace(/\be-(?=mail)/gi, "e")
    .replace(PARTICLE, "$1-$2")
    .replace(/^make sure that\s+/i, "")
    .replace(/^(?:the |this )?(?:system|app|application|service)\s+(\p{L}+?[^s\s])s\s/iu, "$1 ")
    .trim();
  const [subject, rest] = subjectOf(said);
  const plain = rest
    .replace(LIMIT, (_, what: string | undefined) => `limit ${what ? `${what}. ` : ""}`)
    .replace(SEVERAL, "manage ");
  const found = telling(plain, most);
  return joined(found.length === 1 && subject ? [...found, subject] : found) || asName(fallback) || "part";
}

/** "Let team members enter an absence": who does it is no part of the name, unless nothing else is said. */
function subjectOf(said: string): [subject: string, rest: string] {
  const parts = said.split(/\s+/);
  if (!/^(?:let|allow|enable|permit)s?$/i.test(parts[0] ?? "")) return ["", said];
  let from = 1;
  while (/^(?:only|an?|the|all|each|every)$/i.test(parts[from] ?? "")) from++;
  const many = parts.slice(from, from + 3).findIndex((part) => /[^s]s$|^(?:people|staff)$/i.test(part));
  const states = parts.slice(from, from + 4).findIndex((part) => /^(?:have|be)$/i.test(part));
  if (states >= 0 && (many < 0 || states <= many + 1)) return ["", parts.slice(from).join(" ")];
  const end = from + (many < 0 ? 1 : many + 1);
  const subject = (parts[end - 1] ?? "").toLowerCase().replace(/[^a-z]+/g, "");
  return [subject, parts.slice(parts[end]?.toLowerCase() === "to" ? end + 1 : end).join(" ")];
}

const TOKEN = /[a-z][a-z0-9]*(?:-[a-z]+)*|\d+|[,;.:!?](?=\s|$)/g;

function telling(text: string, most: number): string[] {
  const tokens =
    text
      .normalize("NFKD")
      .replace(/\p{M}|['’]s?\b/gu, "")
      .toLowerCase()
      .match(TOKEN) ?? [];
  const begins = /^(?:the|an?|each|every)\s/i.test(text);
  const found: string[] = [];
  for (let at = 0; at < tokens.length && found.length < most; at++) {
    const token = tokens[at] ?? "";
    const isName =
      (found.length > 1 && !LINKS.has(found.at(-1) ?? "")) ||
      (found.length === 1 && (begins || found[0]?.includes("-") === true));
    if (token === "of" && isName && !TELLS.has(found[0] ?? "")) {
      // "the order of the list" is the list order.
      found.splice(-1, 0, ...upTo(tokens.slice(at + 1), Math.min(2, most - found.length), found));
      if (!begins) break;
    } else if (LINKS.has(token) && found.length === 1 && at === 1 && !ends(after(tokens, at))) found.push(token);
    else if (/^(?:and|or)$/.test(token) && found.length === 1 && !isName) at = skipped(tokens, at);
    else if (ends(token) && isName && !(begins && STATES.has(token))) break;
    else if (isTelling(token) && !found.includes(token)) {
      found.push(token);
      if (STATES.has(tokens[at - 1] ?? "")) break;
    }
  }
  return found;
}

/** "share with guests", "import from a page": a verb that leans on its preposition. */
const LINKS = words("with from without to by for");
const after = (tokens: string[], at: number) => tokens.slice(at + 1).find((token) => !SMALL.has(token)) ?? ".";

function upTo(tokens: string[], most: number, found: string[]): string[] {
  const end = tokens.findIndex((token, at) => ends(token) && at > 0);
  return (end < 0 ? tokens : tokens.slice(0, end))
    .filter((one) => isTelling(one) && !found.includes(one))
    .slice(0, most);
}

/** "approve or reject a report": one of the two verbs is enough. */
function skipped(tokens: string[], at: number): number {
  const next = tokens.findIndex((token, index) => index > at && isTelling(token));
  return next < 0 ? at : next;
}

const ends = (token: string) => TURNS.has(token) || STATES.has(token) || /^(?:and|or|of|\d+|\W)$/.test(token);
const isTelling = (token: string) =>
  token.length > 1 && !ends(token) && !SMALL.has(token) && !/[a-z]{4}ly$/.test(token);

function joined(found: string[]): string {
  const name = found.join("-").slice(0, 40).replace(/-+$/, "");
  return name.length > 2 ? name : "";
}

export const asName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
