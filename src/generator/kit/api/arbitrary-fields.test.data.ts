import fc from "fast-check";
import type { Field } from "../descriptor.ts";

const names = [
  "id",
  "name",
  "title",
  "email",
  "created_at",
  "price",
  "status",
  "tags",
  "owner",
  "avatarUrl",
  "code",
  "description",
  "count",
  "__proto__",
  "constructor",
  "ümlaut",
  "a.b",
  "city",
  "x",
];

const fieldName = fc.constantFrom(...names);

const plain = fc.constantFrom<Field["kind"]>(
  "text",
  "longText",
  "boolean",
  "date",
  "dateTime",
  "time",
  "email",
  "url",
  "password",
  "json",
);

/** Bounds that something lies between. */
const numberMore = fc
  .record({
    low: fc.integer({ min: -500, max: 500 }),
    width: fc.integer({ min: 0, max: 2000 }),
    step: fc.constantFrom(undefined, 0.01, 0.5, 1, 5),
    bounds: fc.constantFrom("none", "min", "max", "both", "exclusive"),
  })
  .map(({ low, width, step, bounds }): Partial<Field> => {
    const room = width + 2 * Math.ceil(step ?? 1);
    return {
      step,
      ...(bounds !== "none" && bounds !== "max" ? { min: low } : {}),
      ...(bounds !== "none" && bounds !== "min" ? { max: low + room } : {}),
      ...(bounds === "exclusive" ? { exclusiveMin: true, exclusiveMax: true } : {}),
    };
  });

const textMore = fc.oneof(
  fc.constant<Partial<Field>>({}),
  fc
    .record({ least: fc.nat(60), more: fc.nat(30) })
    .map(({ least, more }) => ({ minLength: least, maxLength: Math.max(1, least + more) })),
  fc
    .constantFrom(
      "^[A-Z]{3}$",
      "^\\d{3}-\\d{4}$",
      "^(foo|ba[rz])+\\.x?$",
      "^#[0-9a-f]{6}$",
      "[^a-z]",
    )
    .map((pattern) => ({ pattern })),
);

const options = fc
  .uniqueArray(fc.oneof(fc.integer(), fc.stringMatching(/^[a-z]{1,8}$/)), {
    minLength: 1,
    maxLength: 5,
  })
  .map((values) => values.map((value) => ({ value, label: `The ${value}` })));

const flags = fc.record({ required: fc.boolean(), nullable: fc.boolean() });

function leaf(): fc.Arbitrary<Field> {
  const kind = fc.oneof(
    plain.map((one): Partial<Field> & Pick<Field, "kind"> => ({ kind: one })),
    textMore.map((more) => ({ kind: "text" as const, ...more })),
    numberMore.map((more) => ({ kind: "number" as const, ...more })),
    numberMore.map(({ step, ...more }) => ({
      kind: "integer" as const,
      ...more,
      step: step && Math.ceil(step),
    })),
    options.map((some) => ({ kind: "enum" as const, options: some })),
  );
  return fc
    .tuple(fieldName, kind, flags)
    .map(([name, more, flag]) => ({ name, label: name, ...more, ...flag }));
}

function branch(inner: fc.Arbitrary<Field>): fc.Arbitrary<Field> {
  const parts = fc.uniqueArray(inner, { selector: ({ name }) => name, maxLength: 4 });
  const variant = fc.tuple(fc.constantFrom("one", "two", "three"), parts);
  const kind = fc.oneof(
    parts.map((fields): Partial<Field> & Pick<Field, "kind"> => ({ kind: "object", fields })),
    fc.tuple(inner, fc.nat(3), fc.nat(3)).map(([item, minItems, more]) => ({
      kind: "list" as const,
      item,
      minItems,
      maxItems: minItems + more,
    })),
    inner.map((item) => ({ kind: "map" as const, item })),
    fc.uniqueArray(variant, { selector: ([value]) => value, minLength: 1 }).map((all) => ({
      kind: "union" as const,
      discriminator: "type",
      variants: all.map(([value, fields]) => ({ value, label: value, fields })),
    })),
  );
  return fc
    .tuple(fieldName, kind, flags)
    .map(([name, more, flag]) => ({ name, label: name, ...more, ...flag }));
}

const shallow = fc.oneof(
  { weight: 3, arbitrary: leaf() },
  { weight: 1, arbitrary: branch(leaf()) },
);

/** Fields of every kind, whose constraints can all be met. */
export const arbitraryFields: fc.Arbitrary<Field[]> = fc.uniqueArray(
  fc.oneof({ weight: 2, arbitrary: shallow }, { weight: 1, arbitrary: branch(shallow) }),
  { selector: ({ name }) => name, maxLength: 6 },
);
