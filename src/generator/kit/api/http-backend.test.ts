/// <reference types="node" />
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import type { ApiDescriptor, Json, Paging } from "../descriptor.ts";
import { type ApiError, isFileResult, type Query } from "./backend.ts";
import type { Credentials } from "./credentials.ts";
import { httpBackend } from "./http-backend.ts";
import { api, everyPaging, field, operation, pet, petWith } from "./petstore.test.data.ts";
import { fetchTransport } from "./transport.ts";

interface Seen {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: Json;
  text?: string;
}

let server: Server | undefined;

afterEach(async () => {
  await new Promise((closed) => (server ? server.close(closed) : closed(undefined)));
  server = undefined;
});

/** A server that answers as it is told, and a backend that talks to it. */
async function serving(
  answerTo: (seen: Seen) => Answer | undefined,
  options: { api?: Partial<ApiDescriptor>; credentials?: Credentials } = {},
) {
  const seen: Seen[] = [];
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url = "", headers } = request;
    seen.push({ method, url, headers, body });
    const answer = answerTo({ method, url, headers, body });
    if (!answer) return; // never answers
    const text = answer.text ?? (answer.body === undefined ? "" : JSON.stringify(answer.body));
    const type = answer.text === undefined ? "application/json" : "text/plain";
    response.writeHead(answer.status ?? 200, { "content-type": type, ...answer.headers });
    response.end(text);
  });
  await new Promise((listening) => server?.listen(0, "127.0.0.1", () => listening(undefined)));
  const target = {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`,
    credentials: options.credentials ?? {},
  };
  const backend = httpBackend({ ...api, ...options.api }, () => target, fetchTransport);
  return { backend, seen, target };
}

const query: Query = { filters: {}, page: 0, pageSize: 20 };

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  return promise.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: ApiError) => error,
  );
}

test("asks for a page with filters, search and sort, and reads the rows and the total", async () => {
  const { backend, seen } = await serving(() => ({
    body: { data: [{ id: 1, name: "Luna" }], meta: { total: 41 } },
  }));

  const page = await backend.list(
    pet,
    {},
    {
      filters: { status: "sold", minPrice: 5, color: "red" },
      search: "lu",
      sort: { field: "price", descending: true },
      page: 2,
      pageSize: 500,
    },
  );

  expect(page).toEqual({ rows: [{ id: 1, name: "Luna" }], total: 41, hasNext: false });
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "GET /v1/pets?status=sold&q=lu&sort=-price&minPrice=5&limit=50&page=3",
  ]);
});

test("uses another list when a filter is set that only it has", async () => {
  const { backend, seen } = await serving(() => ({ body: [{ id: 1 }] }));
  const list = {
    ...operation("findByTag", "GET", "/pets/findByTag"),
    rows: [],
    filters: [{ param: "tag", field: field("tag", "text") }],
  };
  const resource = { ...pet, lists: [...pet.lists, list] };

  await backend.list(resource, {}, { ...query, filters: { tag: "new" } });
  await backend.list(resource, {}, { ...query, filters: { tag: "" } }).catch(() => undefined);

  expect(seen.map(({ url }) => url)).toEqual([
    "/v1/pets/findByTag?tag=new",
    "/v1/pets?limit=20&page=1",
  ]);
});

test("reads rows as values of a map, inside edges, and as plain values", async () => {
  const answers: Json[] = [
    { a: { size: 1 }, b: { size: 2 } },
    { edges: [{ node: { id: 3 } }, null] },
    ["x"],
  ];
  const { backend } = await serving(() => ({ body: answers.shift() }));
  const plain = { paging: undefined, total: undefined };

  const rows = async (resource: typeof pet) => (await backend.list(resource, {}, query)).rows;

  expect(await rows(petWith({ ...plain, rows: [], keyed: "name" }))).toEqual([
    { size: 1, name: "a" },
    { size: 2, name: "b" },
  ]);
  expect(await rows(petWith({ ...plain, rows: ["edges"], row: ["node"] }))).toEqual([{ id: 3 }]);
  expect(await rows(petWith({ ...plain, rows: [] }))).toEqual([{ id: "x" }]);
});

test("reads the total from a header", async () => {
  const headers = { "x-total-count": "47", "content-range": "items 0-0/48" };
  const { backend } = await serving(() => ({ body: [{ id: 1 }], headers }));
  const total = async (header: string) =>
    (await backend.list(petWith({ rows: [], total: [`header:${header}`] }), {}, query)).total;

  expect([await total("X-Total-Count"), await total("Content-Range")]).toEqual([47, 48]);
});

test("an answer that leaves out the list around its only record has one row", async () => {
  const { backend } = await serving(() => ({ body: { data: { id: 7, name: "Rex" } } }));
  expect((await backend.list(pet, {}, query)).rows).toEqual([{ id: 7, name: "Rex" }]);
});

test("an answer that leaves out its empty list has no rows, one without a list is a bad one", async () => {
  const answers: Answer[] = [{ body: {} }, { body: { data: "none" } }, { text: "<html>" }];
  const { backend } = await serving(() => answers.shift());

  expect(await backend.list(pet, {}, query)).toEqual({ rows: [], hasNext: false });
  expect(await failureOf(backend.list(pet, {}, query))).toMatchObject({
    kind: "badResponse",
    message: "The answer of the server has no list at “data”.",
  });
  expect(await failureOf(backend.list(pet, {}, query))).toMatchObject({
    kind: "badResponse",
    message: "The server answered with text/plain instead of JSON. Is the address right?",
  });
});

/** What a server with 23 pets answers, the way each kind of paging wants it. */
function pagingAnswer(paging: Paging, seen: Seen): Answer {
  const asked = new URL(seen.url, "http://x").searchParams;
  const all = Array.from({ length: 23 }, (_, index) => ({ id: index + 1 }));
  const size = Number((paging.sizeParam && asked.get(paging.sizeParam)) || paging.size);
  const given = Number((paging.param && asked.get(paging.param)) || 0);
  const starts = {
    page: () => (given - ("first" in paging ? paging.first : 0)) * size,
    offset: () => given,
    cursor: () => given,
    link: () => Math.max(0, given - 1) * size,
    relay: () => given,
  };
  const start = starts[paging.kind]();
  const end = start + size;
  const more = end < all.length;
  const url = new URL(seen.url, "http://elsewhere.example");
  if (paging.kind === "link") url.searchParams.set(paging.param ?? "", String(end / size + 1));
  return {
    headers: more ? { link: `<http://x/?page=1>; rel="first", <${url.href}>; rel="next"` } : {},
    body: {
      data: all.slice(start, end),
      next: more ? end : null,
      has_more: more,
      pets: { pageInfo: { endCursor: String(end), hasNextPage: more } },
    },
  };
}

