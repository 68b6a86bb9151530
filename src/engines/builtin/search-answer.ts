import type { Said } from "./action.ts";
import { code, count } from "./answer.ts";
import type { Match, SearchResult } from "./results.ts";

const MOST_MATCHES = 50;
const LONGEST_LINE = 200;

export interface Wanted {
  /** As it is named in the answer. */
  what: string;
  means: "text" | "name" | "definition";
}

const KEYWORDS =
  "function\\*?|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|union|module|mod|namespace|record|object|val|macro_rules!|#define";

/** The line looks like a definition in one of the usual languages. It only looks: no language is parsed. */
function definitionPattern(name: string): string {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return `(?:(?:^|[^\\w$.])(?:${KEYWORDS})\\s+|(?:^|\\s)func\\s+\\([^)]{0,200}\\)\\s*)${escaped}(?![\\w$])`;
}

export function searchAnswer({ what, means }: Wanted, { matches, filesSearched, truncated }: SearchResult): Said {
  const searched = `${count(filesSearched, "file")} searched`;
  if (matches.length === 0) {
    const summary = `${what} was not found anywhere (${searched}).`;
    return { text: summary, summary };
  }
  const amount = amountOf(matches, truncated);
  if (means === "name") return nameAnswer(what, matches, truncated, amount);
  if (means === "definition") return definitionAnswer(what, matches, amount);
  const summary = `Found ${what} in ${amount} (${searched}).`;
  return { text: `${summary}\n\n${lines(matches, MOST_MATCHES, truncated)}`, summary };
}

function amountOf(matches: Match[], truncated: boolean): string {
  const files = new Set(matches.map(({ path }) => path)).size;
  return `${truncated ? "at least " : ""}${count(matches.length, "place")} in ${count(files, "file")}`;
}

function definitionsIn(what: string, matches: Match[]): Match[] {
  const pattern = new RegExp(definitionPattern(what));
  return matches.filter(({ text }) => pattern.test(text.slice(0, 1000)));
}

function definitionAnswer(what: string, matches: Match[], amount: string): Said {
  const definitions = definitionsIn(what, matches);
  const [first] = definitions;
  if (!first) {
    const summary = `No line looks like a definition of ${what}; it is in ${amount}.`;
    return { text: `${summary}\n\n${lines(matches, 10, false)}`, summary };
  }
  const place = definitions.length === 1 ? `${first.path}:${first.line}` : amountOf(definitions, false);
  const summary = `${what} is defined in ${place}.`;
  return { text: `${summary}\n\n${lines(definitions, 20, false)}`, summary };
}

/** Definitions told apart from uses, as far as that shows in a line. */
function nameAnswer(what: string, matches: Match[], truncated: boolean, amount: string): Said {
  const definitions = definitionsIn(what, matches);
  const uses = matches.filter((match) => !definitions.includes(match));
  const summary =
    uses.length === 0 && !truncated
      ? `${what} is defined but used nowhere else.`
      : `${what} is in ${amount}${definitions.length > 0 ? `, ${count(definitions.length, "definition")} among them` : ""}.`;
  const blocks = [
    ...(definitions.length > 0 ? [`**Defined**\n${lines(definitions, 20, false)}`] : []),
    ...(uses.length > 0 ? [`**Used**\n${lines(uses, MOST_MATCHES, truncated)}`] : []),
  ];
  return { text: `${summary}\n\n${blocks.join("\n\n")}`, summary };
}

function lines(matches: Match[], most: number, truncated: boolean): string {
  const shown = matches.slice(0, most).map(({ path, line, text }) => {
    const words = text.trim();
    return `- ${code(`${path}:${line}`)} ${words === "" ? "" : code(words.slice(0, LONGEST_LINE))}`.trimEnd();
  });
  const left = matches.length - shown.length;
  if (left > 0) shown.push(`- ... and ${left}${truncated ? " or more" : ""} others`);
  else if (truncated) shown.push("- ... and others: the search stopped here. Name a folder to see them.");
  return shown.join("\n");
}
