import { expect, test } from "vitest";
import type { Action, InterfaceDescriptor, Json, Resource, Summary } from "../descriptor.ts";
import type { ApiError, Query, Row } from "./backend.ts";
import { mockBackend, type Simulated } from "./mock-backend.ts";
import {
  field,
  interfaceOf,
  operation,
  owner,
  pet,
  petList,
  petWith,
} from "./petstore.test.data.ts";

const everything: Query = { filters: {}, page: 0, pageSize: 100 };
const all = petWith({ paging: undefined });
const rowsOf = async (backend: ReturnType<typeof mockBackend>, query: Partial<Query> = {}) =>
  (await backend.list(all, {}, { ...everything, ...query })).rows;

const failureOf = (promise: Promise<unknown>): Promise<Partial<ApiError>> =>
  promise.then(
    () => ({ message: "it did not fail" }),
    ({ kind, status, fieldErrors }: ApiError) => ({ kind, status, fieldErrors }),
  );

test("the same descriptors give the same records, wherever one begins", async () => {
  const one = mockBackend(interfaceOf(pet, owner));
  const other = mockBackend(interfaceOf(owner, pet));
  await other.get(owner, {}, "3");

  expect(await rowsOf(one)).toEqual(await rowsOf(other));
});

test("records name records that exist, and hold what those say", async () => {
  const backend = mockBackend(interfaceOf(pet, owner));
  const [first] = await rowsOf(backend);
  const owned = await backend.get(owner, {}, String(first?.ownerId));
  const favourite = owned.favourite as Row;

  expect(owned.id).toBe(first?.ownerId);
  const named = await backend.get(pet, {}, String(favourite.id));
  expect(favourite).toEqual({ id: named.id, name: named.name });
});

test("filters filter, search searches and sort sorts", async () => {
  const backend = mockBackend(interfaceOf(pet, owner));
  const rows = await rowsOf(backend);
  const sold = await rowsOf(backend, { filters: { status: "sold", minPrice: "50" } });
  const word = String(rows[4]?.name).slice(1).toUpperCase();
  const found = await rowsOf(backend, { search: word });
  const sorted = await rowsOf(backend, { sort: { field: "price", descending: true } });

  const isSold = (row: Row) => row.status === "sold" && Number(row.price) >= 50;
  expect(sold).toEqual(rows.filter(isSold));
  expect(sold.length).toBeGreaterThan(2);
  expect(found).toContainEqual(rows[4]);
  expect(found.length).toBeLessThan(rows.length);
  expect(sorted.map((row) => row.price)).toEqual(
    rows.map((row) => Number(row.price)).toSorted((one, other) => other - one),
  );
});

test("filters compare as they say, with lists and nested objects too", async () => {
  const backend = mockBackend(interfaceOf(pet, owner));
  const withFilter = (more: Partial<Resource["lists"][number]["filters"][number]>) =>
    petWith({
      paging: undefined,
      filters: [{ param: "f", field: field("f", "text"), ...more }],
    });
  const rows = await rowsOf(backend);
  const filtered = async (resource: Resource, value: Json) =>
    (await backend.list(resource, {}, { ...everything, filters: { f: value } })).rows;
  const [{ tags, createdAt } = {}] = rows;
  const [tag] = tags as string[];
  const day = String(createdAt).slice(0, 10);

  expect({
    contains: await filtered(withFilter({ of: "name", operator: "contains" }), "LU"),
    in: await filtered(withFilter({ of: "status", operator: "in" }), ["sold", "pending"]),
    tag: await filtered(withFilter({ of: "tags" }), tag ?? ""),
    to: await filtered(withFilter({ of: "createdAt", operator: "to" }), day),
    from: await filtered(withFilter({ of: "createdAt", operator: "from" }), day),
    unknown: (await filtered(withFilter({}), "x")).length,
  }).toEqual({
    contains: rows.filter((row) => String(row.name).toLowerCase().includes("lu")),
    in: rows.filter((row) => row.status !== "available"),
    tag: rows.filter((row) => (row.tags as string[]).includes(tag ?? "")),
    to: rows.filter((row) => String(row.createdAt).slice(0, 10) <= day),
    from: rows.filter((row) => String(row.createdAt) >= day),
    unknown: 47,
  });
});

