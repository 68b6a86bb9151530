import { capitalized, kebabOf, labelOf, wordsOf } from "./names.ts";
import { isPrefix, nounKey, type Step } from "./path-shape.ts";
import { pluralOf, singularOf } from "./plurals.ts";

/** What a resource is known by before names are compared. */
export interface Nameable {
  steps: Step[];
  /** The name of its model. */
  model?: string;
  tag?: string;
  /** What its list, or else its record, is said to be. */
  summary?: string;
  /** Whether there is only one of it. */
  isOnly: boolean;
  /** Whether it has most of what a resource can have. Those get their names first. */
  isFull: boolean;
  /** How many operations it has. */
  weight: number;
}

export interface Named {
  id: string;
  name: string;
  plural: string;
  /** Many, in a word that is enough where it is clear what they belong to. */
  short?: string;
}

/** Names for all, no two the same. They depend on paths and models, not on the order of a description. */
export function namesFor(all: Nameable[], title: string): Map<Nameable, Named> {
  const ordered = inOrderOfWeight(all);
  const ids = distinct(ordered, "-", (one) => idForms(one, title));
  const names = distinct(ordered, " ", (one) => nameForms(one, title));
  return new Map(
    all.map((one) => {
      const name = names.get(one) ?? "";
      const many = (text: string): string => (one.isOnly ? text : pluralOf(text));
      return [
        one,
        { id: ids.get(one) ?? "", name, plural: many(name), short: many(capitalized(nounText(one, title))) },
      ];
    }),
  );
}

/** The first of its forms that no fuller or nearer one has; the last resort is a number. */
function distinct(all: Nameable[], separator: string, formsOf: (one: Nameable) => string[]): Map<Nameable, string> {
  const chosen = new Map<Nameable, string>();
  const taken = new Set<string>();
  for (const one of all) {
    const forms = formsOf(one).filter((form) => form !== "");
    let form = forms.find((candidate) => !taken.has(candidate.toLowerCase()));
    for (let number = 2; form === undefined; number += 1) {
      const numbered = `${forms.at(-1) ?? "resource"}${separator}${number}`;
      if (!taken.has(numbered.toLowerCase())) form = numbered;
    }
    taken.add(form.toLowerCase());
    chosen.set(one, form);
  }
  return chosen;
}

/** Those first that are fuller, nearer and plainer: they get their names before others. */
function inOrderOfWeight(all: Nameable[]): Nameable[] {
  const weighed = all.map((one) => {
    const params = one.steps.filter((step) => step.param !== undefined).length;
    const nouns = nounsOf(one.steps).length;
    // What has nothing to be told apart by keeps its name.
    const isPlain = params === 0 && nouns === 1;
    const path = one.steps.map((step) => step.word ?? "{}").join("/");
    return { one, path, ranks: [Number(!isPlain), Number(!one.isFull), params, nouns, -one.weight] };
  });
  weighed.sort((first, second) => {
    const differing = first.ranks.findIndex((rank, at) => rank !== second.ranks[at]);
    if (differing < 0) return first.path < second.path ? -1 : 1;
    return (first.ranks[differing] ?? 0) - (second.ranks[differing] ?? 0);
  });
  return weighed.map(({ one }) => one);
}

const nounsOf = (steps: Step[]): string[] =>
  steps.flatMap((step) => (step.word === undefined || isPrefix(step.word) ? [] : step.word));

/** Ids keep to the words of the path. What lies below a record has that in its id from the start, so that it never changes. */
function idForms(one: Nameable, title: string): string[] {
  const nouns = nounsOf(one.steps).map(nounKey);
  const own = nouns.at(-1) ?? fallback(one, title);
  const lastParam = one.steps.findLastIndex((step) => step.param !== undefined);
  const parent = nounsOf(one.steps.slice(0, Math.max(0, lastParam))).at(-1);
  const first = parent === undefined || nouns.length < 2 ? own : `${nounKey(parent)}-${own}`;
  const all = one.steps.map((step) => step.word ?? "").join(" ");
  const longer = longerForms(nouns).map((words) => words.join("-"));
  const current = one.isOnly ? `current-${own}` : "";
  return [first, ...(nouns.length > 1 ? [...longer, current] : [current, ...longer]), all].map(kebabOf);
}

