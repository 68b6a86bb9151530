// A small API, described by hand, for the tests of this folder.
import type {
  ApiDescriptor,
  Field,
  InterfaceDescriptor,
  ListOperation,
  Operation,
  Paging,
  Resource,
} from "../descriptor.ts";

export function field(name: string, kind: Field["kind"], more: Partial<Field> = {}): Field {
  return { name, label: name, kind, ...more };
}

const statusField = field("status", "enum", {
  options: ["available", "pending", "sold"].map((value) => ({ value, label: value })),
});

const petFields: Field[] = [
  field("name", "text", { required: true, minLength: 2, maxLength: 40 }),
  field("price", "number", { min: 0 }),
  statusField,
  field("tags", "list", { item: field("tag", "text") }),
  field("ownerId", "integer", { relation: { resource: "owner" } }),
];

const petKey = {
  name: "petId",
  in: "path",
  field: field("petId", "integer"),
  required: true,
} as const;

export function operation(id: string, method: string, path: string, more: Partial<Operation> = {}) {
  return { id, method, path, params: path.includes("{petId}") ? [petKey] : [], ...more };
}

const petBody = { mediaType: "application/json", required: true, fields: petFields };

export const petList: ListOperation = {
  ...operation("listPets", "GET", "/pets"),
  params: [
    { name: "status", in: "query", field: statusField, required: false },
    { name: "q", in: "query", field: field("q", "text"), required: false },
    { name: "sort", in: "query", field: field("sort", "text"), required: false },
  ],
  rows: ["data"],
  total: ["meta", "total"],
  paging: { kind: "page", param: "page", sizeParam: "limit", first: 1, size: 20, maxSize: 50 },
  filters: [
    { param: "status", field: statusField, of: "status", operator: "equals" },
    { param: "minPrice", field: field("minPrice", "number"), of: "price", operator: "from" },
  ],
  search: "q",
  sort: {
    param: "sort",
    options: [
      { field: "name", label: "Name", ascending: "name", descending: "-name" },
      { field: "price", label: "Price", ascending: "price", descending: "-price" },
    ],
  },
};

export function petWith(list: Partial<ListOperation>, more: Partial<Resource> = {}): Resource {
  return { ...pet, lists: [{ ...petList, ...list }], ...more };
}

export const pet: Resource = {
  id: "pet",
  name: "Pet",
  plural: "Pets",
  key: { field: "id", param: "petId" },
  title: "name",
  fields: [
    field("id", "integer", { readOnly: true }),
    ...petFields,
    field("createdAt", "dateTime", { readOnly: true }),
  ],
  columns: ["name", "status", "price"],
  lists: [petList],
  detail: operation("getPet", "GET", "/pets/{petId}"),
  create: operation("createPet", "POST", "/pets", { body: petBody }),
  update: operation("updatePet", "PATCH", "/pets/{petId}", { body: petBody }),
  remove: operation("deletePet", "DELETE", "/pets/{petId}"),
  actions: [],
};

export const owner: Resource = {
  id: "owner",
  name: "Owner",
  plural: "Owners",
  key: { field: "id", param: "ownerId" },
  title: "name",
  fields: [
    field("id", "integer", { readOnly: true }),
    field("name", "text", { required: true }),
    field("email", "email"),
    field("favourite", "object", {
      fields: [field("id", "integer"), field("name", "text")],
      relation: { resource: "pet", embedded: true },
    }),
  ],
  columns: ["name", "email"],
  lists: [],
  actions: [],
};

export const api: ApiDescriptor = {
  title: "Petstore",
  version: "1",
  protocol: "rest",
  servers: ["https://api.example.com/v1"],
  auth: [],
  summaries: [],
  actions: [],
};

export function interfaceOf(...resources: Resource[]): InterfaceDescriptor {
  return {
    api,
    resources: resources.map((resource) => ({
      id: resource.id,
      name: resource.name,
      plural: resource.plural,
      load: () => resource,
    })),
    settings: { theme: "system", layout: "side", includeAuth: true, pagination: true },
  };
}

export const everyPaging: Paging[] = [
  { kind: "page", param: "page", sizeParam: "limit", first: 1, size: 20 },
  { kind: "page", param: "page", first: 0, size: 7 },
  { kind: "offset", param: "offset", sizeParam: "limit", size: 20, maxSize: 8 },
  { kind: "cursor", param: "cursor", sizeParam: "limit", size: 20, next: ["next"] },
  { kind: "cursor", param: "after", size: 5, nextFromRow: "id", hasMore: ["has_more"] },
  { kind: "link", param: "page", sizeParam: "per_page", size: 30 },
  { kind: "relay", param: "after", sizeParam: "first", size: 10, pageInfo: ["pets", "pageInfo"] },
];
