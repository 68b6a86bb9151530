import type { Resource } from "../kit/descriptor.ts";
import { type Near, stems } from "./nearness.ts";
import type { Choice } from "./understood.ts";
import type { FoundAction, FoundField, FoundOption, Vocabulary } from "./vocabulary.ts";

/** What a request is about beside its own words. */
export interface Talk {
  vocabulary: Vocabulary;
  /** "everywhere", "in all lists" was said. */
  everywhere: boolean;
  /** What was talked about last. */
  recent?: Resource;
}

/** A field of one resource, or of all that have it. */
export interface Meant {
  /** None: of all that have it. */
  resource?: Resource;
  found: FoundField;
  /** Where others write its name in another way: theirs. */
  spelled?: FoundField[];
}

const MOST_OPTIONS = 6;

const aboutAll =
  /^(?:everything|all|(?:all|every)(?: of)?(?: the| them| my)? ?(?:lists?|tables?|resources?|pages?|records?)?|(?:the )?(?:lists|tables)|them(?: all)?|both)$/i;
const articles = /^(?:the|a|an|my|our|its|their|all(?: of)?(?: the)?|each|every|list of)\s+/i;
const listWords =
  /\s+(?:lists?|tables?|pages?|views?|screens?|sections?|tabs?|resources?|records?|rows?|items?|entries)$/i;
const fieldWords = /\s+(?:columns?|fields?|attributes?|propert(?:y|ies)|values?)$/i;
const within = /^(?<field>.+?)\s+(?:in|on|of|for|from|within|to|at)\s+(?<resource>.+)$/i;
const owner = /^(?<resource>.+?)(?:'s|s'|’s)\s+(?<field>.+)$/i;

