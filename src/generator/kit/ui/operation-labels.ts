import type { Resource } from "../descriptor.ts";
import { inSentence } from "./in-sentence.ts";

export function createLabel({ create, name }: Resource): string {
  return create?.label ?? `New ${inSentence(name)}`;
}

export function editLabel({ update }: Resource): string {
  return update?.label ?? "Edit";
}

export function removeLabel({ remove }: Resource): string {
  return remove?.label ?? "Delete";
}
