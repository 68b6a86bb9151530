import { expect, test } from "vitest";
import type { ListOperation, Resource } from "../descriptor.ts";
import { listFor } from "./list-request.ts";

function list(path: string, ...params: string[]): ListOperation {
  const filters = params.map((param) => ({
    param,
    field: { name: param, label: param, kind: "text" as const },
  }));
  return { ...{ id: path, method: "GET", path, params: [], rows: [] }, filters };
}

const pets: Resource = {
  ...{ id: "pet", name: "Pet", plural: "Pets", fields: [], columns: [], actions: [] },
  lists: [
    list("/pets", "status"),
    list("/pets/search", "q", "status"),
    list("/pets/tagged", "q", "tag"),
  ],
};

const chosen = (filters: Record<string, string>): string | undefined =>
  listFor(pets, { filters, page: 0, pageSize: 20 })?.path;

test("another list than the usual one is asked for a filter that this lacks: the one that knows the most", () => {
  expect([
    chosen({}),
    chosen({ status: "sold", q: "" }),
    chosen({ q: "rex" }),
    chosen({ q: "rex", tag: "new" }),
  ]).toEqual(["/pets", "/pets", "/pets/search", "/pets/tagged"]);
});
