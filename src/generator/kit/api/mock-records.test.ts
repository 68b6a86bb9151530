import { expect, test } from "vitest";
import type { Field, Resource } from "../descriptor.ts";
import type { Row, ScopeValues } from "./backend.ts";
import { mockBackend } from "./mock-backend.ts";
import { conforms } from "./mock-conforming.ts";
import { field, interfaceOf, operation, owner, petWith } from "./petstore.test.data.ts";
import { keyOf } from "./record.ts";

const everything = { filters: {}, page: 0, pageSize: 100 };
const petOf = (fields: Field[], more: Partial<Resource> = {}) =>
  petWith({ paging: undefined, filters: [] }, { fields, ...more });
const bodyOf = (fields: Field[]) => ({
  body: { mediaType: "application/json", required: true, fields },
});
const putting = (fields: Field[]) => ({
  create: undefined,
  update: operation("putPet", "PUT", "/pets/{petId}", bodyOf(fields)),
});
const posting = (fields: Field[]) => ({
  create: operation("postPet", "POST", "/pets", bodyOf(fields)),
  update: operation("patchPet", "PATCH", "/pets/{petId}", bodyOf([])),
});
const rowsOf = async (resource: Resource, scope: ScopeValues = {}, ...others: Resource[]) =>
  (await mockBackend(interfaceOf(resource, ...others)).list(resource, scope, everything)).rows;

const optionsOf = (...values: (string | number)[]) =>
  values.map((value) => ({ value, label: `${value}` }));

/** Each as it is in a record, and as a form asks for it. */
const asked: [shown: Field, entered: Field][] = [
  [field("rating", "integer"), field("rating", "integer", { min: 30, max: 50, step: 5 })],
  [field("md_ref", "text"), field("md_ref", "text", { pattern: "^e-MD([0-9]{5})$" })],
  [field("description", "longText"), field("description", "text", { maxLength: 12 })],
  [field("kind", "text"), field("kind", "enum", { options: optionsOf("cat", "dog") })],
  [
    field("state", "enum", { options: optionsOf("open", "closed", "merged") }),
    field("state", "enum", { options: optionsOf("open", "closed", "draft") }),
  ],
  [field("price", "number"), field("price", "integer", { max: 3 })],
  [field("start", "text"), field("start", "dateTime")],
  [field("anything", "json"), field("anything", "text", { required: true })],
  [
    field("note", "text", { nullable: true }),
    field("note", "text", { required: true, minLength: 70 }),
  ],
  [
    field("address", "object", { fields: [field("zip", "text"), field("city", "text")] }),
    field("address", "object", {
      fields: [field("zip", "text", { pattern: "^\\d{5}$" }), field("hint", "text")],
    }),
  ],
  [
    field("codes", "list", { item: field("code", "text") }),
    field("codes", "list", { item: field("code", "text", { maxLength: 4 }), minItems: 3 }),
  ],
  [
    field("deep", "list"),
    field("deep", "list", { item: field("part", "integer", { min: 7 }), minItems: 1 }),
  ],
  [
    field("labels", "map", { item: field("value", "text") }),
    field("labels", "map", { item: field("value", "text", { pattern: "^[a-c]{3}$" }) }),
  ],
  [
    field("shape", "union", {
      discriminator: "type",
      variants: [{ value: "circle", label: "Circle", fields: [field("radius", "number")] }],
    }),
    field("shape", "union", {
      discriminator: "type",
      variants: [
        { value: "circle", label: "Circle", fields: [field("radius", "number", { max: 0.5 })] },
      ],
    }),
  ],
];
const key = field("id", "integer");
const shown = [key, ...asked.map(([one]) => one)];
const entered = asked.map(([, one]) => one);

test("every sample record can be saved as it is, although only its form says what it may hold", async () => {
  const resource = petOf(shown, putting(entered));
  const backend = mockBackend(interfaceOf(resource));
  const { rows } = await backend.list(resource, {}, everything);
  const saved = await Promise.all(
    rows.map(({ id, ...body }) =>
      backend.update(resource, {}, String(id), { body }).catch(({ fieldErrors }) => fieldErrors),
    ),
  );

  expect(rows.length).toBe(47);
  expect(saved).toEqual(rows);
});

test("what can only be entered once is as the form for new records asks", async () => {
  const rows = await rowsOf(petOf(shown, posting(entered)));
  const broken = rows.flatMap((row) =>
    entered.filter((one) => !conforms(one, row[one.name] ?? null)).map(({ name }) => name),
  );

  expect(broken).toEqual([]);
});

test("a form changes neither what a record shows nor the kind of it", async () => {
  const fields = [
    key,
    field("number", "integer"),
    field("ownerId", "integer", { relation: { resource: "owner" } }),
    field("size", "enum", { options: optionsOf("S", "M") }),
  ];
  const form = [
    field("number", "text", { maxLength: 1 }),
    field("ownerId", "integer", { writeOnly: true }),
    field("size", "enum", { options: optionsOf(1, 2) }),
    field("password", "password"),
  ];

  expect(await rowsOf(petOf(fields, putting(form)), {}, owner)).toEqual(
    await rowsOf(petOf(fields), {}, owner),
  );
});

