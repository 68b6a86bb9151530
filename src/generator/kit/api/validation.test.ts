import { expect, test } from "vitest";
import type { Field } from "../descriptor.ts";
import type { BodyValue } from "./backend.ts";
import { field } from "./petstore.test.data.ts";
import { validate } from "./validation.ts";

const checked = (kind: Field["kind"], more: Partial<Field>, value: BodyValue) =>
  validate([field("a", kind, more)], { a: value }).a;

test("required values must be there, others need not", () => {
  const fields = [
    field("name", "text", { required: true }),
    field("status", "enum", { required: true, options: [{ value: "x", label: "X" }] }),
    field("nick", "text", { required: true, nullable: true }),
    field("note", "text", { minLength: 3 }),
    field("id", "integer", { required: true, readOnly: true }),
  ];

  expect([
    validate(fields, {}),
    validate(fields, { name: "", status: null, nick: null, note: "" }),
    validate(fields, { name: "x", status: "x", nick: "x" }),
  ]).toEqual([
    { name: "This is required.", status: "Choose one of the options.", nick: "This is required." },
    { name: "This is required.", status: "Choose one of the options." },
    {},
  ]);
});

test.each<[Field["kind"], Partial<Field>, BodyValue, string | undefined]>([
  ["integer", {}, 3, undefined],
  ["integer", {}, 3.5, "Must be a whole number."],
  ["integer", {}, "three", "Must be a number."],
  ["integer", {}, "9223372036854775807", undefined],
  ["number", { min: 3 }, 2, "Must be at least 3."],
  ["number", { min: 3, exclusiveMin: true }, 3, "Must be more than 3."],
  ["number", { max: 3 }, 4, "Must be at most 3."],
  ["number", { max: 3, exclusiveMax: true }, 3, "Must be less than 3."],
  ["number", { step: 0.01 }, 19.99, undefined],
  ["number", { step: 0.01 }, 19.999, "Must be a multiple of 0.01."],
  ["text", { minLength: 3 }, "ab", "Must be at least 3 characters."],
  ["text", { maxLength: 1 }, "ab", "Must be at most 1 character."],
  ["text", { maxLength: 2 }, "🐈🐕", undefined],
  ["text", { pattern: "^[A-Z]{2}$" }, "ab", "Must have the form ^[A-Z]{2}$"],
  ["text", { pattern: "^[A-Z]{2}$", example: "AB" }, "ab", "Must look like “AB”."],
  ["text", { pattern: "^[A-Z]{2}$", example: "abc" }, "ab", "Must have the form ^[A-Z]{2}$"],
  ["text", { pattern: "([" }, "ab", undefined],
  ["text", {}, 5, "Must be text."],
  ["email", {}, "a@b", undefined],
  ["email", {}, "a b@c", "Must be an e-mail address, like name@example.com."],
  ["url", {}, "https://example.com", undefined],
  ["url", {}, "example", "Must be a full address, like https://example.com."],
  ["date", {}, "2024-02-29", undefined],
  ["date", {}, "2023-02-29", "Must be a date."],
  ["dateTime", {}, "2024-02-29T10:00:00Z", undefined],
  ["dateTime", {}, "2024-02-29", "Must be a date and a time."],
  ["time", {}, "23:59", undefined],
  ["time", {}, "24:00", "Must be a time."],
  ["boolean", {}, "yes", "Must be yes or no."],
  ["enum", { options: [{ value: 1, label: "One" }] }, 2, "Choose one of the options."],
  ["enum", { options: [{ value: null, label: "None" }], required: true }, null, undefined],
  ["list", { minItems: 2 }, ["a"], "Needs at least 2 entries."],
  ["list", { maxItems: 1 }, ["a", "b"], "Can have at most 1 entry."],
  ["list", { uniqueItems: true }, [{ a: 1 }, "x", { a: 1 }], "Entry 3 is there twice."],
  ["list", {}, "a", "Must be a list."],
  ["object", {}, "a", "Must be an object."],
  ["json", {}, 5, undefined],
])("%s %j: %j", (kind, more, value, message) => {
  expect(checked(kind, more, value)).toBe(message);
});

test("looks into objects, lists, maps and unions", () => {
  const short = field("name", "text", { required: true, minLength: 2 });
  const fields = [
    field("owner", "object", { fields: [short] }),
    field("tags", "list", { item: field("", "object", { fields: [short] }) }),
    field("words", "list", { item: field("", "text") }),
    field("labels", "map", { item: field("", "integer") }),
    field("shape", "union", {
      discriminator: "type",
      variants: [
        { value: "circle", label: "Circle", fields: [field("radius", "number", { min: 1 })] },
        { value: "text", label: "Text", field: field("", "text") },
      ],
    }),
  ];

  expect([
    validate(fields, {
      owner: {},
      tags: [{ name: "ok" }, { name: "x" }],
      words: ["a", ""],
      labels: { size: 1.5 },
      shape: { type: "circle", radius: 0 },
    }),
    validate(fields, { shape: 5 }),
    validate(fields, { shape: "fine" }),
  ]).toEqual([
    {
      "owner.name": "This is required.",
      "tags.1.name": "Must be at least 2 characters.",
      "words.1": "This is required.",
      "labels.size": "Must be a whole number.",
      "shape.radius": "Must be at least 1.",
    },
    { shape: "This fits none of the possible kinds." },
    {},
  ]);
});

test("a multiple is one, however large the number", () => {
  const isTaken = (a: number, step: number) =>
    Object.keys(validate([field("a", "number", { step })], { a })).length === 0;
  const multiples = [
    isTaken(0.3, 0.1),
    isTaken(12345678.9, 0.1),
    isTaken(0, 5),
    isTaken(-1e10, 10),
  ];
  const others = [
    isTaken(10000000001, 10),
    isTaken(5000000001, 5),
    isTaken(12345678.905, 0.01),
    isTaken(0.35, 0.1),
  ];

  expect([multiples, others]).toEqual([Array(4).fill(true), Array(4).fill(false)]);
});
