import type { Field, Json, Resource, Summary } from "../descriptor.ts";
import type { Row } from "./backend.ts";
import { nameWords } from "./format.ts";
import { setProperty } from "./json.ts";
import { mockValue } from "./mock-values.ts";
import { fieldValue } from "./record.ts";

export interface Sample {
  resource: Resource;
  /** Made when they are needed. */
  rows: () => Promise<Row[]>;
}

/** Figures that fit the sample records as far as names tell what is counted. */
export async function mockSummary(summary: Summary, samples: Sample[]): Promise<Json> {
  const { result } = summary;
  const words = nameWords(`${summary.id} ${summary.label} ${summary.description ?? ""}`);
  const isCount = result.kind === "map" && /^(integer|number)$/.test(result.item?.kind ?? "");
  const counted = isCount ? await countsBy(words, samples) : undefined;
  if (counted) return counted;
  const place = { seed: summary.id, row: 1, subject: nameWords(summary.label) };
  const value = mockValue(result, place);
  if (result.kind !== "object") return value;
  const stats = { ...(value as Row) };
  for (const field of result.fields ?? []) {
    const count = await rowsNamed(field, samples);
    if (count !== undefined) setProperty<Json>(stats, field.name, count);
  }
  return stats;
}

/** How many records there are of each option of the first enum that the words name. */
async function countsBy(words: string[], samples: Sample[]): Promise<Json | undefined> {
  for (const { resource, rows } of samples) {
    const field = resource.fields.find(({ kind, name }) => {
      const own = nameWords(name);
      return kind === "enum" && own.length > 0 && own.every((word) => words.includes(word));
    });
    if (!field) continue;
    const counts: Row = {};
    const all = await rows();
    for (const { value } of field.options ?? []) {
      const count = all.filter((row) => fieldValue(row, field.name) === value).length;
      setProperty<Json>(counts, String(value), count);
    }
    return counts;
  }
  return undefined;
}

/** `petCount`, `total_pets` and `pets` are the number of pets. */
async function rowsNamed(field: Field, samples: Sample[]): Promise<number | undefined> {
  if (field.kind !== "integer") return undefined;
  const words = nameWords(field.name).filter((word) => !/^(count|total|number|num|of)$/.test(word));
  const name = words.join(" ");
  const counted = samples.find(({ resource }) =>
    [resource.name, resource.plural].some(
      (one) => one === field.name || (name !== "" && nameWords(one).join(" ") === name),
    ),
  );
  return (await counted?.rows())?.length;
}
