import { expect, test } from "vitest";
import type { Schema } from "../normalized-spec.ts";
import { api, listOf, object, ref, text, whole } from "./api-under-test.ts";
import { fieldMaker } from "./fields.ts";

const fields = (schema: Schema, purpose: "record" | "form" = "form", models: Record<string, Schema> = {}) =>
  fieldMaker(api({}, models)).fieldsOf(schema, purpose);

const kinds = (properties: Record<string, Schema>) =>
  Object.fromEntries(fields(object(properties), "record").map(({ name, kind }) => [name, kind]));

test("the kind comes from type and format, and from names where those are safe", () => {
  const found = kinds({
    name: text,
    description: text,
    email: text,
    born: { type: "string", format: "date" },
    createdAt: { type: "string", format: "date-time" },
    seen: { type: "string", example: "2024-05-01T10:00:00Z" },
    website: text,
    avatar_url: text,
    password: text,
    age: whole,
    price: { type: "number" },
    alive: { type: "boolean" },
    state: { type: "enum", enumValues: ["a", "b"] },
    photo: { type: "string", format: "binary" },
    tags: listOf(text),
    labels: { type: "object", additionalProperties: text },
    owner: object({ id: whole }),
    anything: {},
    open: { type: "object" },
    essay: { type: "string", maxLength: 5000 },
  });
  expect(found).toEqual({
    name: "text",
    description: "longText",
    email: "email",
    born: "date",
    createdAt: "dateTime",
    seen: "dateTime",
    website: "url",
    avatar_url: "image",
    password: "password",
    age: "integer",
    price: "number",
    alive: "boolean",
    state: "enum",
    photo: "file",
    tags: "list",
    labels: "map",
    owner: "object",
    anything: "json",
    open: "json",
    essay: "longText",
  });
});

test("constraints, options, defaults and examples are kept", () => {
  const schema = object(
    {
      name: {
        type: "string",
        minLength: 2,
        maxLength: 9,
        pattern: "^[a-z]+$",
        default: "rex",
        example: "bello",
        description: "What it is called. Ask it.",
      },
      size: { type: "integer", exclusiveMinimum: 0, maximum: 10, multipleOf: 2, nullable: true },
      state: { type: "enum", enumValues: ["in_stock", "sold", null], nullable: true },
      tags: { ...listOf(text), minItems: 1, maxItems: 3, uniqueItems: true },
    },
    ["name"],
  );
  expect(fields(schema)).toEqual([
    {
      name: "name",
      label: "Name",
      kind: "text",
      description: "What it is called.",
      required: true,
      minLength: 2,
      maxLength: 9,
      pattern: "^[a-z]+$",
      default: "rex",
      example: "bello",
    },
    { name: "size", label: "Size", kind: "integer", nullable: true, min: 0, exclusiveMin: true, max: 10, step: 2 },
    {
      name: "state",
      label: "State",
      kind: "enum",
      nullable: true,
      options: [
        { value: "in_stock", label: "In stock" },
        { value: "sold", label: "Sold" },
      ],
    },
    {
      name: "tags",
      label: "Tags",
      kind: "list",
      item: { name: "tag", label: "Tag", kind: "text" },
      minItems: 1,
      maxItems: 3,
      uniqueItems: true,
    },
  ]);
});

test("what is only read is in no form, and what is only written is in no record", () => {
  const schema = object({ id: { ...whole, readOnly: true }, name: text, secret: { ...text, writeOnly: true } });
  expect([fields(schema, "form"), fields(schema, "record")].map((found) => found.map(({ name }) => name))).toEqual([
    ["name", "secret"],
    ["id", "name"],
  ]);
});

test("all of what allOf says holds, through references", () => {
  const models = {
    Base: object({ id: whole }, ["id"]),
    Pet: { allOf: [ref("Base"), object({ name: text }, ["name"])] },
  };
  expect(fields(ref("Pet"), "form", models)).toEqual([
    { name: "id", label: "ID", kind: "integer", required: true },
    { name: "name", label: "Name", kind: "text", required: true },
  ]);
});

test("recursion ends at the model that it would repeat", () => {
  const models = { Node: object({ name: text, parent: ref("Node"), children: listOf(ref("Node")) }) };
  expect(fields(ref("Node"), "form", models)).toEqual([
    { name: "name", label: "Name", kind: "text" },
    { name: "parent", label: "Parent", kind: "object" },
    { name: "children", label: "Children", kind: "list", item: { name: "child", label: "Child", kind: "object" } },
  ]);
});