test.each(everyPaging)("walks through all pages by $kind", async (paging) => {
  const { backend } = await serving((seen) => pagingAnswer(paging, seen));
  const resource = petWith({ paging, total: undefined });
  const ids: Json[] = [];

  let cursor: string | undefined;
  for (let page = 0; page < 30; page += 1) {
    const got = await backend.list(resource, {}, { ...query, page, pageSize: 6, cursor });
    ids.push(...got.rows.map((row) => row.id ?? null));
    cursor = got.next;
    if (!got.hasNext) break;
  }

  expect(ids).toEqual(Array.from({ length: 23 }, (_, index) => index + 1));
});

test("takes a cursor out of an address, and never goes to another host for the next page", async () => {
  const paging: Paging = { kind: "cursor", param: "cursor", size: 2, next: ["next"] };
  const next = "https://evil.example/steal?cursor=abc%3D&limit=2";
  const { backend, seen } = await serving(() => ({ body: { data: [{ id: 1 }], next } }));
  const resource = petWith({ paging, total: undefined });

  const first = await backend.list(resource, {}, query);
  await backend.list(resource, {}, { ...query, cursor: first.next });

  expect(first).toEqual({ rows: [{ id: 1 }], next: "abc=", hasNext: true });
  expect(seen.map(({ url }) => url)).toEqual(["/v1/pets", "/v1/pets?cursor=abc%3D"]);
});

test("takes the next cursor, and whether there is more, from headers", async () => {
  const paging: Paging = {
    kind: "cursor",
    param: "cursor",
    size: 1,
    next: ["header:X-Next-Cursor"],
    hasMore: ["header:x-has-more"],
  };
  const answers = [
    { "x-next-cursor": "abc", "x-has-more": "true" },
    { "x-next-cursor": "abc", "x-has-more": "False" },
    { "x-next-cursor": "abc" },
    { "x-has-more": "true" },
  ];
  const { backend } = await serving(() => ({
    body: { data: [{ id: 1 }] },
    headers: answers.shift() as Record<string, string>,
  }));
  const resource = petWith({ paging, total: undefined });

  const next: (string | undefined)[] = [];
  while (answers.length > 0) next.push((await backend.list(resource, {}, query)).next);

  expect(next).toEqual(["abc", undefined, "abc", undefined]);
});