export const unquoted = (text: string) =>
  text
    .trim()
    .replace(/^["'“”‘’`]+|["'“”‘’`]+$/g, "")
    .trim();

/** Said with "the", or with what kind of thing it is, it is no other thing. */
export const bare = (text: string, kind: RegExp) => {
  let rest = unquoted(text);
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(articles, "").replace(kind, "").trim();
  }
  return unquoted(rest);
};

export const isAll = (text: string) => aboutAll.test(text.trim());

export const inQuotes = (text: string) => `“${unquoted(text).slice(0, 80)}”`;

export const listed = (names: string[], word = "and") =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;

/** One resource by its name; undefined in the value is all of them. */
export function resourceMeant({ vocabulary }: Talk, text: string): Choice<Resource> {
  const near = vocabulary.resourcesNamed(bare(text, listWords));
  if (near.length === 0) return { kind: "none", message: noResource(vocabulary, text) };
  return oneOf(near, text, {
    label: ({ plural }) => plural,
    question: `Which do you mean by ${inQuotes(text)}?`,
  });
}

/** The list that is meant, if one is named; else the only one there is, or the one that was talked about; else that is asked. */
export function listMeant(
  talk: Talk,
  text: string | undefined,
  what: string,
  allowsAll = true,
): Choice<Resource | undefined> {
  const named = text?.trim() ?? "";
  if (talk.everywhere || (named !== "" && isAll(named))) return { kind: "sure", value: undefined };
  if (named !== "" && !/^(?:it|this|that|the (?:list|table|page|view))$/i.test(named))
    return resourceMeant(talk, named);
  const { lists } = talk.vocabulary;
  if (lists.length === 1) return { kind: "sure", value: lists[0] };
  if (lists.length === 0) return { kind: "none", message: "There is no list here." };
  if (talk.recent) return { kind: "sure", value: talk.recent, assumption: recently(talk.recent) };
  const options = optionsFor<Resource | undefined>(lists, ({ plural }) => plural, undefined);
  return { kind: "open", question: `Which list ${what}?`, options: allowsAll ? options : options.slice(0, -1) };
}

const recently = ({ plural }: Resource) => `${plural}, since that is what was talked about`;

/** A field, and of which resource: "the status column in orders", "order status", "status". */
export function fieldMeant(talk: Talk, text: string): Choice<Meant> {
  const { vocabulary } = talk;
  const said = bare(text, fieldWords);
  const near = fieldsSaid(vocabulary, said);
  if (near.length === 0) return { kind: "none", message: noField(talk, text) };
  const fields = near.map(({ it }) => it);
  const [first] = fields;
  const resources = [...new Set(fields.map(({ resource }) => resource))];
  const assumption = first && near[0]?.nearness ? `${inQuotes(said)} is ${inQuotes(first.label)}` : undefined;
  if (first && fields.length === 1)
    return { kind: "sure", value: { resource: first.resource, found: first }, assumption };
  const isSame = first !== undefined && fields.every(({ label }) => label === first.label);
  const all = first && { found: first, spelled: spellings(fields).slice(1) };
  if (isSame && talk.everywhere && all) return { kind: "sure", value: all };
  const recent = fields.filter(({ resource }) => resource === talk.recent);
  if (talk.recent && recent.length === 1 && recent[0])
    return { kind: "sure", value: { resource: talk.recent, found: recent[0] }, assumption: recently(talk.recent) };
  if (
    isSame &&
    all &&
    fields.every(({ resource, field }) => resource.key?.field === field.name || /^id$/i.test(field.name))
  )
    return { kind: "sure", value: all, assumption: `in all lists that have it: ${someOf(resources)}` };
  const isOne = resources.length === 1;
  const choices = fields.map((found) => ({
    label: isOne ? found.label : isSame ? found.resource.plural : `${found.label} in ${found.resource.plural}`,
    value: { resource: found.resource, found } as Meant,
  }));
  const every = isSame && all ? [{ label: allWord(fields.length), value: all }] : [];
  const thing = first && isSame ? inQuotes(first.label) : inQuotes(said);
  const question = isOne
    ? `${first?.resource.plural} have several fields like ${inQuotes(said)}. Which one?`
    : isSame
      ? `${thing} is in ${someOf(resources)}. Where do you mean it?`
      : `Several fields could be ${thing}. Which one?`;
  return { kind: "open", question, options: [...distinct(choices).slice(0, MOST_OPTIONS), ...every] };
}

/** One of each way to write it. */
const spellings = (fields: FoundField[]) =>
  fields.filter(({ field }, at) => fields.findIndex((one) => one.field.name === field.name) === at);

/** Only in that resource. */
export function fieldOf({ vocabulary }: Talk, resource: Resource, text: string): Choice<FoundField> {
  const near = vocabulary.fieldsNamed(bare(text, fieldWords), [resource]);
  if (near.length === 0) return { kind: "none", message: noFieldIn(resource, text) };
  return oneOf(near, text, {
    label: ({ label }) => label,
    question: `${resource.plural} have several fields like ${inQuotes(text)}. Which one?`,
  });
}

/** "name, status and category": each of them in that resource. */
export function fieldsIn(talk: Talk, resource: Resource, text: string): Choice<FoundField[]> {
  return each(namesIn(text), (name) => fieldOf(talk, resource, name));
}

/** Each of several, one after the other; the first question is asked. */
export function each<Part, Value>(parts: Part[], meant: (part: Part) => Choice<Value>): Choice<Value[]> {
  return parts.reduce<Choice<Value[]>>(
    (before, part) => follow(before, (values) => follow(meant(part), (value) => sure([...values, value]))),
    sure([]),
  );
}

const sure = <Value>(value: Value): Choice<Value> => ({ kind: "sure", value });

/** Goes on with what is sure, or for each of the options. */
export function follow<From, To>(choice: Choice<From>, next: (value: From) => Choice<To>): Choice<To> {
  if (choice.kind === "none") return choice;
  if (choice.kind === "sure") {
    const then = next(choice.value);
    const assumptions = [choice.assumption, then.kind === "sure" ? then.assumption : undefined].filter(Boolean);
    return then.kind === "sure" && assumptions.length > 0 ? { ...then, assumption: assumptions.join("; ") } : then;
  }
  const options = choice.options.flatMap(({ label, value }) => {
    const then = next(value);
    return then.kind === "sure" ? [{ label, value: then.value }] : [];
  });
  if (options.length === 0) return next((choice.options[0] as { value: From }).value);
  return { kind: "open", question: choice.question, options };
}

export const namesIn = (text: string) =>
  text
    .split(/\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*|\s*\+\s*)\s*/i)
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** A value of an enumeration, and the field it is one of. */
export function optionMeant({ vocabulary, recent }: Talk, text: string, within?: Resource[]): Choice<FoundOption> {
  const near = vocabulary.optionsNamed(bare(text, fieldWords), within);
  if (near.length === 0) return { kind: "none", message: `There is no value called ${inQuotes(text)}.` };
  const talkedAbout = near.filter(({ it }) => it.resource === recent);
  return oneOf(talkedAbout.length > 0 ? talkedAbout : near, text, {
    label: ({ resource, label, option }) => `${option.label} (${label} of ${resource.plural})`,
    question: `Which ${inQuotes(text)} do you mean?`,
  });
}

const actionWords = /\s+(?:actions?|buttons?|operations?|commands?|menu item|links?)$/i;

