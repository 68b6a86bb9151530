// A description with a field of every kind, and every way to prove who one is.

const text = { type: "string" };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { "application/json": { schema } } });
const answers = (schema: object) => ({ "200": { description: "Done.", ...json(schema) } });
const done = { "204": { description: "Done." } };
const inPath = (name: string) => ({ name, in: "path", required: true, schema: text });
const inQuery = (name: string, schema: object) => ({ name, in: "query", schema });
const listOf = (schema: object) => ({ type: "array", items: schema });

const schemas = {
  Owner: {
    type: "object",
    required: ["name"],
    properties: { id: { ...text, readOnly: true }, name: text, email: { ...text, format: "email" } },
  },
  Note: {
    type: "object",
    required: ["title"],
    properties: { id: { ...text, readOnly: true }, title: { ...text, maxLength: 40 }, pinned: { type: "boolean" } },
  },
  Electric: {
    type: "object",
    required: ["type", "voltage"],
    properties: { type: text, voltage: { type: "integer", minimum: 1 } },
  },
  Diesel: { type: "object", required: ["type"], properties: { type: text, litres: { type: "number" } } },
  Machine: {
    type: "object",
    required: ["name", "kind", "active", "address"],
    properties: {
      id: { ...text, readOnly: true },
      name: { ...text, minLength: 3, maxLength: 20 },
      kind: { ...text, enum: ["lathe", "drill", "press"] },
      code: { ...text, pattern: "^[A-Z]{2}-[0-9]{3}$", examples: ["AB-123"] },
      weight: { type: "number", minimum: 0.5, maximum: 100 },
      batch: { type: "integer", exclusiveMinimum: 0, multipleOf: 5 },
      madeOn: { ...text, format: "date" },
      servicedAt: { ...text, format: "date-time" },
      opensAt: { ...text, format: "time" },
      nickname: { type: ["string", "null"] },
      secret: { ...text, format: "password", writeOnly: true },
      contact: { ...text, format: "email" },
      homepage: { ...text, format: "uri" },
      active: { type: "boolean" },
      tested: { type: "boolean" },
      address: { type: "object", required: ["street"], properties: { street: text, city: text } },
      parts: listOf({
        type: "object",
        required: ["label"],
        properties: { label: text, amount: { type: "integer", minimum: 1 } },
      }),
      colours: listOf({ ...text, enum: ["red", "green", "blue"] }),
      tags: { ...listOf(text), maxItems: 2, uniqueItems: true },
      ratings: { type: "object", additionalProperties: { type: "integer" } },
      drive: {
        oneOf: [ref("Electric"), ref("Diesel")],
        discriminator: {
          propertyName: "type",
          mapping: { electric: "#/components/schemas/Electric", diesel: "#/components/schemas/Diesel" },
        },
      },
      spare: ref("Machine"),
      settings: {},
      ownerId: text,
    },
  },
};

const crud = (path: string, param: string, name: string, update: "put" | "patch", list: object[] = []) => {
  const scopes = [...path.matchAll(/\{(\w+)\}/g)].map(([, scope = ""]) => inPath(scope));
  const body = { required: true, ...json(ref(name)) };
  return {
    [path]: {
      parameters: scopes,
      get: { operationId: `list${name}s`, parameters: list, responses: answers(listOf(ref(name))) },
      post: { operationId: `create${name}`, requestBody: body, responses: answers(ref(name)) },
    },
    [`${path}/{${param}}`]: {
      parameters: [...scopes, inPath(param)],
      get: { operationId: `get${name}`, responses: answers(ref(name)) },
      [update]: { operationId: `update${name}`, requestBody: body, responses: answers(ref(name)) },
      delete: { operationId: `delete${name}`, responses: done },
    },
  };
};

const machineActions = {
  "/machines/{machineId}/start": {
    post: {
      operationId: "startMachine",
      summary: "Start machine",
      parameters: [inPath("machineId")],
      requestBody: json({
        type: "object",
        required: ["speed"],
        properties: { speed: { type: "integer", minimum: 1, maximum: 9 } },
      }),
      responses: done,
    },
  },
  "/machines/{machineId}/photo": {
    post: {
      operationId: "uploadPhoto",
      summary: "Upload photo",
      parameters: [inPath("machineId")],
      requestBody: {
        content: {
          "multipart/form-data": {
            schema: {
              type: "object",
              required: ["file"],
              properties: { file: { ...text, format: "binary" }, caption: text },
            },
          },
        },
      },
      responses: done,
    },
  },
};

const statistics = {
  get: {
    operationId: "getStatistics",
    summary: "Machines by kind",
    responses: answers({ type: "object", additionalProperties: { type: "integer" } }),
  },
};

/** Machines with a field of every kind, their owners, and the owners' notes. */
export const specimen = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Workshop", version: "1.0" },
  servers: [{ url: "https://workshop.example.com" }],
  paths: {
    ...crud("/machines", "machineId", "Machine", "put", [
      inQuery("kind", { ...text, enum: ["lathe", "drill", "press"] }),
      inQuery("ownerId", text),
    ]),
    ...crud("/owners", "ownerId", "Owner", "patch"),
    ...crud("/owners/{ownerId}/notes", "noteId", "Note", "patch"),
    ...machineActions,
    "/statistics": statistics,
  },
  components: { schemas },
});

const door = { type: "object", properties: { id: text, name: text } };

const schemes = {
  headerKey: { type: "apiKey", in: "header", name: "X-Key" },
  queryKey: { type: "apiKey", in: "query", name: "key" },
  cookieKey: { type: "apiKey", in: "cookie", name: "session" },
  bearer: { type: "http", scheme: "bearer" },
  basic: { type: "http", scheme: "basic" },
  oauth: {
    type: "oauth2",
    flows: {
      authorizationCode: {
        authorizationUrl: "https://login.example.com/authorize",
        tokenUrl: "https://login.example.com/token",
        scopes: { read: "Read" },
      },
    },
  },
  openId: { type: "openIdConnect", openIdConnectUrl: "https://login.example.com/.well-known/openid-configuration" },
};

const guarded = (path: string, security: object[]) => ({
  [path]: { get: { operationId: `list ${path}`, security, responses: answers(listOf(door)) } },
});

/** A list behind each scheme, one behind two at once, and an open one. */
export const guardedSpecimen = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Doors", version: "1.0" },
  servers: [{ url: "https://doors.example.com" }],
  paths: {
    ...guarded("/header-doors", [{ headerKey: [] }]),
    ...guarded("/url-doors", [{ queryKey: [] }]),
    ...guarded("/cookie-doors", [{ cookieKey: [] }]),
    ...guarded("/bearer-doors", [{ bearer: [] }]),
    ...guarded("/basic-doors", [{ basic: [] }]),
    ...guarded("/oauth-doors", [{ oauth: ["read"] }]),
    ...guarded("/open-id-doors", [{ openId: [] }]),
    ...guarded("/double-doors", [{ headerKey: [], queryKey: [] }]),
    ...guarded("/open-doors", []),
  },
  components: { securitySchemes: schemes },
});