test("a page is full when it has as many rows as were asked for, not as many as are usual", async () => {
  const paging: Paging = {
    kind: "cursor",
    param: "after",
    sizeParam: "limit",
    size: 20,
    nextFromRow: "id",
  };
  const { backend } = await serving(() => ({ body: { data: [{ id: 1 }, { id: 2 }] } }));
  const resource = petWith({ paging, total: undefined });
  const next = async (pageSize: number) =>
    (await backend.list(resource, {}, { ...query, pageSize })).next;

  expect([await next(2), await next(3)]).toEqual(["2", undefined]);
});

test("finds a record in the list when there is no operation for one", async () => {
  const { backend } = await serving((seen) =>
    pagingAnswer({ kind: "page", param: "page", sizeParam: "limit", first: 1, size: 20 }, seen),
  );
  const resource = petWith({ total: undefined }, { detail: undefined });

  expect(await backend.get(resource, {}, "23")).toEqual({ id: 23 });
  expect(await failureOf(backend.get(resource, {}, "99"))).toMatchObject({ kind: "notFound" });
});

test("puts keys and scopes into the path, encoded", async () => {
  const { backend, seen } = await serving(() => ({ body: { pet: { id: "a/b" } } }));
  const path = "/owners/{owner}/pets/{petId}";
  const resource = { ...pet, detail: operation("get", "GET", path, { result: ["pet"] }) };

  const row = await backend.get(resource, { owner: "Zoë & co" }, "a/b?");

  expect(row).toEqual({ id: "a/b" });
  expect(seen[0]?.url).toBe("/v1/owners/Zo%C3%AB%20%26%20co/pets/a%2Fb%3F");
});

test("refuses keys that would lead to another operation, and scopes that are missing", async () => {
  const { backend, seen } = await serving(() => ({ body: {} }));
  const scoped = { ...pet, remove: operation("x", "DELETE", "/owners/{owner}/pets/{petId}") };

  const failures = [
    await failureOf(backend.remove(pet, {}, "..")),
    await failureOf(backend.remove(scoped, {}, "1")),
  ];

  expect(failures.map(({ kind, fieldErrors }) => [kind, fieldErrors])).toEqual([
    ["invalid", { petId: "This cannot stand in an address." }],
    ["invalid", { owner: "This is required." }],
  ]);
  expect(seen).toEqual([]);
});

test("creates, updates and deletes; an empty answer is fine", async () => {
  const { backend, seen } = await serving(({ method }) =>
    method === "POST" ? { status: 201, body: { id: 7, name: "Luna" } } : { status: 204 },
  );

  const made = await backend.create(pet, {}, { body: { name: "Luna" } });
  const changed = await backend.update(pet, {}, "7", {
    params: { notify: true },
    body: { price: 3 },
  });
  await backend.remove(pet, {}, "7");

  expect([made, changed]).toEqual([{ id: 7, name: "Luna" }, undefined]);
  expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["POST", "/v1/pets", '{"name":"Luna"}'],
    ["PATCH", "/v1/pets/7?notify=true", '{"price":3}'],
    ["DELETE", "/v1/pets/7", ""],
  ]);
});

test("an update without a key in its path carries it in the body", async () => {
  const { backend, seen } = await serving(() => ({ body: {} }));
  const body = {
    mediaType: "application/json",
    required: true,
    fields: [field("id", "integer"), field("name", "text")],
  };
  const resource = { ...pet, update: operation("put", "PUT", "/pets", { body }) };

  await backend.update(resource, {}, "7", { body: { name: "Luna" } });

  expect(seen.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
    ["/v1/pets", { id: 7, name: "Luna" }],
  ]);
});

