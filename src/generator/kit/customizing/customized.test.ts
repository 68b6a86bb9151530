import { describe, expect, test } from "vitest";
import {
  api,
  field,
  interfaceOf,
  operation,
  owner,
  pet as plainPet,
} from "../api/petstore.test.data.ts";
import type { Action, Field, Resource } from "../descriptor.ts";
import type { Customization } from "./customization.ts";
import { customized } from "./customized.ts";
import { customizedResource } from "./customized-resource.ts";

const run = (id: string, on: Action["on"] = "record"): Action => ({
  ...{ id, label: id, kind: "action", on },
  operation: operation(id, "POST", `/${id}`),
});
const category = field("category", "object", {
  label: "Category",
  fields: [field("id", "integer", { label: "ID" }), field("name", "text", { label: "Name" })],
});
const pet: Resource = {
  ...plainPet,
  fields: [...plainPet.fields, category],
  actions: [run("feed"), run("groom")],
  children: [{ resource: "owner", label: "Owners", via: "filter", param: "petId" }],
};
const petWith = (...wishes: Customization[]) => customizedResource(pet, wishes);
const named = (fields: Field[] | undefined, name: string) =>
  fields?.find((one) => one.name === name);
const names = (fields: Field[] | undefined) => fields?.map(({ name }) => name);

describe("an interface", () => {
  const summary = (id: string) => ({
    ...{ id, label: id, kind: "value" as const },
    operation: operation(id, "GET", `/${id}`),
    result: field(id, "integer"),
  });
  const descriptor = {
    ...interfaceOf(pet, owner),
    api: { ...api, summaries: [summary("sales"), summary("stock")], actions: [run("ping", "api")] },
  };
  const made = (...wishes: Customization[]) => customized(descriptor, wishes);

  test("is the same without wishes", () => {
    expect(made()).toBe(descriptor);
  });

  test("has other settings and another title; of two wishes the later one wins", () => {
    const { settings, api: changed } = made(
      { change: "theme", theme: "light" },
      { change: "theme", theme: "dark" },
      { change: "layout", layout: "top" },
      { change: "accent", color: "#008040" },
      { change: "density", density: "compact" },
      { change: "textSize", size: "large" },
      { change: "corners", corners: "round" },
      { change: "pagination", on: false },
      { change: "home", resource: "owner" },
      { change: "home", resource: "nobody" },
      { change: "apiTitle", title: "My pets", said: "call it my pets" },
    );
    expect(settings).toEqual({
      ...{ theme: "dark", layout: "top", includeAuth: true, pagination: false, home: "owner" },
      ...{ accent: "#008040", density: "compact", textSize: "large", corners: "round" },
    });
    expect(changed.title).toBe("My pets");
    const back = made({ change: "home", resource: "owner" }, { change: "home" });
    expect(back.settings.home).toBeUndefined();
  });

  test("has the figures and the actions that are wanted", () => {
    const { api: changed } = made(
      { change: "summaryShown", summary: "sales", shown: false },
      { change: "summaryShown", summary: "stock", shown: false },
      { change: "summaryShown", summary: "stock", shown: true },
      { change: "actionLabel", action: "ping", label: "Is it there?" },
      { change: "actionConfirmed", action: "ping", ask: true },
    );
    expect(changed.summaries.map(({ id }) => id)).toEqual(["stock"]);
    expect(changed.actions[0]).toMatchObject({ label: "Is it there?", operation: { asks: true } });
    const without = made({ change: "actionOffered", action: "ping", offered: false });
    expect(without.api.actions).toEqual([]);
  });

  test("has its resources in another order, under other names and headings, and hides some", () => {
    const { resources } = made(
      { change: "resourcePlace", resource: "owner", place: { before: "pet" } },
      { change: "resourceName", resource: "owner", name: "Keeper", plural: "Keepers" },
      { change: "resourceGroup", resource: "owner", group: "People" },
      { change: "resourceShown", resource: "pet", shown: false },
    );
    const [first, second] = resources;
    expect(first).toMatchObject({
      id: "owner",
      name: "Keeper",
      plural: "Keepers",
      group: "People",
    });
    expect(second).toMatchObject({ id: "pet", hidden: true });
    expect(first?.load()).toMatchObject({ name: "Keeper", plural: "Keepers", group: "People" });
    expect(second?.load()).toMatchObject({ children: [{ resource: "owner", label: "Keepers" }] });
  });

  test("loads at once what was there at once, and later what came later", async () => {
    const late = { id: "owner", name: "Owner", plural: "Owners", load: async () => owner };
    const wishes: Customization[] = [{ change: "resourceText", resource: "owner", text: "Who." }];
    const { resources } = customized({ ...descriptor, resources: [late] }, wishes);
    const loading = resources[0]?.load();
    expect(loading).toBeInstanceOf(Promise);
    expect(await loading).toMatchObject({ description: "Who." });
  });
});

