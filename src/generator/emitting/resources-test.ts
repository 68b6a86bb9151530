import type { InterfaceModel } from "../interface-model.ts";
import { allOperations } from "./all-operations.ts";
import { assigned } from "./literal.ts";

type Tested = Pick<InterfaceModel, "api" | "resources">;

/** A test that every generated project has: what the descriptors say works on sample data. */
export function resourcesTest(model: Tested): string {
  const before = "const undescribed: string[] =";
  return `${beginning}${before}${assigned(undescribedSchemes(model), 0, before.length)};\n${tests}`;
}

/** A description may ask for schemes that it does not have. The project's test is to pass all the same until something is changed. */
function undescribedSchemes(model: Tested): string[] {
  const declared = new Set(model.api.auth.map(({ id }) => id));
  const needed = allOperations(model).flatMap(({ auth }) => auth?.flat() ?? []);
  return [...new Set(needed)].filter((id) => !declared.has(id)).sort();
}

const beginning = [
  'import { expect, test } from "vitest";',
  'import { mockBackend } from "../api/mock-backend.ts";',
  'import { interfaceDescriptor } from "./index.ts";',
  "",
  "const { api, resources } = interfaceDescriptor;",
  "const backend = mockBackend(interfaceDescriptor);",
  "const { signal } = new AbortController();",
  "const query = { filters: {}, page: 0, pageSize: 20 };",
  "// Schemes that the description asks for without saying what they are.",
  "",
].join("\n");

const tests = [
  "",
  'test("every resource has an id of its own", () => {',
  "  expect(new Set(resources.map(({ id }) => id)).size).toBe(resources.length);",
  "});",
  "",
  'test.each(resources)("$plural: columns are fields, and lists have rows", async ({ load }) => {',
  "  const resource = await load();",
  "  const names = resource.fields.map(({ name }) => name);",
  "  expect(resource.columns.filter((column) => !names.includes(column))).toEqual([]);",
  "  if (resource.lists.length === 0) return;",
  "  const { rows } = await backend.list(resource, {}, query, signal);",
  "  expect(rows.length).toBeGreaterThan(0);",
  "});",
  "",
  'test("every operation needs only schemes that are known", async () => {',
  "  const known = new Set([...undescribed, ...api.auth.map(({ id }) => id)]);",
  "  const loaded = await Promise.all(resources.map(({ load }) => load()));",
  "  const { actions, summaries, signIn = [] } = api;",
  "  const others = [...actions, ...summaries, ...signIn, ...loaded.flatMap((one) => one.actions)];",
  "  const operations = [",
  "    ...loaded.flatMap((one) => [...one.lists, one.detail, one.create, one.update, one.remove]),",
  "    ...others.map(({ operation }) => operation),",
  "  ];",
  "  const needed = operations.flatMap((operation) => operation?.auth?.flat() ?? []);",
  "  expect(needed.filter((id) => !known.has(id))).toEqual([]);",
  "});",
  "",
].join("\n");
