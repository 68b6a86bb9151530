// A description with a given text in every place that takes one. Each text has a resource of its own.

type Part = Record<string, unknown>;

const text = { type: "string" };
const json = (schema: object) => ({ "application/json": { schema } });
const pointer = (name: string) => `#/components/schemas/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

export function hostileDescription(texts: string[]): string {
  const all = texts.join(" ");
  return JSON.stringify({
    openapi: "3.1.0",
    info: {
      ...{ title: all, version: all, description: all, termsOfService: all },
      ...{ contact: { name: all, url: all, email: all }, license: { name: all, url: all } },
    },
    servers: texts.flatMap((one) => [{ url: one, description: one }, { url: `https://api.invalid/${one}` }]),
    externalDocs: { url: all, description: all },
    tags: texts.map((one) => ({ name: one, description: one })),
    paths: Object.assign({}, ...texts.map(pathsOf)),
    components: {
      schemas: Object.fromEntries(texts.flatMap(schemasOf)),
      securitySchemes: Object.fromEntries(texts.flatMap(securityOf)),
    },
  });
}

function pathsOf(one: string, at: number): Part {
  const record = { $ref: `#/components/schemas/Thing${at}` };
  const body = { requestBody: { description: one, content: { ...json(record), [one]: { schema: record } } } };
  const operation = (id: string, answer: object, more: object = {}) => ({
    ...{ operationId: `${id}${at}${one}`, summary: one, description: one, tags: [one], security: [{ [one]: [one] }] },
    ...{ externalDocs: { url: one, description: one }, servers: [{ url: one }], ...more },
    responses: { 200: { description: one, content: json(answer) } },
  });
  const key = { name: "id", in: "path", required: true, description: one, schema: text };
  return {
    [`/things${at}`]: {
      get: operation("list", { type: "array", items: record }, { parameters: parametersOf(one) }),
      post: operation("create", record, body),
    },
    [`/things${at}/{id}`]: {
      parameters: [key],
      get: operation("show", record),
      put: operation("change", record, body),
      delete: operation("remove", {}),
    },
    [`/things${at}/{id}/${one}`]: { parameters: [key], post: operation("act", record, body) },
    [`/${one}/${at}/{${one}}`]: { post: operation("call", { [one]: one }, { parameters: parametersOf(one) }) },
    [`/figures${at}`]: {
      get: operation("figures", {
        type: "object",
        properties: { [one]: { type: "integer" }, total: { type: "integer" } },
      }),
    },
  };
}

const parametersOf = (one: string) =>
  ["query", "header", "cookie"].map((place) => ({
    ...{ name: one, in: place, description: one, example: one },
    schema: { ...text, enum: [one, "other"], default: one },
  }));

function schemasOf(one: string, at: number): [string, Part][] {
  const said = { title: one, description: one, example: one, default: one };
  const properties = {
    id: text,
    [one]: { ...text, ...said },
    name: { ...text, example: one },
    formatted: { ...text, ...said, format: one, contentMediaType: one, contentEncoding: one },
    patterned: { ...text, pattern: one, example: one },
    homepage: { ...text, format: "uri", example: one },
    avatarUrl: { ...text, format: "uri", example: one },
    email: { ...text, format: "email", example: one },
    madeOn: { ...text, format: "date", example: one },
    choice: { ...text, enum: [one, "other"], default: one },
    nested: { type: "object", properties: { [one]: { ...text, ...said } }, required: [one] },
    several: { type: "array", items: { ...text, ...said } },
    mapped: { type: "object", additionalProperties: { ...text, ...said } },
    either: {
      oneOf: [{ $ref: pointer(`${one}Kind${at}`) }, { type: "object", title: one, properties: { [one]: text } }],
      discriminator: { propertyName: one, mapping: { [one]: pointer(`${one}Kind${at}`) } },
    },
    anything: { example: { [one]: one }, default: { [one]: [one] } },
  };
  const required = ["name", one];
  return [
    [`Thing${at}`, { type: "object", title: one, description: one, properties, required, example: { [one]: one } }],
    [`${one}Kind${at}`, { type: "object", properties: { [one]: { ...text, const: one } } }],
  ];
}

function securityOf(one: string, at: number): [string, Part][] {
  const addresses = { authorizationUrl: one, tokenUrl: one, refreshUrl: one, scopes: { [one]: one } };
  return [
    [one, { type: "apiKey", in: "header", name: one, description: one }],
    [`${one}http${at}`, { type: "http", scheme: one, bearerFormat: one, description: one }],
    [`${one}oauth${at}`, { type: "oauth2", flows: { implicit: addresses, authorizationCode: addresses } }],
    [`${one}connect${at}`, { type: "openIdConnect", openIdConnectUrl: one }],
  ];
}
