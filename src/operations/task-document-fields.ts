/** The fields that a task may have below its title, by how people call them. */
export type FieldName =
  | "depends"
  | "blocks"
  | "estimate"
  | "points"
  | "acceptance"
  | "files"
  | "serves"
  | "status"
  | "parallel"
  | "story"
  | "other";

const NAMES: readonly (readonly [FieldName, RegExp])[] = [
  [
    "depends",
    /^(?:depend(?:s|ency|encies)?(?: on)?|blocked (?:by|on)|requires(?: tasks?)?|prerequisites?|prereqs?|predecessors?|after|needs|waits? (?:for|on)|deps)$/,
  ],
  ["blocks", /^(?:(?:un)?blocks|blocking|required by|needed by|enables|successors?)$/],
  ["points", /^(?:(?:story )?points?|sp|pts)$/],
  [
    "estimate",
    /^(?:(?:time |effort |size )?estimat(?:e|ed|ion)(?: (?:time|effort|size|duration|hours?|days?))?(?: ?\([^)]*\))?|effort(?: ?\([^)]*\))?|est|size|t-?shirt(?: size)?|duration|hours|days|time)$/,
  ],
  [
    "acceptance",
    /^(?:acceptance(?: (?:criteria|criterion|tests?|scenarios?|check))?|acs?|done when|done if|definition of done|dod|complete when|criteria|success criteria|verif(?:y|ication)(?: steps?)?|validat(?:e|ion)|expected(?: (?:result|outcome))?|outcome|how to (?:test|verify)|independent test|pass(?:es)? when|test(?:s|ing|ed by| cases?| criteria| scenarios?)?|checks?|exit criteria)$/,
  ],
  [
    "files",
    /^(?:files?(?: (?:to (?:create|modify|change|touch)|paths?|touched|affected))?|paths?|location|target|touches|modifies|creates)$/,
  ],
  [
    "serves",
    /^(?:(?:covers|serves|implements|satisfies|fulfil+s|traces?(?: to)?|addresses|for)(?: requirements?)?|requirements?|reqs?|refs?|references|spec(?: refs?)?|traceability|related requirements?)$/,
  ],
  ["status", /^(?:status|state)$/],
  ["parallel", /^(?:parallel(?:izable)?|can (?:be )?(?:run )?(?:in )?parallel)$/],
  ["story", /^(?:user )?story$/],
];

export interface Field {
  name: FieldName;
  label: string;
  value: string;
}

