import { expect, test } from "vitest";
import type { Resource } from "../kit/descriptor.ts";
import { mainResources } from "./main-resources.ts";

const operation = { id: "", method: "GET", path: "", params: [] };
const list = { ...operation, rows: [], filters: [] };

const resource = (id: string, more: Partial<Resource> = {}): Resource => ({
  ...{ id, name: id, plural: id, fields: [], columns: [], lists: [list], actions: [] },
  ...more,
});

const few = Array.from({ length: 11 }, (_, at) => resource(`plain${at}`, { detail: operation }));

test("among many, those that most others belong to are main, and those that cannot be listed at once are not", () => {
  const owner = { param: "owner", field: { name: "owner", label: "Owner", kind: "text" }, resource: "owner" } as const;
  const below = Array.from({ length: 5 }, (_, at) =>
    resource(`below${at}`, { scopes: [owner], create: operation, update: operation, remove: operation }),
  );
  const main = mainResources([...few, ...below, resource("owner")]);
  expect(main.size).toBe(12);
  expect([...main].toSorted()).toEqual([...few.map(({ id }) => id), "owner"].toSorted());
});

test("of a few, none is more than the others", () => {
  expect(mainResources(few)).toEqual(new Set());
});
