import { expect, test } from "vitest";
import type { Field } from "../descriptor.ts";
import type { Row } from "./backend.ts";
import { changedOnly, operationInput, parameterFields, readForm } from "./form-reading.ts";
import { initialValues, isEntered, newFormValue, newUnionChoice } from "./form-values.ts";
import { localDateTime } from "./local-time.ts";
import { field, operation, pet } from "./petstore.test.data.ts";

const options = [
  { value: "a", label: "A" },
  { value: 2, label: "Two" },
];

const fields: Field[] = [
  field("id", "integer", { readOnly: true }),
  field("name", "text", { required: true }),
  field("age", "integer", { nullable: true }),
  field("level", "enum", { options }),
  field("active", "boolean", { required: true }),
  field("checked", "boolean"),
  field("born", "date"),
  field("seen", "dateTime"),
  field("opens", "time"),
  field("owner", "object", {
    fields: [field("mail", "email", { required: true }), field("note", "text", { default: "-" })],
  }),
  field("tags", "list", { item: field("", "text") }),
  field("labels", "map", { item: field("", "integer") }),
  field("shape", "union", {
    discriminator: "type",
    variants: [
      {
        value: "circle",
        label: "Circle",
        fields: [field("type", "text"), field("radius", "number")],
      },
      { value: "word", label: "Word", field: field("", "text") },
    ],
  }),
  field("extra", "json"),
  field("photo", "file"),
];

test("a new form starts empty but for defaults, switches and the only option", () => {
  const more = [
    field("kind", "enum", { required: true, options: options.slice(0, 1) }),
    field("size", "integer", { default: 3 }),
    field("place", "object", {
      required: true,
      fields: [field("city", "text", { default: "Oslo" })],
    }),
    field("form", "union", {
      required: true,
      variants: [{ value: "x", label: "X", field: field("", "text") }],
    }),
  ];

  expect(initialValues([...fields, ...more])).toEqual({
    name: "",
    age: "",
    level: "",
    active: false,
    checked: undefined,
    born: "",
    seen: "",
    opens: "",
    owner: { mail: "", note: "" },
    tags: [],
    labels: [],
    shape: { variant: "", value: undefined },
    extra: "",
    photo: undefined,
    kind: "a",
    size: "3",
    place: { city: "Oslo" },
    form: { variant: "x", value: "" },
  });
});

const seen = "2026-01-31T09:30:00Z";

const record: Row = {
  id: 7,
  name: "Luna",
  age: null,
  level: 2,
  active: true,
  born: "2020-05-01",
  seen,
  opens: "09:00:00",
  owner: { mail: "a@b.example" },
  tags: ["x", "y"],
  labels: { size: 4 },
  shape: { type: "circle", radius: 2.5 },
  extra: { any: ["thing"] },
};

test("a record is shown as inputs hold it", () => {
  expect(initialValues(fields, record)).toEqual({
    name: "Luna",
    age: "",
    level: "2",
    active: true,
    checked: undefined,
    born: "2020-05-01",
    seen: localDateTime(seen),
    opens: "09:00:00",
    owner: { mail: "a@b.example", note: "" },
    tags: ["x", "y"],
    labels: [{ key: "size", value: "4" }],
    shape: { variant: "circle", value: { radius: "2.5" } },
    extra: '{\n  "any": [\n    "thing"\n  ]\n}',
    photo: undefined,
  });
});

test("what is entered is sent as what it is; what is left out is not sent", () => {
  const photo = new File(["x"], "x.png");
  const values = {
    ...initialValues(fields),
    name: "Luna",
    age: " 3 ",
    level: "2",
    checked: false,
    seen: localDateTime(seen),
    opens: "09:00",
    tags: ["x"],
    labels: [
      { key: "size", value: "4" },
      { key: "", value: "" },
    ],
    shape: { variant: "circle", value: { radius: "2" } },
    extra: "[1]",
    photo,
  };

  expect(readForm(fields, values)).toEqual({
    payload: {
      name: "Luna",
      age: 3,
      level: 2,
      active: false,
      checked: false,
      seen,
      opens: "09:00:00",
      tags: ["x"],
      labels: { size: 4 },
      shape: { type: "circle", radius: 2 },
      extra: [1],
      photo,
    },
    errors: {},
  });
});