test("names in any script are told apart", async () => {
  const options = ["a", "b"].map((value) => ({ value, label: value }));
  const [kind, status] = [field("类型", "text"), field("状态", "enum", { options })];
  const order = petWith(
    { paging: undefined, filters: [kind, status].map((one) => ({ param: one.name, field: one })) },
    {
      name: "订单",
      plural: "订单",
      fields: [field("id", "integer"), field("名称", "text"), status],
    },
  );
  const backend = mockBackend(interfaceOf(order));
  const filtered = async (filters: Query["filters"]) =>
    (await backend.list(order, {}, { ...everything, filters })).rows;
  const usage = (result: Summary["result"]) =>
    backend.summary({
      id: "usage",
      label: "用法",
      operation: operation("usage", "GET", "/usage"),
      kind: "bars",
      result,
    });
  const map = field("usage", "map", { item: field("value", "integer") });
  const stats = field("usage", "object", {
    fields: [field("total", "integer", { min: 60 }), field("订单", "integer", { min: 60 })],
  });
  const ofA = await filtered({ 状态: "a" });

  expect((await filtered({ 类型: "x" })).length).toBe(47);
  expect(new Set(ofA.map((row) => row.状态))).toEqual(new Set(["a"]));
  expect(Object.keys((await usage(map)) as Row)).not.toEqual(["a", "b"]);
  const counted = (await usage(stats)) as Row;
  expect([Number(counted.total) >= 60, counted.订单]).toEqual([true, 47]);
});

test("there is a total only where the API tells it", async () => {
  const backend = mockBackend(interfaceOf(pet, owner));
  const silent = petWith({ total: undefined });
  const query = { ...everything, pageSize: 20 };

  const page = await backend.list(pet, {}, query);
  const without = await backend.list(silent, {}, query);

  expect([page.total, page.hasNext, page.rows.length]).toEqual([47, true, 20]);
  expect([without.total, without.hasNext]).toEqual([undefined, true]);
});

test("what is created, changed and deleted stays so", async () => {
  const backend = mockBackend(interfaceOf(pet, owner));

  const made = await backend.create(pet, {}, { body: { name: "Nova", status: "sold" } });
  const changed = await backend.update(pet, {}, "48", { body: { status: "pending" } });
  await backend.remove(pet, {}, "1");

  expect(made).toEqual({ id: 48, name: "Nova", status: "sold", createdAt: "2026-06-15T12:00:00Z" });
  expect(changed).toEqual({ ...made, status: "pending" });
  expect(await backend.get(pet, {}, "48")).toEqual(changed);
  expect((await rowsOf(backend)).map((row) => row.id)).toEqual([
    48,
    ...Array.from({ length: 46 }, (_, index) => index + 2),
  ]);
});

test("answers cannot be used to change the records", async () => {
  const backend = mockBackend(interfaceOf(pet, owner));
  const row = await backend.get(pet, {}, "5");
  row.name = "changed";

  expect((await backend.get(pet, {}, "5")).name).not.toBe("changed");
});

test("refuses what a server would refuse", async () => {
  const backend = mockBackend(interfaceOf(pet, owner));
  const withKey = {
    ...pet,
    create: operation("create", "POST", "/pets", {
      body: { mediaType: "application/json", required: true, fields: [field("id", "integer")] },
    }),
  };

  expect([
    await failureOf(backend.create(pet, {}, { body: { price: -1 } })),
    await failureOf(backend.update(pet, {}, "1", { body: { name: "x" } })),
    await failureOf(backend.create(withKey, {}, { body: { id: 3 } })),
    await failureOf(backend.get(pet, {}, "48")),
    await failureOf(backend.remove(pet, {}, "48")),
    await failureOf(backend.update(pet, {}, "48", { body: { price: 1 } })),
  ]).toEqual([
    {
      kind: "invalid",
      status: 422,
      fieldErrors: { name: "This is required.", price: "Must be at least 0." },
    },
    { kind: "invalid", status: 422, fieldErrors: { name: "Must be at least 2 characters." } },
    { kind: "conflict", status: 409, fieldErrors: { id: "This is taken." } },
    { kind: "notFound", status: 404, fieldErrors: {} },
    { kind: "notFound", status: 404, fieldErrors: {} },
    { kind: "notFound", status: 404, fieldErrors: {} },
  ]);
});

test("no record takes the key of another one", async () => {
  const withKey = {
    ...pet,
    update: operation("update", "PUT", "/pets/{petId}", {
      body: {
        mediaType: "application/json",
        required: true,
        fields: [field("id", "integer"), field("name", "text")],
      },
    }),
  };
  const backend = mockBackend(interfaceOf(withKey, owner));
  const update = (id: number) => backend.update(withKey, {}, "1", { body: { id, name: "Nova" } });
  const before = await backend.get(withKey, {}, "1");

  expect(await failureOf(update(2))).toEqual({
    kind: "conflict",
    status: 409,
    fieldErrors: { id: "This is taken." },
  });
  expect(await backend.get(withKey, {}, "1")).toEqual(before);
  expect([(await update(1))?.id, (await update(99))?.id]).toEqual([1, 99]);
});

