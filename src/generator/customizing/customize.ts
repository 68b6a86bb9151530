import { withCustomizations } from "../emitting/customizations.ts";
import type { Customization, Wish } from "../kit/customizing/customization.ts";
import { customized } from "../kit/customizing/customized.ts";
import type { InterfaceDescriptor } from "../kit/descriptor.ts";
import { interpret, notUnderstood, type Said } from "./interpret.ts";
import { type ReadInterface, readInterface, seen } from "./read-interface.ts";
import type { Clear } from "./understood.ts";
import { Vocabulary } from "./vocabulary.ts";

export interface CustomizeRequest {
  /** The code of a generated interface. */
  code: string;
  prompt: string;
  /** What was said before, the oldest first; a question of ours that is answered now is the last of it. */
  history?: Said[];
}

export type Customized =
  | { kind: "changed"; code: string; description: string; assumptions: string[]; wishes: Wish[] }
  | { kind: "question"; question: string; options: string[] }
  /** `isFinal`: whoever else is asked can do no better. */
  | { kind: "declined"; message: string; isFinal: boolean };

const MOST_CUSTOMIZATIONS = 2000;

/** Changes an interface as a person's words say, without a model, and nothing else of it. */
export function customize({ code, prompt, history = [] }: CustomizeRequest): Customized {
  const read = readInterface(code);
  if (!read) return notOurs;
  const undone = takenBack(read, code, prompt);
  if (undone) return undone;
  const vocabulary = new Vocabulary(seen(read.descriptor, read.customizations));
  const { said, understood } = interpret(prompt, history, vocabulary);
  if (!understood || understood.kind === "declined") {
    const { message } = (understood ?? notUnderstood(prompt, vocabulary)) as { message: string };
    return { kind: "declined", message, isFinal: false };
  }
  if (understood.kind === "question") {
    const options = understood.options.map(({ label }) => label);
    return { kind: "question", question: understood.question, options };
  }
  return applied(read, code, said, understood);
}

const notOurs: Customized = {
  kind: "declined",
  message: "This is not the code of an interface that was generated here, so it cannot be changed without a model.",
  isFinal: false,
};

/** The same interface with more wishes. */
export function applied(read: ReadInterface, code: string, request: string, clear: Omit<Clear, "kind">): Customized {
  const { descriptor, customizations } = read;
  const said = request.slice(0, 300);
  const added = clear.wishes.map((wish): Customization => ({ ...wish, said }));
  if (customizations.length + added.length > MOST_CUSTOMIZATIONS)
    return {
      kind: "declined",
      message: `There are ${MOST_CUSTOMIZATIONS} customizations already. Take some back, or generate the interface anew.`,
      isFinal: true,
    };
  const isSo = isUnchanged(descriptor, customizations, added);
  const isSaid = clear.wishes.every((wish) => customizations.some(({ said: _, ...one }) => isSame(one, wish)));
  const assumptions = [...clear.assumptions, ...(isSo ? ["it was so already"] : []), ...notSeen(descriptor, added)];
  const description = `${[...new Set(clear.says)].join(". ")}.`;
  const all = isSo && isSaid ? customizations : [...customizations, ...added];
  return changed(code, all, description, assumptions.map(capitalizedFirst), clear.wishes);
}

function changed(
  code: string,
  customizations: Customization[],
  description: string,
  assumptions: string[],
  wishes: Wish[],
): Customized {
  const after = withCustomizations(code, customizations);
  return after === undefined ? notOurs : { kind: "changed", code: after, description, assumptions, wishes };
}

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

const capitalizedFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether the last change is to be taken back, or all of them. */
export function backWanted(prompt: string): "one" | "all" | undefined {
  const words = prompt.length > LONGEST_BACK ? "" : prompt.trim();
  if (backAll.test(words)) return "all";
  return backOne.test(words) ? "one" : undefined;
}

const LONGEST_BACK = 100;
const backOne =
  /^(?:please )?(?:undo|take (?:it|that) back|revert)(?: (?:it|that|this|the last (?:change|one|edit|request)|my last (?:change|one|edit|request)))?[.!]*$/i;
const backAll =
  /^(?:please )?(?:undo (?:everything|all(?: (?:my|the))?(?: changes| of it)?)|reset(?: (?:everything|all|it|the interface))?|start over|remove all(?: my| the)? customi[sz]ations|back to the original)[.!]*$/i;

function takenBack({ customizations }: ReadInterface, code: string, prompt: string): Customized | undefined {
  const wanted = backWanted(prompt);
  if (!wanted) return undefined;
  const last = customizations.at(-1);
  if (!last)
    return {
      kind: "declined",
      message: "There is nothing to undo: the interface is as it was generated.",
      isFinal: true,
    };
  if (wanted === "all") return changed(code, [], "Everything is as it was generated.", [], []);
  const from = customizations.findLastIndex(({ said }) => said !== last.said) + 1;
  return changed(code, customizations.slice(0, from), `Undone: ${last.said ?? last.change}.`, [], []);
}

/** Whether an interface looks the same with these as without. */
function isUnchanged(descriptor: InterfaceDescriptor, before: Customization[], added: Customization[]): boolean {
  const ids = new Set(added.map((one) => ("resource" in one ? one.resource : undefined)));
  const resources = ids.has(undefined) ? descriptor.resources : descriptor.resources.filter(({ id }) => ids.has(id));
  const looks = (customizations: Customization[]) => {
    const { api, resources: all, settings } = customized({ ...descriptor, resources }, customizations);
    return JSON.stringify([api, settings, all, all.map(({ load }) => load())]);
  };
  // Where it stands among the others is not seen of it alone.
  return looks(before) === looks([...before, ...added]) && !added.some(({ change }) => change === "resourcePlace");
}

const aboutLists = new Set<Wish["change"]>([
  "view",
  "pageSize",
  "order",
  "columns",
  "columnShown",
  "columnPlace",
  "rows",
  "search",
  "filter",
]);

/** What is wished for a list that the API does not have cannot be seen. */
function notSeen({ resources }: InterfaceDescriptor, added: Customization[]): string[] {
  const without = resources.filter((entry) => {
    const isMeant = added.some((one) => aboutLists.has(one.change) && "resource" in one && one.resource === entry.id);
    return isMeant && "lists" in entry && Array.isArray(entry.lists) && entry.lists.length === 0;
  });
  return without.map(({ plural }) => `the API has no list of ${plural}, so there is nothing to see of it yet`);
}
