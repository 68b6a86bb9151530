export const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** A heading and its list, as Markdown; `of` is how many there are where not all are listed. */
export function listed(heading: string, items: string[], of = items.length): string {
  const more = of > items.length ? [`- and ${of - items.length} more`] : [];
  return [heading, ...items.map((item) => `- ${item}`), ...more].join("\n");
}

const LONGEST_PATH = 10;

/** The ids of a way, one after the other; of a long one its beginning and its end. */
export function pathText(ids: string[]): string {
  if (ids.length <= LONGEST_PATH) return ids.join(" → ");
  const shown = LONGEST_PATH / 2;
  return [...ids.slice(0, shown), `${ids.length - shown - 1} more`, ids.at(-1)].join(" → ");
}
