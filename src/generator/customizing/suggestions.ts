import type { Resource } from "../kit/descriptor.ts";
import { readInterface, seen } from "./read-interface.ts";

const MOST = 4;

/** What one could ask for, in words that are understood: of this interface, and not asked for already. */
export function suggestionsIn(code: string): string[] {
  const read = readInterface(code);
  if (!read) return [];
  const { resources } = seen(read.descriptor, read.customizations);
  const [list] = resources.filter(({ lists }) => lists.length > 0);
  const asked = new Set(read.customizations.map(({ change }) => change));
  const general = [
    ...(asked.has("theme") ? [] : ["Dark mode"]),
    ...(asked.has("pageSize") ? [] : ["20 per page"]),
    ...(asked.has("accent") ? [] : ["Make the buttons green"]),
  ];
  return [...(list ? suggestionsFor(list) : []), ...general].slice(0, MOST);
}

function suggestionsFor({ plural, fields, columns, view, order, key }: Resource): string[] {
  const many = plural.toLowerCase();
  const hidden = columns.find((name) => name === key?.field) ?? columns.at(-1);
  const label = (name: string | undefined) => fields.find((field) => field.name === name)?.label.toLowerCase();
  const first = label(columns[0]);
  return [
    ...(view === undefined || view.as === "table" ? [`Show ${many} as cards`] : [`Show ${many} as a table`]),
    ...(order === undefined && first !== undefined ? [`Sort ${many} by ${first}`] : []),
    ...(columns.length > 2 && label(hidden) !== undefined ? [`Hide the ${label(hidden)} column in ${many}`] : []),
  ];
}
