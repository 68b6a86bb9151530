// Descriptions of less than a megabyte that mean, or seem to mean, far more.

const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const keyed = (count: number, entry: (at: number) => [string, unknown]) => Object.fromEntries(range(count).map(entry));
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: unknown) => ({ content: { "application/json": { schema } } });
const answers = (schema: unknown) => ({ 200: { description: "", ...json(schema) } });
const listOf = (schema: unknown) => ({ type: "array", items: schema });
const nested = (depth: number, open: string, inside: string, close: string) =>
  open.repeat(depth) + inside + close.repeat(depth);

type Part = Record<string, unknown>;

const openapi = (paths: Part, components: Part = {}, more: Part = {}) =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "Bomb", version: "1" }, paths, components, ...more });

/** What can be listed, shown, created and changed. */
const things = (schemas: Part, record: unknown = ref("A0")) =>
  openapi(
    {
      "/things": { get: { responses: answers(listOf(record)) }, post: { requestBody: json(record), responses: {} } },
      "/things/{id}": { get: { responses: answers(record) }, put: { requestBody: json(record), responses: {} } },
    },
    { schemas },
  );

const record = { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } };

/** Each model is made of the next one, several times over. */
const chain = (length: number, link: (next: unknown) => unknown) =>
  things({ ...keyed(length, (at) => [`A${at}`, link(ref(`A${at + 1}`))]), [`A${length}`]: record });

/** Every model is made of all of them. */
const clique = (size: number, link: (all: unknown[]) => unknown) =>
  things(keyed(size, (at) => [`A${at}`, link(range(size).map((other) => ref(`A${other}`)))]));

const times = (count: number, one: unknown) => range(count).map(() => one);
const manyPaths = (count: number, operation: unknown) => keyed(count, (at) => [`/things${at}`, { post: operation }]);
const wide = { type: "object", properties: keyed(10_000, (at) => [`p${at}`, {}]) };
const inAnswer = (schema: string) =>
  `{"openapi":"3.1.0","info":{"title":"Bomb","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":${schema}}}}}}}}}`;

/** One response that many operations give. */
const sharedResponse = (count: number, response: Part) =>
  openapi(
    keyed(count, (at) => [`/t${at}`, { get: { responses: { 200: { $ref: "#/components/responses/R" } } } }]),
    {
      responses: { R: { description: "", ...response } },
    },
  );
/** One parameter that many operations take. */
const sharedParameter = (count: number, schema: unknown) =>
  openapi(
    keyed(count, (at) => [`/t${at}`, { get: { parameters: [{ $ref: "#/components/parameters/P" }], responses: {} } }]),
    { parameters: { P: { name: "p", in: "query", schema } } },
  );
const inParameter = (schema: string) => sharedParameter(1, "HERE").replace('"HERE"', () => schema);

