import { expect, test } from "vitest";
import { descriptions } from "../../testing/descriptions.ts";
import { outlines } from "./api-under-test.ts";
import { understand } from "./understand.ts";

const [petstore] = descriptions(["petstore.yaml"]);
const model = understand(petstore.spec());

test("Petstore is Pet, Order and User, and everything else is where it belongs", () => {
  expect(outlines(model)).toEqual({
    pet: {
      lists: ["GET /pet/findByStatus", "GET /pet/findByTags"],
      detail: "GET /pet/{petId}",
      create: "POST /pet",
      update: "PUT /pet",
      remove: "DELETE /pet/{petId}",
      actions: ["record: POST /pet/{petId}", "record: POST /pet/{petId}/uploadImage"],
    },
    order: {
      detail: "GET /store/order/{orderId}",
      create: "POST /store/order",
      remove: "DELETE /store/order/{orderId}",
    },
    user: {
      detail: "GET /user/{username}",
      create: "POST /user",
      update: "PUT /user/{username}",
      remove: "DELETE /user/{username}",
      actions: ["collection: POST /user/createWithList"],
    },
  });
  const { signIn = [], summaries, actions } = model.api;
  expect(signIn.map(({ kind, label, operation }) => [kind, label, operation.path])).toEqual([
    ["signIn", "Sign in", "/user/login"],
    ["signOut", "Sign out", "/user/logout"],
  ]);
  expect(summaries.map(({ id, label, kind, operation }) => [id, label, kind, operation.path])).toEqual([
    ["get-inventory", "Pet inventories by status", "bars", "/store/inventory"],
  ]);
  expect([actions, model.warnings]).toEqual([[], []]);
});

test("its records are named, and shown in tables, by what tells most", () => {
  expect(
    model.resources.map(({ name, plural, key, title, columns }) => ({ name, plural, key, title, columns })),
  ).toEqual([
    {
      name: "Pet",
      plural: "Pets",
      key: { field: "id", param: "petId" },
      title: "name",
      columns: ["name", "category", "tags", "status", "id"],
    },
    {
      name: "Order",
      plural: "Orders",
      key: { field: "id", param: "orderId" },
      title: "id",
      columns: ["id", "petId", "quantity", "shipDate", "status", "complete"],
    },
    {
      name: "User",
      plural: "Users",
      key: { field: "username", param: "username" },
      title: "username",
      columns: ["username", "firstName", "lastName", "email", "phone", "userStatus"],
    },
  ]);
});

test("its order is this descriptor", () => {
  const statuses = ["placed", "approved", "delivered"].map((value) => ({
    value,
    label: value.charAt(0).toUpperCase() + value.slice(1),
  }));
  const fields = [
    { name: "petId", label: "Pet ID", kind: "integer", example: 198772, relation: { resource: "pet" } },
    { name: "quantity", label: "Quantity", kind: "integer", example: 7 },
    { name: "shipDate", label: "Ship date", kind: "dateTime" },
    { name: "status", label: "Status", kind: "enum", description: "Order Status", options: statuses },
    { name: "complete", label: "Complete", kind: "boolean" },
  ];
  const orderId = (description: string) => ({
    name: "orderId",
    in: "path",
    required: true,
    field: { name: "orderId", label: "Order ID", kind: "integer", description },
  });
  expect(model.resources[1]).toEqual({
    id: "order",
    name: "Order",
    plural: "Orders",
    key: { field: "id", param: "orderId" },
    title: "id",
    fields: [{ name: "id", label: "ID", kind: "integer", example: 10 }, ...fields],
    columns: ["id", "petId", "quantity", "shipDate", "status", "complete"],
    lists: [],
    detail: {
      id: "getOrderById",
      method: "GET",
      path: "/store/order/{orderId}",
      summary: "Find purchase order by ID.",
      description: "For valid response try integer IDs with value <= 5 or > 10.",
      params: [orderId("ID of order that needs to be fetched")],
    },
    create: {
      id: "placeOrder",
      method: "POST",
      path: "/store/order",
      summary: "Place an order for a pet.",
      description: "Place a new order in the store.",
      params: [],
      body: { mediaType: "application/json", required: false, fields },
    },
    remove: {
      id: "deleteOrder",
      method: "DELETE",
      path: "/store/order/{orderId}",
      summary: "Delete purchase order by identifier.",
      description: "For valid response try integer IDs with value < 1000.",
      params: [orderId("ID of the order that needs to be deleted")],
    },
    actions: [],
  });
});

test("its usual list can be narrowed by its status, and another one by tags", () => {
  const [pet] = model.resources;
  expect(
    pet?.lists.map(({ rows, paging, filters }) => ({
      rows,
      paging,
      filters: filters.map(({ param, of, field }) => [param, of, field.kind]),
    })),
  ).toEqual([
    { rows: [], paging: undefined, filters: [["status", "status", "enum"]] },
    { rows: [], paging: undefined, filters: [["tags", "tags", "list"]] },
  ]);
});
