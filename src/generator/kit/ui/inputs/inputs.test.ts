import { expect, test } from "vitest";
import type { Field, Operation } from "../../descriptor.ts";
import { matchingOptions } from "../record-options.ts";
import { foldedFields } from "./form-fields.tsx";
import { indentedJson } from "./json-input.tsx";
import { updatePayload } from "./operation-form.tsx";
import { steppedBy } from "./text-inputs.tsx";
import { labelAt } from "./use-form.ts";

const field = (name: string, more: Partial<Field> = {}): Field => ({
  ...{ name, label: name.toUpperCase(), kind: "text" },
  ...more,
});

test("required and filled fields are never folded away", () => {
  const fields = Array.from({ length: 14 }, (_, index) =>
    field(`f${index}`, { required: index === 13 }),
  );
  const { first, more } = foldedFields(fields, ({ name }) => name === "f12");
  const seen = ["f0", "f1", "f2", "f3", "f4", "f5", "f6", "f12", "f13"];
  expect(first.map(({ name }) => name)).toEqual(seen);
  expect(more.map(({ name }) => name)).toEqual(["f7", "f8", "f9", "f10", "f11"]);
});

test("a short form is not folded at all", () => {
  const fields = Array.from({ length: 10 }, (_, index) => field(`f${index}`));
  expect(foldedFields(fields, () => false)).toEqual({ first: fields, more: [] });
});

test("an update names what changed and what it must, a replacement everything", () => {
  const fields = [field("name"), field("age"), field("version", { required: true })];
  const operation = (method: string): Operation => ({
    ...{ id: method, method, path: "/pets/{id}", params: [] },
    body: { mediaType: "application/json", required: true, fields },
  });
  const values = { name: "Rex", age: "8", version: "1" };
  const record = { name: "Rex", age: "7", version: "1" };
  const payloads = ["PATCH", "PUT"].map((method) =>
    updatePayload(operation(method), fields, values, record),
  );
  expect(payloads).toEqual([{ version: "1", age: "8" }, values]);
});

test("arrow keys change a number by its step, within its bounds and without rounding errors", () => {
  const price = field("price", { kind: "number", step: 0.1, min: 0, max: 1 });
  const presses = [
    steppedBy(price, "0.2", 1),
    steppedBy(price, "1", 1),
    steppedBy(price, "0", -1),
    steppedBy(price, "", 1),
    steppedBy(price, "many", 1),
  ];
  expect(presses).toEqual(["0.3", "1", "0", "0", "many"]);
});

test("an empty number starts at what is allowed, and a step leads from one allowed number to the next", () => {
  const batch = field("batch", { kind: "integer", min: 0, exclusiveMin: true, step: 5 });
  const level = field("level", { kind: "integer", min: 3, max: 9, exclusiveMax: true });
  const debt = field("debt", { kind: "integer", max: -2 });
  const share = field("share", {
    kind: "number",
    min: 0,
    max: 1,
    exclusiveMin: true,
    exclusiveMax: true,
  });
  const presses = [
    ...[steppedBy(batch, "", 1), steppedBy(batch, "", -1), steppedBy(batch, "5", -1)],
    ...[steppedBy(batch, "7", 1), steppedBy(batch, "7", -1)],
    ...[steppedBy(level, "", 1), steppedBy(level, "8", 1), steppedBy(debt, "", 1)],
    ...[steppedBy(share, "", 1), steppedBy(share, "0.5", 1)],
  ];
  expect(presses).toEqual(["5", "5", "5", "10", "5", "3", "8", "-2", "", "0.5"]);
});

test("a path is told by its labels", () => {
  const tag = field("", { kind: "object", fields: [field("name")] });
  const fields = [field("tags", { kind: "list", item: tag }), field("status")];
  expect(["status", "tags.1.name", "unknown.1"].map((path) => labelAt(fields, path))).toEqual([
    "STATUS",
    "TAGS › 2 › NAME",
    "unknown.1",
  ]);
});

test("JSON is put in order, unless that would change it", () => {
  const texts = ['{"a":1}', "{nope", '{"id":12345678901234567890}'].map(indentedJson);
  expect(texts).toEqual(['{\n  "a": 1\n}', undefined, undefined]);
});

test("records are found by title or key, and what was typed can be taken as a key", () => {
  const options = [
    { key: "1", title: "Rex" },
    { key: "2", title: "Luna" },
  ];
  expect(matchingOptions(options, "re")).toEqual([
    { key: "1", title: "Rex" },
    { key: "re", title: "Use “re”" },
  ]);
  expect(matchingOptions(options, "2")).toEqual([{ key: "2", title: "Luna" }]);
});