describe("a list", () => {
  test("is seen otherwise", () => {
    expect(
      petWith(
        { change: "view", view: "cards" },
        { change: "view", resource: "pet", view: "board", by: "status" },
        { change: "view", resource: "pet", view: "board", by: "nothing" },
        { change: "pageSize", size: 5 },
        { change: "pageSize", size: 0 },
        { change: "order", field: "price", descending: true },
        { change: "order", field: "nothing", descending: true },
        { change: "search", on: true, fields: ["name", "nothing"] },
      ),
    ).toMatchObject({
      view: { as: "board", by: "status" },
      pageSize: 5,
      order: { field: "price", descending: true },
      search: { on: true, fields: ["name"] },
    });
  });

  test.each<[string, Customization[], string[]]>([
    [
      "other columns",
      [{ change: "columns", resource: "pet", fields: ["id", "x", "name"] }],
      ["id", "name"],
    ],
    ["one less", [{ change: "columnShown", field: "status", shown: false }], ["name", "price"]],
    [
      "one more",
      [{ change: "columnShown", field: "id", shown: true }],
      ["name", "status", "price", "id"],
    ],
    [
      "one back where it was",
      [
        { change: "columnShown", field: "name", shown: false },
        { change: "columnShown", field: "name", shown: true },
      ],
      ["name", "status", "price"],
    ],
    [
      "one elsewhere",
      [{ change: "columnPlace", field: "price", place: { after: "name" } }],
      ["name", "price", "status"],
    ],
    [
      "one of a part",
      [{ change: "columnPlace", field: "category.name", place: "first" }],
      ["category.name", "name", "status", "price"],
    ],
    [
      "none that is not there",
      [{ change: "columnShown", field: "x", shown: true }],
      ["name", "status", "price"],
    ],
    [
      "none beside nothing",
      [{ change: "columnPlace", field: "id", place: { after: "x" } }],
      ["name", "status", "price"],
    ],
    [
      "none of a hidden field",
      [{ change: "fieldShown", field: "name", shown: false }],
      ["status", "price"],
    ],
    [
      "those of what is hidden elsewhere",
      [{ change: "fieldShown", field: "name", shown: false, where: "record" }],
      ["name", "status", "price"],
    ],
  ])("has %s", (_, wishes, columns) => {
    expect(petWith(...wishes).columns).toEqual(columns);
  });

  test("never loses its last column", () => {
    const hide = (name: string): Customization => ({
      change: "columnShown",
      field: name,
      shown: false,
    });
    expect(petWith(hide("name"), hide("status"), hide("price")).columns).toEqual(["price"]);
  });

  test("has a name for a part of a field, in whichever order that is wished for", () => {
    const shown: Customization = { change: "columnShown", field: "category.id", shown: true };
    const label: Customization = { change: "fieldLabel", field: "category.id", label: "Kind" };
    expect(petWith(shown).parts).toMatchObject([{ name: "category.id", label: "Category ID" }]);
    expect(petWith(shown, label).parts).toMatchObject([{ label: "Kind" }]);
    expect(petWith(label, shown).parts).toEqual(petWith(shown, label).parts);
  });

  test("has the rows that all wishes together leave", () => {
    const rows = (values: string[], not?: boolean): Customization => ({
      ...{ change: "rows", resource: "pet", field: "status", values },
      ...(not && { not }),
    });
    const other: Customization = {
      change: "rows",
      resource: "pet",
      field: "name",
      values: ["Rex"],
    };
    const rule = { field: "status", values: ["sold"] };
    expect(petWith(rows(["pending"]), other, rows(["sold"])).rules).toEqual([
      { field: "name", values: ["Rex"] },
      rule,
    ]);
    expect(petWith(rows(["sold"], true), rows(["pending"], true)).rules).toEqual([
      { field: "status", values: ["sold", "pending"], not: true },
    ]);
    expect(petWith(rows(["sold"]), { change: "allRows", resource: "pet" }).rules).toBeUndefined();
  });

  test("is filtered by what is wanted, by the API where it can", () => {
    const off = petWith({ change: "filter", field: "status", on: false });
    expect(off.lists[0]?.filters.map(({ hidden }) => hidden)).toEqual([true, undefined]);
    const on = petWith(
      { change: "filter", field: "name", on: true },
      { change: "filter", field: "tags", on: false },
      { change: "filter", field: "status", on: true },
    );
    expect(on.lists[0]?.filters.some(({ hidden }) => hidden)).toBe(false);
    expect(on.narrowing).toEqual([
      { param: "~name", of: "name", field: { name: "name", label: "name", kind: "text" } },
    ]);
  });
});

