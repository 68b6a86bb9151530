import { expect, test, vi } from "vitest";
import type { Action, AuthScheme, InterfaceDescriptor, Operation, Resource } from "../kit/descriptor.ts";
import { resourcesTest } from "./resources-test.ts";

// The kit is compiled for browsers, which this program is not, so its sample data is loaded by name.
const { mockBackend } = await vi.importActual<{ mockBackend: unknown }>("../kit/api/mock-backend.ts");

const operation = (id: string, more: Partial<Operation> = {}): Operation => ({
  id,
  method: "GET",
  path: `/${id}`,
  params: [],
  ...more,
});
const needing = (scheme: string) => operation(scheme, { auth: [[scheme]] });
const action = (scheme: string): Action => ({
  id: scheme,
  label: scheme,
  kind: "action",
  on: "api",
  operation: needing(scheme),
});

const unit: Resource = {
  id: "unit",
  name: "Unit",
  plural: "Units",
  key: { field: "code", param: "code" },
  fields: [{ name: "code", label: "Code", kind: "enum", options: [{ value: "kg", label: "kg" }] }],
  columns: ["code"],
  lists: [
    { ...operation("units"), rows: [], filters: [], paging: { kind: "page", param: "page", first: 1, size: 20 } },
  ],
  actions: [],
};

function described(resource: Resource, api: Partial<InterfaceDescriptor["api"]> = {}): InterfaceDescriptor {
  const { id, name, plural } = resource;
  return {
    api: { title: "", version: "", protocol: "rest", servers: [], auth: [], summaries: [], actions: [], ...api },
    resources: [{ id, name, plural, load: () => resource }],
    settings: { theme: "light", layout: "side", includeAuth: true, pagination: true },
  };
}

/** The names of the tests that fail, if they were made when there was only what all have. */
async function failing(interfaceDescriptor: InterfaceDescriptor, text = plainTest): Promise<string[]> {
  const tests: [name: string, run: () => unknown][] = [];
  const collect = (name: string, run: () => unknown) => tests.push([name, run]);
  const each = (all: object[]) => (name: string, run: (one: object) => unknown) =>
    all.map((one) => collect(name, () => run(one)));
  const given = { test: Object.assign(collect, { each }), expect, mockBackend, interfaceDescriptor };
  const body = text.replace(/^import .*$/gm, "").replace(": string[]", "");
  new Function(...Object.keys(given), body)(...Object.values(given));
  const failed = await Promise.all(
    tests.map(async ([name, run]) => {
      try {
        await run();
        return [];
      } catch {
        return [name];
      }
    }),
  );
  return failed.flat();
}

const plain = described(unit);
const plainTest = resourcesTest({ api: plain.api, resources: [unit] });

test("it passes on a list that has less than a page", async () => {
  expect(await failing(plain)).toEqual([]);
});

test("it sees a scheme that nobody knows wherever an operation can stand", async () => {
  const field = { name: "count", label: "Count", kind: "integer" } as const;
  const summary = { id: "count", label: "Count", kind: "value", result: field, operation: needing("s") } as const;
  const all = [
    described({ ...unit, detail: needing("s") }),
    described({ ...unit, actions: [action("s")] }),
    described(unit, { actions: [action("s")] }),
    described(unit, { signIn: [action("s")] }),
    described(unit, { summaries: [summary] }),
  ];
  const claim = "every operation needs only schemes that are known";
  expect(await Promise.all(all.map((one) => failing(one)))).toEqual(all.map(() => [claim]));
  const auth: AuthScheme[] = [{ id: "s", label: "S", kind: "bearer" }];
  const declared = all.map(({ api, ...one }) => ({ ...one, api: { ...api, auth } }));
  expect(await Promise.all(declared.map((one) => failing(one)))).toEqual(all.map(() => []));
});

test("what the description itself does not declare is no fault of the project", async () => {
  const asking = described(unit, { actions: [action("s")] });
  const text = resourcesTest({ api: asking.api, resources: [unit] });
  expect(text).toContain('const undescribed: string[] = ["s"];');
  expect(await failing(asking, text)).toEqual([]);
});
