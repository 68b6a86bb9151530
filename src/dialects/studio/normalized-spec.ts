import * as z from "zod";
import { DragomanError } from "../../core/errors.ts";
import { schemaProblems } from "../../core/schema-problems.ts";

// What the desktop host makes of an OpenAPI, Swagger or GraphQL document before it asks for an interface.

const modelTypes = ["object", "array", "string", "number", "integer", "boolean", "null", "enum", "union"] as const;

const parts = {
  description: z.string().optional(),
  get properties() {
    return z.record(z.string(), part).optional();
  },
  get items() {
    return part.optional();
  },
  required: z.union([z.array(z.string()), z.boolean()]).optional(),
  enumValues: z.array(z.unknown()).optional(),
  get unionOf() {
    return z.array(z.union([z.string(), part])).optional();
  },
  format: z.string().optional(),
  default: z.unknown().optional(),
  example: z.unknown().optional(),
};

/** What is within a model: it need not say its name again, and its type may be a model's name, or not known. */
const part: z.ZodType = z.lazy(() =>
  z.looseObject({ name: z.string().optional(), type: z.string().optional(), ...parts }),
);

const model = z.looseObject({ name: z.string(), type: z.enum(modelTypes).optional(), ...parts });

const parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  type: z.string(),
  required: z.boolean(),
  description: z.string().optional(),
  schema: z.unknown().optional(),
});

const response = z.looseObject({
  statusCode: z.union([z.string(), z.number()]),
  description: z.string(),
  schema: z.unknown().optional(),
});

const endpoint = z.looseObject({
  path: z.string(),
  method: z.string(),
  operationId: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  tag: z.string().optional(),
  parameters: z.array(parameter),
  requestBody: z.unknown().optional(),
  responses: z.record(z.string(), response),
  securityRequirements: z.array(z.unknown()).optional(),
  deprecated: z.boolean().optional(),
});

const graphqlOperation = z.looseObject({
  name: z.string(),
  type: z.string(),
  description: z.string().optional(),
  args: z.array(z.unknown()),
  returnType: z.unknown(),
  deprecated: z.boolean().optional(),
});

const securityScheme = z.looseObject({
  name: z.string(),
  type: z.enum(["apiKey", "oauth2", "http", "openIdConnect", "mutualTLS"]),
  in: z.string().optional(),
  scheme: z.string().optional(),
  flows: z.unknown().optional(),
  description: z.string().optional(),
});

/** A list, or a record by name: the document does not say which, and hosts send both. */
const named = <Item extends z.ZodType>(item: Item) => z.union([z.array(item), z.record(z.string(), item)]);

const specFormats = ["openapi3", "swagger2", "graphql"] as const;

const normalizedSpec = z
  .looseObject({
    format: z.enum(specFormats),
    metadata: z.looseObject({
      title: z.string().max(1000),
      version: z.string().max(200),
      description: z.string().optional(),
      baseUrl: z.string().optional(),
    }),
    endpoints: z.array(endpoint).optional(),
    queries: z.array(graphqlOperation).optional(),
    mutations: z.array(graphqlOperation).optional(),
    subscriptions: z.array(graphqlOperation).optional(),
    models: named(model),
    securitySchemes: named(securityScheme).optional(),
    tags: z.array(z.unknown()).optional(),
  })
  .refine((spec) => [spec.endpoints, spec.queries, spec.mutations].some((list) => list?.length), {
    message: "a spec needs at least one endpoint, query or mutation",
  });
type NormalizedSpec = z.infer<typeof normalizedSpec>;

/** Throws `spec_invalid`, which has a number of its own here: to a host it is not the same as malformed parameters. */
export function parseSpec(spec: unknown): NormalizedSpec {
  const { data, error } = normalizedSpec.safeParse(spec);
  if (!error) return data;
  const issues = error.issues.slice(0, MOST_LOOKED_AT).map(plainIssue);
  throw new DragomanError("spec_invalid", `The spec is not a NormalizedSpec: ${schemaProblems({ issues })}`);
}

type Issue = z.core.$ZodIssue;

/** Whoever reads of more than this begins with those. */
const MOST_LOOKED_AT = 10;

/** What is wrong within the one alternative that was meant: the one that is wrong in its depth, not as a whole. */
function plainIssue(issue: Issue): Issue {
  if (issue.code !== "invalid_union") return issue;
  const [inner, ...others] = issue.errors.flatMap(([first]) => (first && first.path.length > 0 ? [first] : []));
  if (!inner || others.length > 0) return issue;
  return plainIssue({ ...inner, path: [...issue.path, ...inner.path] });
}
