import type { Argument, GraphqlOperation, Model } from "../../normalized-spec.ts";
import { wordsOf } from "../names.ts";
import type { Context } from "./context.ts";
import type { Draft, Drafts } from "./drafts.ts";
import { type KeySlot, keySlots } from "./key-slots.ts";
import { recordIn } from "./mutation-operation.ts";
import { deedOf, type Nouns, type Verb } from "./nouns.ts";
import { signKind } from "./sign-kind.ts";
import { slotName, slotsOf, slotsWithin } from "./slots.ts";
import { fieldsOf } from "./type-table.ts";

/** What a mutation is good for: for a record or a collection of a resource, or for the API as a whole. */
export interface MutationRole {
  mutation: GraphqlOperation;
  draft?: Draft;
  /** It is the usual way to make, change or delete a record. */
  verb?: Verb;
  /** It needs a record, which it names here. */
  key?: KeySlot;
}

export function mutationRoles(context: Context, drafts: Drafts, nouns: Nouns): MutationRole[] {
  const taken = new Set<string>();
  const singletons = new Map(
    drafts.all.filter((draft) => draft.isSingleton).map((draft) => [wordsOf(draft.name).join(" "), draft]),
  );
  return (context.spec.mutations ?? []).map((mutation) => {
    if (signKind(mutation.name) !== undefined) return { mutation };
    const usual = usualRole(context, mutation, drafts, nouns, singletons);
    const seat = usual === undefined ? "" : `${usual.verb} ${usual.draft?.id}`;
    if (usual === undefined || taken.has(seat)) return actionRole(context, mutation, drafts, nouns);
    taken.add(seat);
    return usual;
  });
}

type Singletons = ReadonlyMap<string, Draft>;

function usualRole(
  context: Context,
  mutation: GraphqlOperation,
  drafts: Drafts,
  nouns: Nouns,
  singletons: Singletons,
): MutationRole | undefined {
  const deed = deedOf(mutation.name);
  if (deed === undefined || deed.isBulk) return undefined;
  const { verb, noun } = deed;
  const only = singletons.get(noun.join(" "));
  if (only !== undefined && verb === "update") return { mutation, draft: only, verb };
  const model = nouns.typeOf(noun);
  const draft = model === undefined ? undefined : drafts.homes.get(model.name);
  if (model === undefined || draft === undefined) return undefined;
  const isSure =
    nouns.exactly(noun) === model || isGiven(context, mutation, model) || context.types.isLeaf(mutation.schema);
  if (!isSure) return undefined;
  if (verb === "create") return { mutation, draft, verb };
  const key = keyFor(context, draft, mutation.args);
  return key === undefined ? undefined : { mutation, draft, verb, key };
}

/** Where a mutation takes the key that a resource goes by. */
function keyFor({ types }: Context, draft: Draft, args: Argument[]): KeySlot | undefined {
  return keySlots(types, draft.model, args).find(({ field }) => field === draft.key?.field);
}

/** A mutation that is no usual one belongs to the record that it names, or to the collection of what it gives. */
function actionRole(context: Context, mutation: GraphqlOperation, drafts: Drafts, nouns: Nouns): MutationRole {
  const deed = deedOf(mutation.name);
  const onRecord = deed?.isBulk === true ? undefined : recordAction(context, mutation, drafts, nouns);
  if (onRecord !== undefined) return onRecord;
  const words = wordsOf(mutation.name);
  const home = (model: Model | undefined) => (model === undefined ? undefined : drafts.homes.get(model.name));
  const given = () => givenTypes(context, mutation).flatMap((model) => home(model) ?? [])[0];
  const draft =
    home(nouns.typeOf(deed?.noun ?? words.slice(1))) ?? home(nounWithin(deed?.noun ?? words, drafts, nouns)) ?? given();
  return { mutation, draft };
}

/** The longest words within a name that name a resource. */
function nounWithin(words: string[], drafts: Drafts, nouns: Nouns): Model | undefined {
  for (let length = Math.min(words.length, 5); length > 0; length -= 1) {
    for (let start = words.length - length; start >= 0; start -= 1) {
      const found = nouns.exactly(words.slice(start, start + length));
      if (found !== undefined && drafts.homes.has(found.name)) return found;
    }
  }
  return undefined;
}

/** The types of what a mutation gives, and of what is in it. */
function givenTypes({ types }: Context, { schema }: GraphqlOperation): Model[] {
  const given = types.compositeOf(schema);
  return given === undefined ? [] : [given, ...fieldsOf(given).flatMap(([, part]) => types.compositeOf(part) ?? [])];
}

function isGiven({ types }: Context, { schema }: GraphqlOperation, model: Model): boolean {
  return types.compositeOf(schema)?.name === model.name || recordIn(types, schema, model) !== undefined;
}

function recordAction(
  context: Context,
  mutation: GraphqlOperation,
  drafts: Drafts,
  nouns: Nouns,
): MutationRole | undefined {
  const words = wordsOf(mutation.name).join(" ");
  const candidates = namedTypes(context, mutation, nouns).flatMap((model) => {
    const draft = drafts.homes.get(model.name);
    const key = draft === undefined ? undefined : keyFor(context, draft, mutation.args);
    if (draft === undefined || key === undefined) return [];
    const inName = words.includes(wordsOf(draft.name).join(" ")) ? 2 : 0;
    const given = isGiven(context, mutation, model) ? 1 : 0;
    const score = inName + given + (key.slot.required ? 1 : -2);
    return key.isExplicit || given > 0 || inName > 0 ? [{ mutation, draft, key, score }] : [];
  });
  const best = candidates.sort((one, other) => other.score - one.score)[0];
  return best === undefined || best.score < 1 ? undefined : { mutation, draft: best.draft, key: best.key };
}

/** The types that a mutation could be about: those whose ids it takes, that it is named after, and that it gives. */
function namedTypes(context: Context, mutation: GraphqlOperation, nouns: Nouns): Model[] {
  const slots = slotsOf(mutation.args);
  const names = [...slots, ...slots.flatMap((slot) => slotsWithin(context.types, slot))].map(slotName);
  const byId = names.flatMap((name) => {
    const words = wordsOf(name);
    return words.length > 1 && words.at(-1) === "id"
      ? (nouns.typeOf(words.slice(0, -1)) ?? [])
      : (nouns.typeOf(words) ?? []);
  });
  const words = wordsOf(mutation.name);
  const byName = nouns.typeOf(deedOf(mutation.name)?.noun ?? words.slice(1)) ?? nouns.typeOf(words.slice(0, -1));
  return [...new Set([...byId, ...(byName === undefined ? [] : [byName]), ...givenTypes(context, mutation)])];
}