const openapiBombs: Record<string, () => string> = {
  "lists in twenty thousand lists, in a shared parameter": () => inParameter(nested(20_000, '{"items":', "{}", "}")),
  "a wide example in a thousand answers": () =>
    sharedResponse(1000, { content: { "application/json": { example: keyed(30_000, (at) => [`k${at}`, 1]) } } }),
  "fifty thousand headers in a thousand answers": () =>
    sharedResponse(1000, { headers: keyed(50_000, (at) => [`h${at}`, {}]) }),
  "many values to choose from in two thousand operations": () =>
    sharedParameter(2000, { enum: range(45).map((at) => `${at}`.padStart(500, "x")) }),
  "thousands of lists without records, and of records without a list": () =>
    openapi(
      Object.fromEntries([
        ...range(2500).map((at) => [`/t${at}x`, { get: { responses: answers(listOf(ref("A0"))) } }]),
        ...range(2500).map((at) => [`/a${at}x/{id}`, { get: { responses: answers(ref("A0")) } }]),
      ]),
      { schemas: { A0: record } },
    ),
  "fifty thousand required parts in five hundred answers": () =>
    sharedResponse(500, json({ required: range(50_000).map((at) => `r${at}`) })),
  "long values to choose from in two thousand operations": () =>
    sharedParameter(2000, { enum: range(20).map((at) => `${at}`.repeat(12_000)) }),
  "three thousand operations that need the same many scopes": () =>
    openapi(
      keyed(3000, (at) => [`/t${at}`, { get: { responses: {} } }]),
      { securitySchemes: { o: { type: "oauth2", flows: {} } } },
      { security: [{ o: range(20_000).map((at) => `s${at}`) }] },
    ),
  "allOf, twenty times on each of thirty levels": () => chain(30, (next) => ({ allOf: times(20, next) })),
  "oneOf, twenty times on each of thirty levels": () => chain(30, (next) => ({ oneOf: times(20, next) })),
  "properties, ten on each of thirty levels": () =>
    chain(30, (next) => ({ type: "object", properties: keyed(10, (at) => [`p${at}`, next]) })),
  "lists in five thousand lists": () => chain(5000, listOf),
  "references in a chain of ten thousand": () => chain(10_000, (next) => next),
  "a list of itself": () => things({ A0: listOf(ref("A0")) }),
  "a choice of its heirs": () =>
    things({
      A0: { oneOf: [ref("A1"), ref("A2")], discriminator: { propertyName: "k" } },
      A1: { allOf: [ref("A0"), record] },
      A2: { allOf: [ref("A0"), { properties: { k: {} } }] },
    }),
  "choices in a circle": () =>
    things({
      A0: { oneOf: [ref("A1"), ref("A2")] },
      A1: { anyOf: [ref("A0"), ref("A2")] },
      A2: { oneOf: [ref("A1")] },
    }),
  "a map of itself": () => things({ A0: { type: "object", additionalProperties: ref("A0") } }),
  "all of itself, and lists of maps of choices of it": () =>
    things({
      A0: { allOf: [ref("A0"), { properties: { a: listOf({ additionalProperties: { oneOf: [ref("A0"), {}] } }) } }] },
    }),
  "models that are all of all": () => clique(150, (all) => ({ allOf: all })),
  "models that are one of all": () => clique(150, (all) => ({ oneOf: all })),
  "models that hold all": () =>
    clique(150, (all) => ({ type: "object", properties: Object.fromEntries(all.map((one, at) => [`p${at}`, one])) })),
  "a model with ten thousand parts like itself": () =>
    things({ A0: { type: "object", properties: keyed(10_000, (at) => [`p${at}`, ref("A0")]) } }),
  "a wide body in four thousand operations": () =>
    openapi(manyPaths(3500, { requestBody: json(ref("A0")), responses: answers(ref("A0")) }), {
      schemas: { A0: wide },
    }),
  "an allOf of sixty wide parts in two thousand operations": () =>
    openapi(manyPaths(2000, { requestBody: json(ref("A0")), responses: answers(ref("A0")) }), {
      schemas: {
        A0: { allOf: range(60).map((at) => ref(`B${at}`)) },
        ...keyed(60, (at) => [`B${at}`, { properties: keyed(300, (part) => [`p${at}x${part}`, {}]) }]),
      },
    }),
  "ten thousand parameters": () =>
    openapi({
      "/a": { get: { parameters: range(10_000).map((at) => ({ name: `p${at}`, in: "query" })), responses: {} } },
    }),
  "twenty thousand uses of ten parameters": () =>
    openapi(
      keyed(1000, (at) => [
        `/things${at}`,
        {
          get: {
            parameters: range(20).map((one) => ({ $ref: `#/components/parameters/p${one % 10}` })),
            responses: {},
          },
        },
      ]),
      { parameters: keyed(10, (at) => [`p${at}`, { name: `p${at}`, in: "query", schema: { type: "string" } }]) },
    ),
  "names of a hundred and ninety thousand letters": () => {
    const name = "aB_c".repeat(48_000);
    return openapi(
      {
        [`/${name.slice(0, 1900)}`]: { get: { operationId: name, tags: [name], responses: answers(listOf(ref("A"))) } },
      },
      { schemas: { A: { title: name, properties: { [name]: { enum: [name] }, id: {} } } } },
    );
  },
  "two thousand relations of each of two thousand resources": () =>
    openapi(
      keyed(4000, (at) => {
        const answer = at % 2 === 0 ? listOf(ref("A0")) : ref("A0");
        return [at % 2 === 0 ? `/p${at}` : `/p${at - 1}/{id}`, { get: { responses: answers(answer) } }];
      }),
      { schemas: { A0: { properties: { id: {}, ...keyed(2000, (at) => [`p${at}Id`, { type: "string" }]) } } } },
    ),
  "fifteen thousand alternatives to sign in, for five thousand operations": () =>
    openapi(
      manyPaths(5000, { responses: {} }),
      { securitySchemes: keyed(100, (at) => [`s${at}`, { type: "http", scheme: "bearer" }]) },
      { security: range(15_000).map((at) => ({ [`s${at % 100}`]: [] })) },
    ),
  "a server made of variables": () =>
    openapi(
      { "/a": { get: { responses: {} } } },
      {},
      {
        servers: [{ url: `https://${"{a}".repeat(20_000)}`, variables: { a: { default: "a".repeat(15_000) } } }],
      },
    ),
  "a path of two hundred thousand parameters": () =>
    openapi({ [`/${"{a}".repeat(200_000)}`]: { get: { responses: {} } } }),
  "an enumeration of twenty thousand in two thousand fields": () =>
    things({
      A0: { type: "object", properties: keyed(2000, (at) => [`p${at}`, ref("E")]) },
      E: { enum: range(20_000).map((at) => `v${at}`) },
    }),
  "schemas in twenty thousand schemas": () => inAnswer(nested(20_000, '{"properties":{"a":', "{}", "}}")),
  "an example in two hundred thousand lists": () => inAnswer(`{"example":${nested(200_000, "[", "1", "]")}}`),
  "lists alone": () => "[".repeat(900_000),
};