function nameForms(one: Nameable, title: string): string[] {
  const nouns = nounsOf(one.steps);
  const own = nounText(one, title);
  const longer = longerForms(nouns.slice(0, -1).map(singularOf)).map((words) => labelOf(words.join(" ")));
  const prefix = one.steps.find((step) => step.word !== undefined && isPrefix(step.word))?.word;
  const isSearch = nouns.at(-2)?.toLowerCase() === "search";
  const first = isSearch ? `${own} search result` : own;
  const param = one.steps.findLast((step) => step.param !== undefined)?.param;
  const current = one.isOnly && param === undefined ? `Current ${small(own)}` : "";
  const byParam = param === undefined ? "" : `${first} by ${small(labelOf(param))}`;
  const withOwners = longer.map((words) => `${words} ${small(own)}`);
  const forms = [
    first,
    ...withOwners,
    current,
    byParam,
    saidIn(one.summary),
    prefix === undefined ? "" : `${first} (${prefix})`,
  ];
  return forms.map((form) => (form === "" ? "" : capitalized(form)));
}

/** "List public repositories" is about a public repository. */
function saidIn(summary: string | undefined): string {
  const said = /^(?:list|get|fetch|retrieve|find|show|browse|view)s? (?:all |the |an? )?(\w+(?: \w+){0,3})$/i.exec(
    summary ?? "",
  );
  return said === null ? "" : labelOf(singularOf(said[1] ?? ""));
}

/** [c], [b, c], [a, b, c], without the first, which is the shortest. */
function longerForms(words: string[]): string[][] {
  return words.map((_, at) => words.slice(words.length - 1 - at)).slice(0, 6);
}

function small(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

const kinds = new Set(
  "public private starred recent popular trending active archived mine pending upcoming featured best top hot deleted closed open latest".split(
    " ",
  ),
);
const oneself = new Set(["me", "self", "myself", "current"]);

/** What one of it is called: as the path says, in the fuller word of the model if the path abbreviates it. */
function nounText(one: Nameable, title: string): string {
  const noun = nounsOf(one.steps).at(-1);
  if (noun === undefined) return labelOf(fallback(one, title));
  const words = wordsOf(noun);
  const model = one.model === undefined ? [] : wordsOf(singularOf(one.model));
  if (words.length === 1 && oneself.has(words[0] ?? "")) {
    return model.length > 0 ? `Current ${labelOf(one.model ?? "").toLowerCase()}` : labelOf(noun);
  }
  const before = nounsOf(one.steps).at(-2);
  const isNext = before !== undefined && one.steps.at(-2)?.word !== undefined;
  if (kinds.has(noun.toLowerCase()) && isNext) return labelOf(`${noun} ${singularOf(before)}`);
  if (words[0] === "by" && words.length > 1 && before !== undefined)
    return labelOf([singularOf(before), ...words].join(" "));
  const known = [one.model, one.tag].map((name) => wordsOf(singularOf(name ?? "")));
  const last = singularOf(words.at(-1) ?? "");
  const fuller = known
    .flat()
    .find((word) => word.length > last.length && last.length > 2 && word.startsWith(last) && word !== `${last}s`);
  if (fuller !== undefined && words.length === 1 && !isWordWithEnding(last, fuller)) return labelOf(singularOf(fuller));
  const told =
    words.length === 1 ? known.map((model) => toldApart(last, model)).find((found) => found !== undefined) : undefined;
  if (told !== undefined) return labelOf(told.join(" "));
  // What there is one of is called as the path says: "metrics", "billing credits".
  return labelOf(one.isOnly ? casedWords(noun) : singularOf(casedWords(noun)));
}

/** The words that are written as one in a path, and not in the name of a model: "apiusage" and "ApiUsage". */
function toldApart(word: string, model: string[]): string[] | undefined {
  for (let from = 0; from < model.length; from += 1) {
    for (let to = from + 2; to <= model.length; to += 1) {
      if (model.slice(from, to).join("") === word) return model.slice(from, to);
    }
  }
  return undefined;
}

/** With spaces between them, so that the last one can be told; acronyms stay as they are. */
function casedWords(noun: string): string {
  return wordsOf(noun).join(" ");
}

/** "order" is not short for "ordering", nor "user" for "username". */
function isWordWithEnding(word: string, longer: string): boolean {
  return word.length > 4 || /^(ing|ed|er|ers|name|id|list|info|data|s|es|y|item|type)$/.test(longer.slice(word.length));
}

function fallback(one: Nameable, title: string): string {
  return one.model ?? one.tag ?? (title === "" ? "record" : title);
}

/** A heading in the navigation: as somebody wrote it, or in words if it is an identifier, without what all of them are. */
export function groupLabel(tag: string): string {
  const isWritten = /\s/.test(tag) || /^[A-Z\d]+$/.test(tag);
  const words = (isWritten ? tag.trim() : labelOf(tag)).split(/\s+/);
  while (words.length > 1 && isPrefix(words[0] ?? "")) words.shift();
  while (words.length > 1 && /^(apis?|controller|endpoints?|operations?)$/i.test(words.at(-1) ?? "")) words.pop();
  return capitalized(words.join(" ")) || tag;
}