const below = (id: string, more: Field[]): Resource => ({
  ...petOf([key, field("title", "text"), ...more]),
  id,
  name: id,
  scopes: [{ param: "repoId", field: field("repoId", "integer") }],
});

test("records below one parent name each other, and those of no parent that they lie below too", async () => {
  const milestone = below("milestone", [field("repoId", "integer")]);
  const issue = below("issue", [
    field("milestoneId", "integer", { relation: { resource: "milestone" } }),
    field("milestone", "object", {
      fields: [key, field("title", "text"), field("repoId", "integer")],
      relation: { resource: "milestone", embedded: true },
    }),
    field("ownerId", "integer", { relation: { resource: "owner" } }),
  ]);
  const backend = mockBackend(interfaceOf(issue, milestone, owner));
  for (const repoId of ["1", "2", "3"]) {
    const { rows } = await backend.list(issue, { repoId }, everything);
    for (const row of rows) {
      const held = row.milestone as Row;
      expect((await backend.get(milestone, { repoId }, `${row.milestoneId}`)).repoId).toBe(
        Number(repoId),
      );
      expect(await backend.get(milestone, { repoId }, `${held.id}`)).toEqual(held);
      expect((await backend.get(owner, {}, `${row.ownerId}`)).id).toBe(row.ownerId);
    }
  }
});

test("a text that names a record with a number for a key is a text", async () => {
  const ownerId = field("ownerId", "text", { relation: { resource: "owner" } });
  const ownerIds = field("ownerIds", "list", {
    item: field("id", "text"),
    relation: { resource: "owner" },
  });
  const held = field("owner", "object", {
    fields: [field("id", "text")],
    relation: { resource: "owner", embedded: true },
  });
  const rows = await rowsOf(petOf([key, ownerId, ownerIds, held]), {}, owner);
  const keys = rows.flatMap((row) => [row.ownerId, (row.owner as Row).id, row.ownerIds].flat());

  expect(keys.filter((one) => typeof one !== "string" || !/^\d+$/.test(one))).toEqual([]);
});

const keyed = (one: Field) => petOf([one], { key: { field: one.name, param: "petId" } });

test("keys are what their field asks for, and where there are no more there are no more records", async () => {
  const keys: [Field, number][] = [
    [field("code", "text", { pattern: "^[A-Z]{2}$" }), 47],
    [field("code", "text", { maxLength: 2 }), 47],
    [field("code", "text", { minLength: 3, maxLength: 3 }), 47],
    [field("slug", "text", { maxLength: 12 }), 47],
    [field("name", "text", { maxLength: 10 }), 47],
    [field("symbol", "text", { pattern: "^[A-Z]{3,5}$" }), 47],
    [field("code", "text", { pattern: "^[xy]$" }), 2],
    [field("kind", "enum", { options: optionsOf("a", "b", "c") }), 3],
    [field("id", "integer", { step: 5 }), 47],
    [field("id", "integer", { min: -10, max: 0 }), 11],
    [field("id", "integer", { min: 0, max: 0 }), 1],
    [field("id", "integer", { max: 0 }), 47],
    [field("id", "integer", { min: 10, max: 20, exclusiveMax: true }), 10],
    [field("id", "integer", { min: 0, max: 1, exclusiveMax: true }), 1],
    [field("id", "integer", { min: 1, max: 2.5 }), 2],
    [field("id", "number", { min: 0.5, max: 2, step: 0.5 }), 3],
  ];
  const found = await Promise.all(
    keys.map(async ([one]) => {
      const values = (await rowsOf(keyed(one))).map((row) => row[one.name] ?? null);
      const misfits = values.filter((value) => !conforms(one, value));
      return [one, values.length, new Set(values).size, misfits];
    }),
  );

  expect(found).toEqual(keys.map(([one, count]) => [one, count, count, []]));
});

test("a key that only a form describes is as the form asks", async () => {
  const code = field("code", "text", { required: true, pattern: "^[A-Z]{2}$" });
  const form = petOf([field("code", "text")], {
    ...putting([code]),
    key: { field: "code", param: "petId" },
  });
  const rows = await rowsOf(form);

  expect(rows.length).toBe(47);
  expect(rows.filter((row) => !conforms(code, row.code ?? null))).toEqual([]);
});

test("a pattern that nothing is known for leaves the records as many as they are, and costs no time", async () => {
  const start = performance.now();
  const counts = await Promise.all(
    ["^(?=.*x)x\\p{Lu}+$", "^(a+)+(?=b)$"].map(
      async (pattern) => (await rowsOf(keyed(field("code", "text", { pattern })))).length,
    ),
  );

  expect(counts).toEqual([47, 47]);
  expect(performance.now() - start).toBeLessThan(1500);
});

test("a new record gets a key that has become free, and is refused when there is none", async () => {
  const one = field("id", "integer", { readOnly: true, min: 1, max: 3 });
  const resource = { ...keyed(one), ...posting([]) };
  const backend = mockBackend(interfaceOf(resource));
  const refused = await backend.create(resource, {}, { body: {} }).catch(({ status }) => status);
  await backend.remove(resource, {}, "1");

  expect(refused).toBe(409);
  expect(keyOf(resource, (await backend.create(resource, {}, { body: {} })) ?? {})).toBe("1");
});