const yamlHead = 'openapi: 3.1.0\ninfo: { title: Bomb, version: "1" }\n';
const textBombs: Record<string, () => string> = {
  "YAML that merges five thousand keys twenty thousand times": () =>
    `${yamlHead}x: &x { ${range(5000).map((at) => `k${at}: 1`)} }\n${range(20_000)
      .map((at) => `y${at}: { <<: *x }\n`)
      .join("")}paths: { /a: { get: {} } }`,
  "YAML lists that never end": () => `${yamlHead}${"\t- a: [\n".repeat(50_000)}`,
  "GraphQL types that hold all": () =>
    `type Query { a: [T0] }\n${range(150)
      .map(
        (at) =>
          `type T${at} { id: ID! ${range(150)
            .map((other) => `f${other}: T${other}`)
            .join(" ")} }\n`,
      )
      .join("")}`,
  "a GraphQL union of three thousand, in a thousand lists": () =>
    `type Query { ${range(1000)
      .map((at) => `l${at}: [U]`)
      .join(" ")} }\nunion U = ${range(3000)
      .map((at) => `T${at}`)
      .join(" | ")}\n${range(3000)
      .map((at) => `type T${at} { id: ID! u: U }\n`)
      .join("")}`,
  "thirty thousand GraphQL lists of one type": () =>
    `type Query { ${range(30_000)
      .map((at) => `l${at}: [T]`)
      .join(" ")} }\ntype T { id: ID }`,
  "two thousand GraphQL types whose names differ only in underscores": () => {
    const names = range(2000).map((at) => `A${"_".repeat(1 + (at % 45))}b${"_".repeat(Math.floor(at / 45))}`);
    const lists = names.map((name, at) => `l${at}: [${name}]`);
    return `type Query { ${lists.join(" ")} }\n${names.map((name) => `type ${name} { id: ID! }\n`).join("")}`;
  },
  "a GraphQL interface of fifteen thousand types": () =>
    `type Query { a: [I] }\ninterface I { id: ID }\n${range(15_000)
      .map((at) => `type T${at} implements I { id: ID, a: I }\n`)
      .join("")}`,
  "GraphQL lists in two hundred thousand lists": () => `type Query { a: ${nested(200_000, "[", "Int", "]")} }`,
};

export const bombs = { ...openapiBombs, ...textBombs };
