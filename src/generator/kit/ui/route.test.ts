import fc from "fast-check";
import { expect, test } from "vitest";
import { hashOf, isSamePage, type Route, routeOf, startRoute } from "./route.ts";

test("each page has an address that a person can read", () => {
  const routes: Route[] = [
    { page: "home" },
    { page: "operations" },
    { page: "list", resource: "pet", query: { status: "sold", page: "2" } },
    { page: "create", resource: "pet", query: {} },
    { page: "record", resource: "pet", key: "12", query: {} },
    { page: "edit", resource: "pet", key: "12", query: { owner: "7" } },
    { page: "edit", resource: "settings", query: {} },
  ];

  expect(routes.map(hashOf)).toEqual([
    "#/",
    "#/~operations",
    "#/pet?status=sold&page=2",
    "#/pet/new",
    "#/pet/12",
    "#/pet/12/edit?owner=7",
    "#/settings/-/edit",
  ]);
});

test("every route comes back from its address, whatever a record's key or a filter is called", () => {
  const text = fc.oneof(
    fc.string({ minLength: 1, unit: "grapheme" }),
    fc.constantFrom("new", "edit", "-", "a/b", "100%", "__proto__", "constructor", "?x=1", "#"),
  );
  const query = fc.dictionary(text, fc.string({ unit: "grapheme" }), { noNullPrototype: true });
  const route = fc.oneof(
    fc.record({ page: fc.constantFrom("list" as const, "create" as const), resource: text, query }),
    fc.record(
      {
        page: fc.constantFrom("record" as const, "edit" as const),
        resource: text,
        key: text,
        query,
      },
      { requiredKeys: ["page", "resource", "query"] },
    ),
  );
  fc.assert(
    fc.property(
      route.filter((it) => it.resource !== "~operations"),
      (it) => {
        expect(routeOf(hashOf(it))).toEqual(it);
      },
    ),
  );
});

test("an address that names no page is kept, to be shown as not found", () => {
  expect(["#/pet/12/edit/more", "#/pet/12/fly", "#/%"].map(routeOf)).toEqual([
    { page: "unknown", path: "pet/12/edit/more" },
    { page: "unknown", path: "pet/12/fly" },
    { page: "unknown", path: "%" },
  ]);
});

test("another filter is the same page, another record is not", () => {
  const list: Route = { page: "list", resource: "pet", query: {} };
  expect(isSamePage(list, { ...list, query: { status: "sold" } })).toBe(true);
  expect(isSamePage(list, { page: "record", resource: "pet", key: "1", query: {} })).toBe(false);
});

test("an address that says nothing is the page that is to be seen first", () => {
  const pets = { page: "list", resource: "pet", query: {} };
  expect([startRoute("", "pet"), startRoute("#", "pet")]).toEqual([pets, pets]);
  expect(startRoute("#/", "pet")).toEqual({ page: "home" });
  expect(startRoute("", undefined)).toEqual({ page: "home" });
});