export function actionMeant({ vocabulary }: Talk, text: string): Choice<FoundAction> {
  const named = bare(text, actionWords);
  const verb = /^(\p{L}{2,})ing\b/iu;
  const ways = [named, named.replace(verb, "$1"), named.replace(verb, "$1e")];
  const near = ways.map((way) => vocabulary.actionsNamed(way)).find((found) => found.length > 0) ?? [];
  if (near.length === 0) return { kind: "none", message: `There is no action called ${inQuotes(text)}.` };
  return oneOf(near, text, {
    label: ({ resource, action }) => (resource ? `${action.label} (${resource.plural})` : action.label),
    question: `Which action do you mean by ${inQuotes(text)}?`,
  });
}

/** How a person reads of a resource, or of all of them. */
export const placeName = (resource: Resource | undefined) => resource?.plural ?? "all lists";

function oneOf<Value>(
  near: Near<Value>[],
  said: string,
  { label, question }: { label: (value: Value) => string; question: string },
): Choice<Value> {
  const [first] = near;
  if (first && near.length === 1) {
    const isExact = first.nearness === 0;
    return {
      kind: "sure",
      value: first.it,
      ...(isExact ? {} : { assumption: `${inQuotes(said)} is ${inQuotes(label(first.it))}` }),
    };
  }
  const options = distinct(near.map(({ it }) => ({ label: label(it), value: it })));
  return { kind: "open", question, options: options.slice(0, MOST_OPTIONS) };
}

/** Two options that read the same are no choice: what tells them apart is added. */
function distinct<Value>(options: { label: string; value: Value }[]): { label: string; value: Value }[] {
  const seen = new Map<string, number>();
  return options.map(({ label, value }) => {
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return { label: count === 1 ? label : `${label} (${count})`, value };
  });
}

function optionsFor<Value>(resources: Resource[], label: (one: Resource) => string, all: Value) {
  const named = resources.slice(0, MOST_OPTIONS).map((value) => ({ label: label(value), value: value as Value }));
  return [...distinct(named), { label: allWord(resources.length), value: all }];
}

const allWord = (count: number) => (count === 2 ? "Both" : `All ${count} of them`);

const someOf = (resources: Resource[]) => {
  const names = resources.map(({ plural }) => plural);
  return names.length <= 5 ? listed(names) : `${names.slice(0, 4).join(", ")} and ${names.length - 4} more`;
};

/** As a whole, or after the name of its resource, or before it. */
function fieldsSaid(vocabulary: Vocabulary, text: string): Near<FoundField>[] {
  const ways = [...placedIn(vocabulary, text), ...ownedBy(vocabulary, text), ...vocabulary.fieldsNamed(text)];
  const best = Math.min(...ways.map(({ nearness }) => nearness));
  const found = ways.filter(({ nearness }) => nearness === best);
  return found.filter(
    (one, at) =>
      found.findIndex(({ it }) => it.resource === one.it.resource && it.field.name === one.it.field.name) === at,
  );
}

function placedIn(vocabulary: Vocabulary, text: string): Near<FoundField>[] {
  const groups = (within.exec(text) ?? owner.exec(text))?.groups;
  if (!groups) return [];
  const resources = vocabulary.resourcesNamed(bare(groups.resource ?? "", listWords)).map(({ it }) => it);
  return resources.length === 0 ? [] : vocabulary.fieldsNamed(bare(groups.field ?? "", fieldWords), resources);
}

/** "order status": the name of the resource, and then that of the field. */
function ownedBy(vocabulary: Vocabulary, text: string): Near<FoundField>[] {
  const words = text.split(/\s+/);
  return words.slice(1).flatMap((_, at) => {
    const [first, rest] = [words.slice(0, at + 1).join(" "), words.slice(at + 1).join(" ")];
    const owners = vocabulary.resourcesNamed(first).filter(({ nearness }) => nearness === 0);
    return owners.length === 0
      ? []
      : vocabulary.fieldsNamed(
          rest,
          owners.map(({ it }) => it),
        );
  });
}

function noResource(vocabulary: Vocabulary, text: string): string {
  return `There is nothing called ${inQuotes(bare(text, listWords))} here. There are ${someOf(vocabulary.resources)}.`;
}

function noField({ vocabulary }: Talk, text: string): string {
  const groups = (within.exec(bare(text, fieldWords)) ?? owner.exec(bare(text, fieldWords)))?.groups;
  const [resource] = groups ? vocabulary.resourcesNamed(bare(groups.resource ?? "", listWords)) : [];
  if (resource) return noFieldIn(resource.it, groups?.field ?? text);
  return `No list has a field called ${inQuotes(bare(text, fieldWords))}.`;
}

function noFieldIn(resource: Resource, text: string): string {
  const names = resource.fields.map(({ label }) => label);
  const shown = names.length <= 12 ? listed(names) : `${names.slice(0, 11).join(", ")} and ${names.length - 11} more`;
  return `${resource.plural} have no field called ${inQuotes(bare(text, fieldWords))}. They have ${shown}.`;
}

export const hasWords = (text: string) => stems(text).length > 0;
