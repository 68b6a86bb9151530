import type { Model } from "../../normalized-spec.ts";
import { wordsOf } from "../names.ts";
import type { Context } from "./context.ts";
import type { ListPlace } from "./list-operation.ts";

/**
 * A list of several types that is told which of them it shall give, as GitHub's `search(type: REPOSITORY)`,
 * is a list of each of them that is wanted. Undefined if it is not such a list.
 */
export function memberLists(
  { types }: Context,
  list: ListPlace,
  isWanted: (member: Model) => boolean,
): ListPlace[] | undefined {
  const { item } = list.shape;
  if (item.graphqlKind !== "union" && item.graphqlKind !== "interface") return undefined;
  const members = new Map<string, Model>();
  for (const { ref } of item.unionOf ?? []) {
    const member = types.get(ref);
    if (member !== undefined && isWanted(member)) members.set(wordsOf(member.name).join(""), member);
  }
  for (const { name, schema } of list.args) {
    const choices = types.modelOf(schema);
    if (choices?.graphqlKind !== "enum" || schema.type === "array") continue;
    const found = (choices.enumValues ?? []).flatMap((value) => {
      const member = typeof value === "string" ? members.get(wordsOf(value).join("")) : undefined;
      return member === undefined
        ? []
        : [
            {
              ...list,
              shape: { ...list.shape, item: member },
              constants: { arg: name, value: String(value), on: member.name },
            },
          ];
    });
    if (found.length > 0) return found;
  }
  return undefined;
}