test("a list of itself ends, and so does a choice of itself", () => {
  const models: Record<string, Schema> = {
    Tree: { type: "array", items: ref("Tree") },
    Any: { type: "union", unionOf: [ref("Any"), listOf(ref("Any")), text] },
  };
  const found = fields(object({ tree: ref("Tree"), any: ref("Any") }), "form", models);
  expect(found.map(({ name, kind }) => [name, kind])).toEqual([
    ["tree", "list"],
    ["any", "union"],
  ]);
});

test("models that hold each other stay small", () => {
  const names = Array.from({ length: 12 }, (_, at) => `M${at}`);
  const models = Object.fromEntries(
    names.map((name) => [name, object(Object.fromEntries(names.map((other) => [other, ref(other)])))]),
  );
  expect(JSON.stringify(fields(ref("M0"), "form", models)).length).toBeLessThan(20_000);
});

test("a union with a discriminator is a choice by its values", () => {
  const models = {
    Cat: { ...object({ kind: text, lives: whole }), title: "Cat" },
    Dog: object({ kind: text, tricks: listOf(text) }),
    Animal: {
      type: "union",
      unionOf: [ref("Cat"), ref("Dog")],
      discriminator: { propertyName: "kind", mapping: { cat: "Cat" } },
    } satisfies Schema,
  };
  expect(fields(object({ animal: ref("Animal") }), "form", models)).toEqual([
    {
      name: "animal",
      label: "Animal",
      kind: "union",
      discriminator: "kind",
      variants: [
        {
          value: "cat",
          label: "Cat",
          fields: [
            { name: "kind", label: "Kind", kind: "text" },
            { name: "lives", label: "Lives", kind: "integer" },
          ],
        },
        {
          value: "Dog",
          label: "Dog",
          fields: [
            { name: "kind", label: "Kind", kind: "text" },
            { name: "tricks", label: "Tricks", kind: "list", item: { name: "trick", label: "Trick", kind: "text" } },
          ],
        },
      ],
    },
  ]);
});

test("a base with a discriminator is a choice between its heirs", () => {
  const models = {
    Pet: { ...object({ type: text }), discriminator: { propertyName: "type" } },
    Cat: { allOf: [ref("Pet"), object({ lives: whole })] },
    Dog: { allOf: [ref("Pet")] },
  };
  const [pet] = fields(object({ pet: ref("Pet") }), "form", models);
  expect(pet?.variants?.map(({ value, fields: parts }) => [value, parts?.map(({ name }) => name)])).toEqual([
    ["Cat", ["type", "lives"]],
    ["Dog", ["type"]],
  ]);
});

test("unions of plain types are one plain type, and those that only require are none", () => {
  const found = kinds({
    code: { type: "union", unionOf: [text, whole] },
    size: { type: "union", unionOf: [whole, { type: "number" }] },
    state: {
      type: "union",
      unionOf: [
        { type: "enum", enumValues: ["a"] },
        { type: "enum", enumValues: ["b"] },
      ],
    },
    contact: {
      ...object({ mail: text, phone: text }),
      type: "union",
      unionOf: [{ required: ["mail"] }, { required: ["phone"] }],
    },
    either: { type: "union", unionOf: [text, listOf(text)] },
  });
  expect(found).toEqual({ code: "text", size: "number", state: "enum", contact: "object", either: "union" });
});

test("names that objects have of themselves are names like any other", () => {
  const properties: Record<string, Schema> = Object.create(null);
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) properties[name] = text;
  expect(fields({ type: "object", properties }).map(({ name }) => name)).toEqual([
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
  ]);
});

test("however much there is, a form leaves out nothing that could then not be entered", () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, text]));
  const values = Array.from({ length: 2000 }, (_, at) => `v${at}`);
  const variants = Array.from({ length: 50 }, (_, at) => object({ [`only${at}`]: text }));
  const form = fields(
    object(
      {
        ...many(1000),
        needed: text,
        zone: { type: "enum", enumValues: values },
        level: { type: "enum", enumValues: values.map((_, at) => at) },
        settings: object(many(500)),
        either: { type: "union", unionOf: variants },
      },
      ["needed", "zone", "level", "settings", "either"],
    ),
  );
  const kept = form.filter(({ required }) => required).map(({ name, kind, fields: parts }) => [name, kind, parts]);
  expect(form.length).toBeLessThan(300);
  expect(kept).toEqual([
    ["needed", "text", undefined],
    ["zone", "text", undefined],
    ["level", "number", undefined],
    ["settings", "object", undefined],
    ["either", "json", undefined],
  ]);
});