const LABEL =
  /^[\s>*+•-]*(?:\[[ xX]\]\s*)?(?:\*\*|__|_|\*|`)?([A-Za-z][A-Za-z /()-]{1,32}?)(?:\*\*|__|_|\*)?\s*(?:`[^`]{1,60}`\s*(?:\*\*)?\s*)?(?::|=|—|–)(?:\*\*|__|_|\*)?\s*(.*)$/;
const BARE = /^[\s>*+•-]*?(?:\*\*|__|#{2,6}\s+)([A-Za-z][A-Za-z /()-]{1,32}?)(?:\*\*|__)?\s*$/;
/** Fields that people also write without a colon. */
const SPOKEN = /^[\s>*+•-]*(?:\*\*|_)?(depends on|blocked by|blocks|done when|required by)(?:\*\*|_)?\s+(.+)$/i;

function fieldName(label: string): FieldName | undefined {
  const bare = label.toLowerCase().replace(/[*_`]/g, "").replace(/\s+/g, " ").trim();
  return NAMES.find(([, pattern]) => pattern.test(bare))?.[0];
}

/** The field that a line begins; nothing if it begins none. A label of another name is `other`: it ends the one before. */
export function fieldOf(line: string): Field | undefined {
  const said = SPOKEN.exec(line);
  const [, label, value = ""] = LABEL.exec(line) ?? BARE.exec(line) ?? said ?? [];
  if (label === undefined) return undefined;
  const name = fieldName(label);
  if (name) return { name, label, value: value.trim() };
  if (said) return { name: fieldName(said[1] ?? "") ?? "other", label: said[1] ?? "", value: said[2] ?? "" };
  return /^[\s>*+•-]*\*\*/.test(line) ? { name: "other", label, value } : undefined;
}

/** Several fields on one line, as in "Depends on: T001 | Estimate: 4h" or "**Size**: M · **After**: T002". */
export function fieldsOf(line: string): Field[] {
  const parts = line.trim().startsWith("|")
    ? [line]
    : line.split(/\s+[|·•]\s+|;\s+(?=(?:\*\*)?[A-Za-z][A-Za-z ]{2,20}(?:\*\*)?:)|\s{2,}(?=\*\*[A-Z])/);
  const fields = parts.map((part) => fieldOf(part));
  return fields.flatMap((field) => field ?? []);
}

const EXTENSION =
  /\.(?:[jt]sx?|mjs|cjs|mts|py|pyi|go|rs|java|kts?|swift|rb|php|cs|fs|cpp|cc|c|hpp|h|m|mm|scala|ex|exs|erl|clj|hs|ml|lua|dart|vue|svelte|astro|html?|s?css|sass|less|json[c5]?|ya?ml|toml|ini|env|sql|prisma|graphql|proto|md|mdx|rst|txt|csv|xml|sh|bash|ps1|bat|tf|hcl|gradle|lock|cfg|conf|ipynb|r|jl|zig|nix|http|feature|snap)$/i;
const ROOTS =
  /^(?:\.{1,2}\/)?(?:src|lib|libs|app|apps|tests?|spec|specs|docs?|packages|pkg|cmd|internal|backend|frontend|server|client|api|web|ios|android|services?|scripts|config|infra|migrations|db|public|assets|tools|bench|examples|e2e|\.github)\//;
/** Words after which a path is only looked at. */
const LOOKS =
  /^(?:from|per|see|using|via|matching|against|following|like|of|by|with|imports?|reads?|to|than|runs?|behind|uses?|calls?)$/i;

/** The files that a task says it touches: "in src/a.ts" is touched, "from src/b.ts" or "per plan.md" is not. */
export function filesIn(text: string, field = false): string[] {
  const files: string[] = [];
  let before = "";
  for (const word of text.split(/[\s,;]+/)) {
    const bare = word.replace(/^[`"'(<*[]+/, "").replace(/[`"')>*\].:]+$/, "");
    const looked = !field && LOOKS.test(before) && !/^to$/i.test(before);
    if (isPath(bare) && !looked && !files.includes(bare)) files.push(bare);
    if (/\p{L}/u.test(bare) && !isPath(bare)) before = bare;
  }
  return files;
}

function isPath(word: string): boolean {
  if (word.length < 4 || word.length > 200 || word.includes("://") || !/^[\w./@~[\]$(){}*+-]+$/.test(word))
    return false;
  if (EXTENSION.test(word))
    return (
      /^\.?[\w@[\]./~$(){}-]+$/.test(word) &&
      !/^(?:node|next|vue|express|three|d3|nuxt|react|chart|p5|socket|moment|ember|backbone)\.js$/i.test(word)
    );
  return word.includes("/") && ROOTS.test(word);
}

/** Whether a path names one file rather than a folder or a pattern. */
export const isFile = (path: string): boolean => EXTENSION.test(path) && !/[*{}]/.test(path);

const REQUIREMENT =
  /(?<![\w-])([A-Z]{1,8}(?:-[A-Z][A-Z0-9]{0,11}){0,2})(-?)(\d{1,4}(?:\.\d{1,3})?[a-z]?)(?![\w]|-\d|\.\d)/g;
const UNHYPHENATED = new Set(["FR", "NFR", "SC", "US", "REQ", "EC", "UC", "BR", "AC"]);
const NO_REQUIREMENT = new Set(
  "T TASK TSK UTF SHA AES ISO RFC HTTP TLS RSA CVE PEP BASE MD IPV P WCAG ES H GPT PHASE Q ADR PR GH TS CHK EV V HS RS X ECMA ANSI IEEE COVID KYC ID MP CRC PKCS FIPS UUID CC GDPR SOC PCI RC MB GB KB MS L M S C W".split(
    " ",
  ),
);
const STORY = /\buser story\s*#?(\d{1,3})\b/gi;

/** Ids of requirements, criteria and stories in a text; `FR-001–FR-004`, `FR-001..004` and `FR-001/002` are all of them. */
export function requirementsIn(text: string): string[] {
  const found: string[] = [];
  let last: { head: string; number: string; end: number } | undefined;
  for (const match of text.matchAll(REQUIREMENT)) {
    const [whole, prefix = "", hyphen = "", number = ""] = match;
    if (NO_REQUIREMENT.has(prefix) || (hyphen === "" && !UNHYPHENATED.has(prefix))) continue;
    const head = prefix + hyphen;
    if (last?.head === head && isRange(text.slice(last.end, match.index)))
      found.push(...between(head, last.number, number));
    found.push(whole);
    last = { head, number, end: match.index + whole.length };
    last.end += shortened(text.slice(last.end, last.end + 60), head, number, found);
  }
  for (const [, number] of text.matchAll(STORY)) found.push(`US${Number(number)}`);
  return [...new Set(found)];
}

const isRange = (text: string) => /^\s?(?:-|–|—|to|through|\.{2,3})\s?$/.test(text);

/** `FR-001..004`, `FR-001/002`, `FR-001, 002`: the rest of the list without its prefix. Gives how far it went. */
function shortened(rest: string, head: string, first: string, found: string[]): number {
  let [at, previous] = [0, first];
  for (;;) {
    const next = /^(\s?(?:-|–|—|to|through|\.{2,3}|\/|,\s?|,?\sand\s)\s?)(\d{2,4})(?![\w%.-])/.exec(rest.slice(at));
    const [whole = "", joint = "", number = ""] = next ?? [];
    if (!next || number.length !== first.length) return at;
    if (isRange(joint)) found.push(...between(head, previous, number));
    found.push(head + number);
    at += whole.length;
    previous = number;
  }
}

function between(head: string, first: string, last: string): string[] {
  const [from, to] = [Number(first), Number(last)];
  const ids: string[] = [];
  for (let value = from + 1; value < to && ids.length < 200; value++)
    ids.push(head + String(value).padStart(first.length, "0"));
  return ids;
}
