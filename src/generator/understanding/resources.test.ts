import { expect, test } from "vitest";
import type { Schema } from "../normalized-spec.ts";
import { api, listOf, object, outlines, ref, type Told, text, whole } from "./api-under-test.ts";
import { understand } from "./understand.ts";

const models: Record<string, Schema> = {
  Pet: object({ id: whole, name: text, ownerId: whole }),
  Owner: object({ id: whole, name: text }),
  User: object({ login: text, name: text }),
};
const pet = ref("Pet");
const pets = listOf(pet);

const understood = (operations: Record<string, Told>) => understand(api(operations, models));
const outlined = (operations: Record<string, Told>) => outlines(understood(operations));

test.each(["/pets", "/api/v1/pets", "/v2/store/pets", "/pets/"])(
  "a collection and its item are one resource, whatever lies before: %s",
  (path) => {
    const item = `${path.replace(/\/$/, "")}/{petId}`;
    const found = outlined({
      [`GET ${path}`]: { answer: pets },
      [`POST ${path}`]: { body: pet, answer: pet },
      [`GET ${item}`]: { answer: pet },
      [`PUT ${item}`]: { body: pet, answer: pet },
      [`PATCH ${item}`]: { body: pet, answer: pet },
      [`DELETE ${item}`]: {},
    });
    expect(found).toEqual({
      pet: {
        lists: [`GET ${path}`],
        detail: `GET ${item}`,
        create: `POST ${path}`,
        update: `PATCH ${item}`,
        remove: `DELETE ${item}`,
        actions: [`record: PUT ${item}`],
      },
    });
  },
);

test("a list and an item are one resource though only one of their names is plural", () => {
  expect(outlined({ "GET /pets": { answer: pets }, "GET /pet/{id}": { answer: pet } })).toEqual({
    pet: { lists: ["GET /pets"], detail: "GET /pet/{id}" },
  });
});

test("a thing that there is one of is not the collection of the same name", () => {
  const found = outlined({
    "GET /user": { answer: ref("User") },
    "PATCH /user": { body: ref("User"), answer: ref("User") },
    "GET /users": { answer: listOf(ref("User")) },
    "GET /users/{login}": { answer: ref("User") },
  });
  expect(found).toEqual({
    user: { lists: ["GET /users"], detail: "GET /users/{login}" },
    "current-user": { detail: "GET /user", update: "PATCH /user" },
  });
});

test("a whole record that is put to the collection changes it", () => {
  const found = outlined({
    "GET /pets": { answer: pets },
    "PUT /pets": { body: pet },
    "GET /pets/{id}": { answer: pet },
  });
  expect(found.pet).toEqual({ lists: ["GET /pets"], detail: "GET /pets/{id}", update: "PUT /pets" });
});

test("a POST to an item changes it, as in form-encoded APIs", () => {
  const model = understood({
    "GET /v1/customers/{customer}": { answer: pet },
    "POST /v1/customers": { body: pet, sent: "application/x-www-form-urlencoded", answer: pet },
    "POST /v1/customers/{customer}": { body: pet, sent: "application/x-www-form-urlencoded", answer: pet },
  });
  expect(outlines(model)).toEqual({
    customer: {
      detail: "GET /v1/customers/{customer}",
      create: "POST /v1/customers",
      update: "POST /v1/customers/{customer}",
    },
  });
  expect(model.resources[0]?.update?.body?.mediaType).toBe("application/x-www-form-urlencoded");
});

test("a JSON Patch is no form to fill in", () => {
  const found = outlined({
    "GET /pets/{id}": { answer: pet },
    "PATCH /pets/{id}": { body: listOf(object({ op: text })) },
    "PUT /pets/{id}": { body: pet },
  });
  expect(found.pet).toEqual({
    detail: "GET /pets/{id}",
    update: "PUT /pets/{id}",
    actions: ["record: PATCH /pets/{id}"],
  });
});

test("words for what is done are no things", () => {
  const found = outlined({
    "GET /containers/json": { answer: pets },
    "GET /containers/{id}/json": { answer: pet },
    "POST /containers/create": { body: pet, answer: pet },
    "POST /containers/{id}/update": { body: pet },
    "POST /containers/{id}/start": {},
    "POST /containers/prune": {},
    "DELETE /containers/{id}": {},
  });
  expect(found).toEqual({
    container: {
      lists: ["GET /containers/json"],
      detail: "GET /containers/{id}/json",
      create: "POST /containers/create",
      update: "POST /containers/{id}/update",
      remove: "DELETE /containers/{id}",
      actions: ["record: POST /containers/{id}/start", "collection: POST /containers/prune"],
    },
  });
});