test("a resource below another one has records of its own for each scope", async () => {
  const visit: Resource = {
    ...pet,
    id: "visit",
    scopes: [{ param: "petId", field: field("petId", "integer"), resource: "pet" }],
    key: { field: "code", param: "code" },
    fields: [field("code", "text"), field("petId", "integer", { relation: { resource: "pet" } })],
    lists: [{ ...petList, paging: undefined, filters: [] }],
  };
  const backend = mockBackend(interfaceOf(pet, visit));
  const visits = async (petId: string) => (await backend.list(visit, { petId }, everything)).rows;

  const [ofOne, ofTwo] = [await visits("1"), await visits("2")];

  expect(new Set(ofOne.map((row) => row.petId))).toEqual(new Set([1]));
  expect(ofOne).not.toEqual(ofTwo);
  expect(new Set(ofOne.map((row) => row.code)).size).toBe(ofOne.length);
});

test("keys are unique, whatever they are made of", async () => {
  const keys = [
    field("name", "text"),
    field("username", "text"),
    field("uuid", "text"),
    field("code", "text", { pattern: "^[A-Z]{2}\\d{3}$" }),
    field("id", "text", { example: "cus_9sXn2Fq" }),
    field("kind", "enum", { options: [1, 2, 3].map((value) => ({ value, label: `${value}` })) }),
    field("id", "integer", { min: 10, max: 20 }),
  ];
  const counts = await Promise.all(
    keys.map(async (key) => {
      const resource = { ...all, key: { field: key.name, param: "petId" }, fields: [key] };
      const { rows } = await mockBackend(interfaceOf(resource)).list(resource, {}, everything);
      return [rows.length, new Set(rows.map((row) => row[key.name])).size];
    }),
  );

  expect(counts).toEqual([...Array(5).fill([47, 47]), [3, 3], [11, 11]]);
});

test("every state can be shown", async () => {
  const failing = (simulated: Simulated) =>
    mockBackend(interfaceOf(pet, owner), {
      simulate: ({ id }) => (id === "getPet" ? undefined : simulated),
    });
  const listed = (simulated: Simulated) => failureOf(failing(simulated).list(pet, {}, everything));

  expect({
    error: await listed("error"),
    unauthorized: await listed("unauthorized"),
    forbidden: await listed("forbidden"),
    empty: await failing("empty").list(pet, {}, everything),
    other: (await failing("error").get(pet, {}, "2")).id,
  }).toEqual({
    error: { kind: "server", status: 500, fieldErrors: {} },
    unauthorized: { kind: "unauthorized", status: 401, fieldErrors: {} },
    forbidden: { kind: "forbidden", status: 403, fieldErrors: {} },
    empty: { rows: [], total: 0, hasNext: false },
    other: 2,
  });
});

test("a slow answer can be stopped", async () => {
  const backend = mockBackend(interfaceOf(pet, owner), { simulate: () => "slow" });
  const stop = new AbortController();
  const list = failureOf(backend.list(pet, {}, everything, stop.signal));
  stop.abort();

  expect(await list).toMatchObject({ kind: "aborted" });
  expect(await failureOf(backend.list(pet, {}, everything, stop.signal))).toMatchObject({
    kind: "aborted",
  });
});

const action = (more: Partial<Action>): Action => ({
  id: "act",
  label: "Act",
  kind: "action",
  on: "record",
  operation: operation("act", "POST", "/pets/{petId}/act"),
  ...more,
});

test("actions answer with the record, something plausible, a file, or nothing", async () => {
  const backend = mockBackend(interfaceOf(pet, owner));
  const run = (more: Partial<Action>, key = "2") => backend.run(action(more), pet, {}, key, {});
  const whole = field("pet", "object", { fields: pet.fields });

  expect(await run({ result: whole })).toEqual(await backend.get(pet, {}, "2"));
  expect(await run({ result: field("count", "integer") })).toEqual(expect.any(Number));
  expect(await run({ kind: "download" })).toMatchObject({
    name: "act.txt",
    mediaType: "text/plain",
  });
  expect(await run({})).toBeUndefined();
  expect(await failureOf(run({}, "99"))).toMatchObject({ kind: "notFound" });
});

test("summaries count the sample records where their names say of what", async () => {
  const descriptor: InterfaceDescriptor = interfaceOf(pet, owner);
  const backend = mockBackend(descriptor);
  const summary = (more: Partial<Summary>): Summary => ({
    id: "inventory",
    label: "Inventory",
    description: "Pets by status",
    operation: operation("inventory", "GET", "/inventory"),
    kind: "bars",
    result: field("inventory", "map", { item: field("", "integer") }),
    ...more,
  });
  const rows = await rowsOf(backend);
  const stats = field("stats", "object", {
    fields: [field("petCount", "integer"), field("total_owners", "integer")],
  });

  const counts = (await backend.summary(summary({}))) as Record<string, number>;

  expect(Object.keys(counts)).toEqual(["available", "pending", "sold"]);
  expect(counts.sold).toBe(rows.filter((row) => row.status === "sold").length);
  expect(await backend.summary(summary({ kind: "stats", result: stats }))).toEqual({
    petCount: 47,
    total_owners: 47,
  });
});