describe("a field", () => {
  test("has its name wherever it is", () => {
    const { fields, create, update, lists } = petWith({
      change: "fieldLabel",
      field: "price",
      label: "Cost",
    });
    for (const some of [fields, create?.body?.fields, update?.body?.fields]) {
      expect(named(some, "price")?.label).toBe("Cost");
    }
    expect(lists[0]?.filters.map((one) => one.field.label)).toEqual(["status", "minPrice"]);
    const { lists: others } = petWith({ change: "fieldLabel", field: "status", label: "State" });
    expect(others[0]?.filters[0]?.field.label).toBe("State");
  });

  test("is formatted where it is seen, a list by its items", () => {
    const { fields, create } = petWith(
      { change: "fieldFormat", field: "price", format: "currency", currency: "EUR" },
      { change: "fieldFormat", field: "tags", format: "badge" },
    );
    expect(named(fields, "price")).toMatchObject({
      kind: "number",
      format: "currency",
      currency: "EUR",
    });
    expect(named(fields, "tags")).toMatchObject({ item: { format: "badge" } });
    expect(named(create?.body?.fields, "price")?.format).toBeUndefined();
  });

  test("is entered otherwise", () => {
    const { create } = petWith(
      { change: "fieldHelp", field: "price", text: "In euros." },
      { change: "fieldDefault", field: "price", value: 5 },
      { change: "fieldRequired", field: "price", required: true },
      { change: "fieldReadOnly", field: "status", readOnly: true },
      { change: "fieldShown", field: "tags", shown: false, where: "form" },
      { change: "fieldPlace", field: "price", place: "first" },
    );
    const fields = create?.body?.fields;
    expect(names(fields)).toEqual(["price", "name", "status", "tags", "ownerId"]);
    expect(named(fields, "price")).toMatchObject({
      ...{ description: "In euros.", default: 5, required: true },
    });
    expect(named(fields, "status")).toMatchObject({ fixed: true });
    expect(named(fields, "tags")).toMatchObject({ hidden: true });
  });

  test("has other words and colours for its values", () => {
    const { fields, create, lists } = petWith(
      { change: "optionLabel", field: "status", value: "sold", label: "Gone" },
      { change: "optionTone", field: "status", value: "sold", tone: "bad" },
      { change: "optionTone", field: "status", value: "lost", tone: "bad" },
      { change: "optionLabel", field: "name", value: "Rex", label: "Rex the First" },
    );
    const sold = { value: "sold", label: "Gone", tone: "bad" };
    const filtered = lists[0]?.filters[0]?.field;
    for (const one of [named(fields, "status"), named(create?.body?.fields, "status"), filtered]) {
      expect(one?.options?.slice(2)).toEqual([sold]);
    }
    // Of what can be anything, only what is seen has another word.
    expect(named(fields, "name")?.options).toEqual([{ value: "Rex", label: "Rex the First" }]);
    expect(named(create?.body?.fields, "name")?.options).toBeUndefined();
  });

  test("names its record", () => {
    expect(petWith({ change: "recordTitle", resource: "pet", field: "status" }).title).toBe(
      "status",
    );
    expect(petWith({ change: "recordTitle", resource: "pet", field: "x" }).title).toBe("name");
  });
});

test("what can be done is offered, called and asked about as wished", () => {
  const made = petWith(
    { change: "operationLabel", operation: "create", label: "Add a pet" },
    { change: "operationConfirmed", operation: "remove", ask: false },
    { change: "operationOffered", operation: "update", offered: false },
    { change: "operationOffered", operation: "create", offered: false },
    { change: "operationOffered", operation: "create", offered: true },
    { change: "actionLabel", action: "feed", label: "Give food" },
    { change: "actionOffered", resource: "pet", action: "groom", offered: false },
  );
  expect(made.create?.label).toBe("Add a pet");
  expect(made.remove?.asks).toBe(false);
  expect(made.update).toBeUndefined();
  expect(made.actions.map(({ label }) => label)).toEqual(["Give food"]);
});

test("what is wished of another resource changes nothing here", () => {
  const wishes: Customization[] = [
    { change: "fieldLabel", resource: "owner", field: "name", label: "x" },
    { change: "view", resource: "owner", view: "cards" },
  ];
  expect(customizedResource(pet, wishes)).toEqual(pet);
});
