import type { Model, NormalizedSpec } from "../../normalized-spec.ts";
import { wordsOf } from "../names.ts";
import { singularOf } from "../plurals.ts";
import { calledBy, nameWords } from "./key-slots.ts";

/** Which type a few words name. */
export interface Nouns {
  /** By its name, or by a shorter one that only it goes by: "order" for CommerceOrder. */
  typeOf(words: string[]): Model | undefined;
  /** By its whole name. */
  exactly(words: string[]): Model | undefined;
}

const keyOf = (words: string[]) => singularOf(words.join(" "));

/** Names of all types, and shorter ones of those that are resources. */
export function nounsOf(models: Model[], resources: Model[] = models): Nouns {
  const exact = new Map<string, Model>();
  for (const model of [...resources, ...models]) {
    const name = keyOf(nameWords(model));
    if (!exact.has(name)) exact.set(name, model);
  }
  const short = new Map<string, Model | undefined>();
  for (const model of resources) {
    for (const name of calledBy(model).slice(1).map(keyOf)) short.set(name, short.has(name) ? undefined : model);
  }
  const exactly = (words: string[]) => exact.get(keyOf(words));
  return { exactly, typeOf: (words) => exactly(words) ?? short.get(keyOf(words)) };
}

const verbs = {
  create: /^(create|add|insert|new|register|make)$/,
  update: /^(update|edit|modify|patch|change|save|upsert|set|put)$/,
  remove: /^(delete|remove|destroy|erase)$/,
};

export type Verb = keyof typeof verbs;

export interface Deed {
  verb: Verb;
  /** Of what, in words. */
  noun: string[];
  /** More than one at a time. */
  isBulk: boolean;
}

/** What a mutation's name says that it does: "insert_users_one", "updatePersonById", "issueCreate". */
export function deedOf(name: string): Deed | undefined {
  const words = wordsOf(name);
  const [first = "", last = ""] = [words[0], words.at(-1)];
  const found = (Object.keys(verbs) as Verb[]).map((verb) => ({
    verb,
    before: verbs[verb].test(first),
    after: verbs[verb].test(last),
  }));
  const hit =
    found.find(({ before }) => before) ??
    found.find(({ after, verb }) => after && (verb !== "update" || last === "update"));
  if (hit === undefined || words.length < 2) return undefined;
  const rest = hit.before ? words.slice(1) : words.slice(0, -1);
  const by = rest.indexOf("by", 1);
  const isOne = rest.at(-1) === "one" || by > 0;
  const noun = (by > 0 ? rest.slice(0, by) : rest).filter((word, index) => index === 0 || word !== "one");
  const isMany = noun.some((word) => /^(many|bulk|batch|multiple)$/.test(word));
  const text = noun.join(" ");
  return { verb: hit.verb, noun, isBulk: isMany || (!isOne && singularOf(text) !== text) };
}

/** The types that mutations name by their ids: those are best known by their ids everywhere. */
export function namedById(spec: NormalizedSpec, nouns: Nouns): Set<string> {
  const inputs = new Map(
    spec.models.filter((model) => model.graphqlKind === "input").map((model) => [model.name, model]),
  );
  const found = new Set<string>();
  for (const mutation of spec.mutations ?? []) {
    const inner = mutation.args.flatMap((arg) => Object.keys(inputs.get(arg.schema.ref ?? "")?.properties ?? {}));
    for (const name of [...mutation.args.map((arg) => arg.name), ...inner]) {
      const words = wordsOf(name);
      if (words.at(-1) !== "id") continue;
      const of = words.length > 1 ? words.slice(0, -1) : deedOf(mutation.name)?.noun;
      const type = of === undefined ? undefined : nouns.typeOf(of);
      if (type !== undefined) found.add(type.name);
    }
  }
  return found;
}