test("what cannot be read is an error at its place", () => {
  const values = {
    ...initialValues(fields),
    name: "",
    age: "three",
    owner: { mail: "", note: "hi" },
    tags: [""],
    labels: [
      { key: "a", value: "1" },
      { key: "a", value: "2" },
    ],
    extra: "{",
  };

  expect(readForm(fields, values).errors).toEqual({
    name: "This is required.",
    age: "Must be a number.",
    "owner.mail": "This is required.",
    "tags.0": "This is required.",
    labels: "There are two entries named “a”.",
    extra: "This is not valid JSON.",
  });
});

test("of a record, what was not touched is sent as it came and not complained about", () => {
  const odd: Row = {
    ...record,
    level: "retired",
    seen: "2026-01-31T09:30:15.123+02:00",
    born: "2020-05-01T00:00:00Z",
    owner: { mail: "none" },
    tags: ["", "y"],
  };
  const { id: _, ...sent } = odd;

  expect(readForm(fields, initialValues(fields, odd), odd)).toEqual({ payload: sent, errors: {} });
});

const address = [
  field("id", "integer", { readOnly: true }),
  field("street", "text"),
  field("main", "boolean", { required: true }),
];

test("an object that was not touched keeps what its form does not show", () => {
  const parts = [field("name", "text"), field("address", "object", { fields: address })];
  const before: Row = { name: "a", address: { id: 5, street: "x", extra: 1 } };
  const values = { ...initialValues(parts, before), name: "b" };
  const { payload, errors } = readForm(parts, values, before);

  expect([payload, errors]).toEqual([{ name: "b", address: before.address }, {}]);
  expect(changedOnly(parts, payload, before)).toEqual({ name: "b" });
});

test("an object that was touched keeps what is unknown, but not what is read-only", () => {
  const parts = [field("address", "object", { fields: address })];
  const before: Row = { address: { id: 5, street: "x", main: true, extra: 1 } };
  const values = { address: { street: "y", main: true } };

  expect(readForm(parts, values, before).payload).toEqual({
    address: { street: "y", main: true, extra: 1 },
  });
});

test("an object that names another record now keeps nothing of the one before", () => {
  const relation = { resource: "owner", embedded: true };
  const owner = field("owner", "object", { relation, fields: [field("id", "integer")] });
  const before: Row = { owner: { id: 1, name: "Ann" } };

  expect(readForm([owner], { owner: { id: "2" } }, before).payload).toEqual({ owner: { id: 2 } });
});

test("a variant keeps what is unknown as long as it is the same", () => {
  const before: Row = { shape: { type: "a", size: 1, extra: 1 } };
  const parts = [field("type", "text"), field("size", "integer")];
  const shape = field("shape", "union", {
    discriminator: "type",
    variants: [
      { value: "a", label: "A", fields: parts },
      { value: "b", label: "B", fields: parts },
    ],
  });
  const sent = (variant: string) =>
    readForm([shape], { shape: { variant, value: { size: "2" } } }, before).payload.shape;

  expect([sent("a"), sent("b")]).toEqual([
    { type: "a", size: 2, extra: 1 },
    { type: "b", size: 2 },
  ]);
});

const homes = [field("homes", "list", { item: field("", "object", { fields: address }) })];
const home = (id: number, street: string) => ({ id, street, main: true, extra: id });
const entered = (street: string) => ({ street, main: true });

test.each([
  ["edited", ["a", "B", "c"], [home(1, "a"), home(2, "B"), home(3, "c")]],
  ["removed", ["b", "c"], [home(2, "b"), home(3, "c")]],
  ["reordered", ["c", "a", "b"], [home(3, "c"), home(1, "a"), home(2, "b")]],
  ["added", ["a", "b", "c", "d"], [home(1, "a"), home(2, "b"), home(3, "c"), entered("d")]],
  ["removed and added", ["b", "c", "d"], [home(2, "b"), home(3, "c"), entered("d")]],
  ["removed and edited", ["B", "c"], [entered("B"), home(3, "c")]],
])("of a list, items stay themselves when one is %s, and get nothing of another", (...row) => {
  const [, streets, sent] = row;
  const before: Row = { homes: [home(1, "a"), home(2, "b"), home(3, "c")] };

  expect(readForm(homes, { homes: streets.map(entered) }, before)).toEqual({
    payload: { homes: sent },
    errors: {},
  });
});