test("operations that name their record in the query or the body are of one resource, too", () => {
  const model = understood({
    "GET /users.list": { answer: object({ users: listOf(ref("User")) }) },
    "GET /users.info": { query: { id: text }, needs: ["id"], answer: object({ user: ref("User") }) },
    "POST /users.create": { body: ref("User") },
    "POST /users.delete": { body: object({ id: text }) },
  });
  expect(outlines(model)).toEqual({
    user: {
      lists: ["GET /users.list"],
      detail: "GET /users.info",
      create: "POST /users.create",
      remove: "POST /users.delete",
    },
  });
  expect(model.resources[0]?.detail?.result).toEqual(["user"]);
});

test("what lies below a record is a resource if it can be listed, and something to do if not", () => {
  const model = understood({
    "GET /owners/{ownerId}": { answer: ref("Owner") },
    "GET /owners/{ownerId}/pets": { answer: pets },
    "GET /owners/{ownerId}/pets/{petId}": { answer: pet },
    "GET /owners/{ownerId}/health": { answer: object({ state: text }) },
    "POST /owners/{ownerId}/pets/{petId}/feed": {},
  });
  expect(outlines(model)).toEqual({
    owner: { detail: "GET /owners/{ownerId}", actions: ["record: GET /owners/{ownerId}/health"] },
    "owner-pet": {
      lists: ["GET /owners/{ownerId}/pets"],
      detail: "GET /owners/{ownerId}/pets/{petId}",
      actions: ["record: POST /owners/{ownerId}/pets/{petId}/feed"],
    },
  });
  expect(model.resources.find(({ id }) => id === "owner-pet")?.scopes).toEqual([
    { param: "ownerId", field: { name: "ownerId", label: "Owner ID", kind: "text" }, resource: "owner", from: "id" },
  ]);
  expect(model.resources.find(({ id }) => id === "owner")?.children).toEqual([
    { resource: "owner-pet", label: "Pets", via: "scope", param: "ownerId" },
  ]);
});

test("two collections of one model are two resources with names of their own", () => {
  const users = { answer: listOf(ref("User")) };
  const { resources } = understood({
    "GET /users": users,
    "GET /orgs/{org}/users": users,
    "GET /teams/{team}/users": users,
  });
  expect(resources.map(({ id, name, plural }) => [id, name, plural])).toEqual([
    ["user", "User", "Users"],
    ["org-user", "Org user", "Org users"],
    ["team-user", "Team user", "Team users"],
  ]);
});

test("names and ids do not depend on the order of a description", () => {
  const told: [string, Told][] = [
    ["GET /jobs", { answer: pets }],
    ["GET /teams/{team}/jobs", { answer: pets }],
    ["GET /batch/jobs", { answer: pets }],
  ];
  const named = (operations: [string, Told][]) =>
    Object.fromEntries(
      understood(Object.fromEntries(operations)).resources.map(({ id, name, lists }) => [lists[0]?.path, [id, name]]),
    );
  expect(named(told.toReversed())).toEqual(named(told));
});

test("a path that abbreviates is named in full", () => {
  const { resources } = understand(
    api(
      { "GET /repos/{owner}/{repo}": { answer: ref("full-repository") } },
      { "full-repository": object({ id: whole, name: text }) },
    ),
  );
  expect(
    resources.map(({ id, name, plural, key, scopes }) => [id, name, plural, key, scopes?.map(({ param }) => param)]),
  ).toEqual([["repo", "Repository", "Repositories", { field: "name", param: "repo" }, ["owner"]]]);
});

test("one value fits all operations of a resource, whatever their paths call it", () => {
  const [resource] = understood({ "GET /pets/{petId}": { answer: pet }, "DELETE /pets/{id}": {} }).resources;
  expect([resource?.key, resource?.remove?.path, resource?.remove?.params.map(({ name }) => name)]).toEqual([
    { field: "id", param: "petId" },
    "/pets/{petId}",
    ["petId"],
  ]);
});