test("uploads files as multipart", async () => {
  const { backend, seen } = await serving(() => ({ text: "thanks" }));
  const body = {
    mediaType: "multipart/form-data",
    required: true,
    fields: [field("photo", "file")],
  };
  const action = {
    id: "upload",
    label: "Upload",
    kind: "upload" as const,
    on: "record" as const,
    operation: operation("upload", "POST", "/pets/{petId}/photo", { body }),
  };
  const photo = new File(["pixels"], "luna.png", { type: "image/png" });

  const result = await backend.run(action, pet, {}, "7", { body: { photo, note: ["a", "b"] } });

  expect(result).toBe("thanks");
  expect(seen[0]?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
  expect(seen[0]?.body).toContain(
    'name="photo"; filename="luna.png"\r\nContent-Type: image/png\r\n\r\npixels',
  );
  expect(seen[0]?.body.match(/name="note"/g)).toHaveLength(2);
});

test("a download is a file with the name that the server gives it", async () => {
  const { backend } = await serving(() => ({
    text: "a;b",
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="x.csv"; filename*=UTF-8''caf%C3%A9.csv`,
    },
  }));
  const action = {
    id: "export",
    label: "Export",
    kind: "download" as const,
    on: "collection" as const,
    operation: operation("export", "GET", "/pets.csv"),
  };

  const result = await backend.run(action, pet, {}, undefined, {});

  if (!isFileResult(result)) throw new Error("not a file");
  expect([result.name, result.mediaType, await result.content.text()]).toEqual([
    "café.csv",
    "text/csv",
    "a;b",
  ]);
});

test("sends credentials where each scheme wants them", async () => {
  const { backend, seen } = await serving(() => ({ body: {} }), {
    api: {
      auth: [
        { id: "key", label: "Key", kind: "apiKey", in: "query", name: "api_key" },
        { id: "session", label: "Session", kind: "apiKey", in: "cookie", name: "sid" },
        { id: "login", label: "Login", kind: "basic" },
      ],
    },
    credentials: {
      key: { token: "k&1" },
      session: { token: "s1" },
      login: { username: "zoë", password: "p:w" },
    },
  });
  const withAuth = (auth?: string[][]) => ({
    ...pet,
    detail: operation("get", "GET", "/pets/{petId}", { auth }),
  });

  await backend.get(withAuth([["unknown"], ["key", "session"]]), {}, "1");
  await backend.get(withAuth([[], ["login"]]), {}, "1");
  await backend.get(withAuth(), {}, "1");

  expect(seen.map(({ url, headers }) => [url, headers.cookie, headers.authorization])).toEqual([
    ["/v1/pets/1?api_key=k%261", "sid=s1", undefined],
    ["/v1/pets/1", undefined, "Basic em/DqzpwOnc="],
    ["/v1/pets/1", undefined, undefined],
  ]);
});

test("errors of the server have a kind, its words, and messages for fields", async () => {
  const answers: Answer[] = [
    { status: 401, body: { message: "Bad credentials" } },
    { status: 403, text: "<html>No</html>" },
    { status: 404, body: {} },
    { status: 422, body: { message: "Invalid", errors: { name: ["is too short"] } } },
    { status: 429, headers: { "retry-after": "7" }, body: { error: "slow_down" } },
    { status: 500, text: "Oops" },
  ];
  const { backend } = await serving(() => answers.shift());

  const failures: ApiError[] = [];
  while (answers.length > 0) failures.push(await failureOf(backend.create(pet, {}, { body: {} })));

  const said = failures.map(({ kind, status, message, fieldErrors, retryAfter }) => ({
    kind,
    status,
    message,
    fieldErrors,
    retryAfter,
  }));
  expect(said).toEqual([
    { kind: "unauthorized", status: 401, message: "Bad credentials", fieldErrors: {} },
    { kind: "forbidden", status: 403, message: "You are not allowed to do this.", fieldErrors: {} },
    {
      kind: "notFound",
      status: 404,
      message: "This does not exist, or no longer.",
      fieldErrors: {},
    },
    { kind: "invalid", status: 422, message: "Invalid", fieldErrors: { name: "is too short" } },
    { kind: "rateLimited", status: 429, message: "Slow down.", fieldErrors: {}, retryAfter: 7 },
    { kind: "server", status: 500, message: "Oops", fieldErrors: {} },
  ]);
});

test("no answer, no address and a stop are told apart", async () => {
  const { backend, target } = await serving(() => undefined);
  const stop = new AbortController();
  const stopped = failureOf(backend.list(pet, {}, query, stop.signal));
  stop.abort();
  const failures = [await stopped];
  server?.closeAllConnections();
  target.server = "http://127.0.0.1:1";
  failures.push(await failureOf(backend.list(pet, {}, query)));
  for (const address of ["", "/v1", "file:///etc/passwd"]) {
    target.server = address;
    failures.push(await failureOf(backend.list(pet, {}, query)));
  }

  expect(failures.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
    "aborted: This was stopped.",
    "network: No answer from 127.0.0.1:1. The address may be wrong, the server down, or it does not allow calls from web pages (CORS).",
    ...Array(3).fill("network: The address of the API is not known. Enter it to connect."),
  ]);
});

test("does not wait for ever", async () => {
  const { backend } = await serving(() => undefined);
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());

  const { kind, message } = await failureOf(backend.list(pet, {}, query));

  expect([kind, message]).toEqual([
    "network",
    expect.stringMatching(/^127\.0\.0\.1:\d+ did not answer within 30 seconds\.$/),
  ]);
  expect(timeout.mock.calls).toEqual([[30_000]]);
  timeout.mockRestore();
});

test("keeps keys exact that are too long for a number", async () => {
  const { backend } = await serving(() => ({
    text: '{"id": 9223372036854775807, "n": 12, "s": "1234567890123456789"}',
  }));

  expect(await backend.get(pet, {}, "1")).toEqual({
    id: "9223372036854775807",
    n: 12,
    s: "1234567890123456789",
  });
});

const variable = (name: string, kind: "integer" | "text", required = false) => ({
  name,
  in: "query" as const,
  field: field(name, kind),
  required,
});

test("posts GraphQL documents with typed variables and reads below data", async () => {
  const { backend, seen } = await serving(
    ({ body }): Answer =>
      body.includes("mutation")
        ? { body: { data: { updatePet: { pet: { id: 7 } } } } }
        : { body: { data: { pets: { nodes: [{ id: 7 }] } }, errors: [{ message: "partly" }] } },
    { api: { protocol: "graphql" } },
  );
  const resource = petWith(
    {
      ...operation("pets", "POST", "pets", { document: "query q { pets }" }),
      params: [variable("limit", "integer"), variable("skip", "integer")],
      rows: ["pets", "nodes"],
      total: undefined,
      paging: { kind: "offset", param: "skip", sizeParam: "limit", size: 10 },
    },
    {
      key: { field: "id", param: "id" },
      update: {
        ...operation("updatePet", "POST", "updatePet", { document: "mutation m" }),
        params: [variable("id", "integer", true)],
        body: { mediaType: "application/json", required: true, fields: pet.fields, wrap: "input" },
        result: ["updatePet", "pet"],
      },
    },
  );

  const page = await backend.list(resource, {}, { ...query, page: 1 });
  const row = await backend.update(resource, {}, "7", { body: { name: "Luna" } });

  expect([page.rows, row]).toEqual([[{ id: 7 }], { id: 7 }]);
  expect(seen.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
    ["POST", "/v1/", { query: "query q { pets }", variables: { limit: 20, skip: 20 } }],
    ["POST", "/v1/", { query: "mutation m", variables: { id: 7, input: { name: "Luna" } } }],
  ]);
});

test("GraphQL gets no part of an untouched object that its input type does not name", async () => {
  const { backend, seen } = await serving(() => ({ body: { data: { updatePet: {} } } }), {
    api: { protocol: "graphql" },
  });
  const street = [field("street", "text")];
  const fields = [
    field("home", "object", { fields: street }),
    field("others", "list", { item: field("", "object", { fields: street }) }),
    field("extra", "json"),
  ];
  const update = {
    ...operation("updatePet", "POST", "updatePet", { document: "mutation m" }),
    body: { mediaType: "application/json", required: true, fields, wrap: "input" },
  };
  const body = {
    home: { id: 5, street: "x" },
    others: [{ id: 6, street: "y" }],
    extra: { any: 1 },
  };

  await backend.update({ ...pet, key: undefined, update }, {}, undefined, { body });

  expect(JSON.parse(seen[0]?.body ?? "").variables).toEqual({
    input: { home: { street: "x" }, others: [{ street: "y" }], extra: { any: 1 } },
  });
});

test("errors of GraphQL become errors like any other", async () => {
  const denied = { message: "Log in", extensions: { code: "UNAUTHENTICATED" } };
  const badInput = {
    message: "Validation failed",
    extensions: { code: "BAD_USER_INPUT", validation: { "input.name": ["is taken"] } },
  };
  const answers: Json[] = [
    { data: null, errors: [denied] },
    { errors: [badInput] },
    { data: { createPet: { userErrors: [{ field: ["input", "price"], message: "Too high" }] } } },
  ];
  const { backend } = await serving(() => ({ body: answers.shift() }), {
    api: { protocol: "graphql" },
  });
  const resource = {
    ...pet,
    create: { ...operation("c", "POST", "createPet"), body: pet.create?.body },
  };

  const failures: ApiError[] = [];
  while (answers.length > 0)
    failures.push(await failureOf(backend.create(resource, {}, { body: {} })));

  expect(
    failures.map(({ kind, message, fieldErrors }) => ({ kind, message, fieldErrors })),
  ).toEqual([
    { kind: "unauthorized", message: "Log in", fieldErrors: {} },
    { kind: "invalid", message: "Validation failed", fieldErrors: { name: "is taken" } },
    { kind: "invalid", message: "Too high", fieldErrors: { price: "Too high" } },
  ]);
});