test("items that look alike stay those that they are", () => {
  const before: Row = { homes: [home(1, "a"), home(2, "a"), null] };
  const values = { homes: [entered("a"), entered("a"), { street: "", main: false }] };
  values.homes.push(entered("b"));

  expect(readForm(homes, values, before).payload).toEqual({
    homes: [home(1, "a"), home(2, "a"), null, entered("b")],
  });
});

test("an update names only what changed, and null for what was emptied", () => {
  const values = {
    ...initialValues(fields, record),
    name: "Nova",
    level: "",
    owner: { mail: "c@d.example", note: "" },
    tags: [],
    shape: { variant: "", value: undefined },
  };
  const { payload, errors } = readForm(fields, values, record);

  expect(errors).toEqual({});
  expect(changedOnly(fields, payload, record)).toEqual({
    name: "Nova",
    level: null,
    owner: { mail: "c@d.example" },
    tags: [],
    shape: null,
  });
});

test("text that was emptied is empty, or null where that is possible", () => {
  const texts = [field("a", "text"), field("b", "text", { nullable: true }), field("c", "email")];
  const before = { a: "x", b: "x", c: "x@y" };

  expect(readForm(texts, { a: "", b: "", c: "" }, before).payload).toEqual({ a: "", b: null });
});

test("items and variants start with what they need", () => {
  const [shape] = fields.filter(({ kind }) => kind === "union");
  if (!shape) throw new Error("no union");

  expect([
    newFormValue(field("", "integer")),
    newFormValue(field("", "object", { fields: [field("n", "text", { default: "x" })] })),
    newUnionChoice(shape, "circle"),
    newUnionChoice(shape, ""),
  ]).toEqual([
    "",
    { n: "x" },
    { variant: "circle", value: { radius: "" } },
    { variant: "", value: undefined },
  ]);
});

test("an operation takes its parameters and its body, or the one value of it", () => {
  const query = { name: "dry", in: "query" as const, field: field("d", "boolean"), required: true };
  const cookie = { ...query, name: "sid", in: "cookie" as const };
  const update = { ...operation("u", "PUT", "/pets/{petId}"), body: pet.update?.body };
  const upload = {
    ...operation("u", "POST", "/pets"),
    body: { mediaType: "application/json", required: true, field: field("pets", "list") },
  };

  expect([
    parameterFields({ ...update, params: [...update.params, query, cookie] }, ["petId"]),
    operationInput(update, { dry: true }, { name: "x" }),
    operationInput(upload, {}, { pets: [1] }),
    operationInput(operation("x", "POST", "/x"), {}, {}),
  ]).toEqual([
    [field("dry", "boolean", { label: "d", required: true })],
    { params: { dry: true }, body: { name: "x" } },
    { params: {}, body: [1] },
    { params: {} },
  ]);
});

test("what nobody enters is sent as it is, and entered after all where it must be said", () => {
  const hidden: Field = { name: "code", label: "Code", kind: "text", hidden: true };
  const fixed: Field = { name: "size", label: "Size", kind: "integer", fixed: true, default: 3 };
  const all = [hidden, fixed];
  const before = { code: "AB", size: 7 };
  expect(readForm(all, initialValues(all, before), before).payload).toEqual(before);
  expect(readForm(all, initialValues(all)).payload).toEqual({ size: 3 });
  expect(all.filter((field) => isEntered(field))).toEqual([]);
  const needed = { ...hidden, required: true };
  expect([isEntered(needed), isEntered(needed, before), isEntered(needed, {})]).toEqual([
    true,
    false,
    true,
  ]);
});