test("records and bodies are taken out of what they are wrapped in", () => {
  const [resource] = understood({
    "GET /pets/{id}": { answer: object({ data: pet, meta: object({}) }) },
    "POST /pets": { body: object({ pet }), answer: object({ pet }) },
  }).resources;
  expect([
    resource?.detail?.result,
    resource?.create?.result,
    resource?.create?.body?.wrap,
    resource?.create?.body?.fields?.map(({ name }) => name),
  ]).toEqual([["data"], ["pet"], "pet", ["name", "ownerId"]]);
});

test("an item that comes in an array is the first of it", () => {
  const [resource] = understood({ "GET /pets": { answer: pets }, "GET /pets/{id}": { answer: pets } }).resources;
  expect([resource?.lists.length, resource?.detail?.result]).toEqual([1, ["0"]]);
});

test("the parts of a record that are one level down are columns, too", () => {
  const record = object({
    id: text,
    type: text,
    attributes: object({ title: text, status: { type: "enum", enumValues: ["a", "b"] } }),
  });
  const [resource] = understood({
    "GET /posts": { answer: object({ data: listOf(record) }) },
    "GET /posts/{id}": { answer: object({ data: record }) },
  }).resources;
  expect([resource?.title, resource?.columns]).toEqual([
    "attributes.title",
    ["attributes.title", "type", "attributes.status", "id"],
  ]);
});

test("the key is the field that the path takes: an id for an id, and for a name what names a record in addresses", () => {
  const keyOf = (param: string, fields: string[]) => {
    const answer = object(Object.fromEntries(fields.map((name) => [name, text])));
    const [resource] = understand(api({ [`GET /things/{${param}}`]: { answer } })).resources;
    return resource?.key?.field;
  };
  expect([
    keyOf("areaID", ["Name", "OID"]),
    keyOf("identifier", ["name", "id"]),
    keyOf("thing", ["id", "name", "key"]),
    keyOf("thing", ["id", "name"]),
    keyOf("thing_id", ["name", "id"]),
  ]).toEqual(["OID", "id", "key", "name", "id"]);
});

test("a list and records at paths that differ in a version, or in how short they are, are one resource", () => {
  const account = object({ id: whole, name: text, iban: text });
  const spec = api({
    "GET /v1/accounts": { answer: listOf(object({ id: whole, name: text })) },
    "GET /v3/accounts/{id}": { answer: account },
    "GET /organizations": { answer: listOf(object({ login: text, id: whole })) },
    "GET /orgs/{org}": { answer: object({ login: text, id: whole, name: text }) },
    "GET /reports": { answer: listOf(object({ day: text, figure: whole })) },
    "GET /rep/{id}": { answer: object({ id: whole, name: text }) },
  });
  expect(outlines(understand(spec))).toEqual({
    account: { lists: ["GET /v1/accounts"], detail: "GET /v3/accounts/{id}" },
    org: { lists: ["GET /organizations"], detail: "GET /orgs/{org}" },
    report: { lists: ["GET /reports"] },
    rep: { detail: "GET /rep/{id}" },
  });
});

test("where rows lack what names a whole record, columns begin with what names a row", () => {
  const spec = api({
    "GET /orgs": { answer: listOf(object({ id: whole, login: text })) },
    "GET /orgs/{id}": { answer: object({ id: whole, login: text, name: text }) },
  });
  const [org] = understand(spec).resources;
  expect([org?.title, org?.columns]).toEqual(["name", ["login", "id"]]);
});

test("what is done below a list that joined another goes to that other", () => {
  const found = outlined({
    "GET /pets": { answer: pets },
    "GET /pets/{id}": { answer: pet },
    "GET /pets/recent": { answer: pets, query: { days: whole } },
    "POST /pets/recent/clear": {},
  });
  expect(found).toEqual({
    pet: {
      lists: ["GET /pets", "GET /pets/recent"],
      detail: "GET /pets/{id}",
      actions: ["collection: POST /pets/recent/clear"],
    },
  });
});

test("what is done below a list goes to its records, though they are at another version", () => {
  const found = outlined({
    "GET /v1/owners": { answer: listOf(ref("Owner")) },
    "GET /v3/owners/{id}": { answer: ref("Owner") },
    "POST /v1/owners/refresh": {},
  });
  expect(found).toEqual({
    owner: {
      lists: ["GET /v1/owners"],
      detail: "GET /v3/owners/{id}",
      actions: ["collection: POST /v1/owners/refresh"],
    },
  });
});
