import { expect, test } from "vitest";
import { fillSchema } from "./fill-schema.ts";

test("gives what is required the simplest value that the schema takes, and leaves out the rest", () => {
  const schema = {
    type: "object",
    properties: {
      text: { type: "string" },
      optional: { type: "string" },
      flag: { type: "boolean" },
      count: { type: "integer", minimum: 3 },
      mode: { type: "string", enum: ["sync", "async"] },
      kind: { const: "fixed" },
      usual: { type: "number", default: 7 },
      list: { type: "array", items: { type: "string" } },
      pair: { type: "array", items: { type: "string" }, minItems: 2 },
      inner: { type: "object", properties: { a: { type: "number" }, b: {} }, required: ["a"] },
      maybe: { anyOf: [{ type: "null" }, { type: "boolean" }] },
      other: { $ref: "#/$defs/other" },
    },
    required: "text flag count mode kind usual list pair inner maybe other".split(" "),
    $defs: { other: { type: ["null", "integer"] } },
  };
  expect(fillSchema(schema)).toEqual({
    text: "stub text",
    flag: false,
    count: 3,
    mode: "sync",
    kind: "fixed",
    usual: 7,
    list: [],
    pair: ["stub pair", "stub pair"],
    inner: { a: 1 },
    maybe: false,
    other: 1,
  });
});

test("takes what is known for a property, required or not", () => {
  const schema = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, required: ["b"] };
  expect(fillSchema(schema, (name) => (name === "a" ? "known" : undefined))).toEqual({ a: "known", b: "stub b" });
});

test("understands Gemini, which shouts", () => {
  const schema = {
    type: "OBJECT",
    properties: { score: { type: "INTEGER" }, next: { type: "STRING", enum: ["user", "model"] } },
    required: ["score", "next"],
  };
  expect(fillSchema(schema)).toEqual({ score: 1, next: "user" });
});

test("comes to an end where a schema does not", () => {
  const endless = {
    type: "object",
    properties: { child: { $ref: "#" }, loop: { $ref: "#/$defs/loop" }, odd: { $ref: "#/__proto__/x" } },
    required: ["child", "loop", "odd"],
    $defs: { loop: { $ref: "#/$defs/loop" } },
  };
  expect(fillSchema(endless)).toMatchObject({ child: { child: {} }, loop: "stub loop", odd: "stub odd" });
});

test("stays small where a schema is not", () => {
  const names = Array.from({ length: 10 }, (_, i) => `p${i}`);
  const wide = {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { $ref: "#" }])),
    required: names,
  };
  expect(JSON.stringify(fillSchema(wide)).length).toBeLessThan(100_000);
});
