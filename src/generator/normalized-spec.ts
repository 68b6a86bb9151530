import type { Json } from "./kit/descriptor.ts";

// What every description becomes before anything is made of it. References stay references, so it is never larger than its source.

export type { Json };

export type SchemaType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null" | "enum" | "union";

/** A schema in one vocabulary, whichever description it is from. Without a `type` it is anything. */
export interface Schema {
  /** The name of one of the `models`. What stands beside it (description, nullable ...) holds for this use of it. */
  ref?: string;
  type?: SchemaType;
  title?: string;
  description?: string;
  nullable?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  /** What an array holds. */
  items?: Schema;
  /** What a map holds under its free keys; `true` is anything. */
  additionalProperties?: boolean | Schema;
  /** With type "enum". */
  enumValues?: Json[];
  /** With type "union": oneOf and anyOf, and the members of a GraphQL union or the types of an interface. */
  unionOf?: Schema[];
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  /** All of these hold together with what stands here. */
  allOf?: Schema[];
  format?: string;
  default?: Json;
  example?: Json;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  readOnly?: boolean;
  writeOnly?: boolean;
  deprecated?: boolean;
  /** "base64", "binary" ...: bytes in a string. */
  contentEncoding?: string;
  contentMediaType?: string;
  /** GraphQL: the arguments of a field. */
  args?: Argument[];
}

export interface Model extends Schema {
  name: string;
  /** What a GraphQL type was. */
  graphqlKind?: "object" | "interface" | "input" | "enum" | "union" | "scalar";
  /** GraphQL: the interfaces that it implements. */
  implements?: string[];
}

export type ParameterPlace = "path" | "query" | "header" | "cookie";

export interface Parameter {
  name: string;
  in: ParameterPlace;
  /** The schema's type in a word, as hosts show it. */
  type: string;
  required: boolean;
  description?: string;
  schema?: Schema;
  example?: Json;
  deprecated?: boolean;
  /** How several values are written: OpenAPI's `style` and `explode`, which Swagger 2's `collectionFormat` becomes; "json" as its text. */
  style?: string;
  explode?: boolean;
}

export interface MediaContent {
  schema?: Schema;
  example?: Json;
}

export interface RequestBody {
  required: boolean;
  description?: string;
  /** By media type, in the order of the description. */
  content: Record<string, MediaContent>;
}

export interface Response {
  /** "200", "4XX" or "default". */
  statusCode: string;
  description: string;
  /** Of the media type that suits an interface best: JSON, if there is any. */
  schema?: Schema;
  mediaType?: string;
  example?: Json;
  /** Names of the headers it is said to have, as written. */
  headers?: string[];
}

/** One of the alternatives: all of its schemes together, each with its scopes. An empty one means that none is needed. */
export type SecurityRequirement = Record<string, string[]>;

export interface Endpoint {
  path: string;
  /** In capitals. */
  method: string;
  operationId?: string;
  summary?: string;
  description?: string;
  tag?: string;
  parameters: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, Response>;
  /** What holds for it: its own, or else that of the whole description. */
  securityRequirements?: SecurityRequirement[];
  deprecated?: boolean;
  /** Servers of its own. */
  servers?: string[];
}

export interface Argument {
  name: string;
  /** As GraphQL writes it: "[ID!]!". */
  type: string;
  required: boolean;
  description?: string;
  schema: Schema;
  default?: Json;
}

export interface GraphqlOperation {
  name: string;
  type: "query" | "mutation" | "subscription";
  description?: string;
  args: Argument[];
  /** As GraphQL writes it: "[Film!]!". */
  returnType: string;
  schema: Schema;
  deprecated?: boolean;
}

export interface OauthFlow {
  grant: "authorizationCode" | "clientCredentials" | "implicit" | "password" | "deviceAuthorization";
  authorizationUrl?: string;
  tokenUrl?: string;
  refreshUrl?: string;
  scopes: Record<string, string>;
}

export interface SecurityScheme {
  /** Its key in the description. */
  name: string;
  type: "apiKey" | "oauth2" | "http" | "openIdConnect" | "mutualTLS";
  in?: "header" | "query" | "cookie";
  /** apiKey: the name of the header, query parameter or cookie. */
  parameterName?: string;
  /** http: "basic", "bearer", "digest" ... in small letters. */
  scheme?: string;
  bearerFormat?: string;
  flows?: OauthFlow[];
  openIdConnectUrl?: string;
  description?: string;
}

export interface Tag {
  name: string;
  description?: string;
  /** OpenAPI 3.2. */
  parent?: string;
}

export interface NormalizedSpec {
  format: "openapi3" | "swagger2" | "graphql";
  metadata: { title: string; version: string; description?: string; baseUrl?: string; servers?: string[] };
  endpoints?: Endpoint[];
  queries?: GraphqlOperation[];
  mutations?: GraphqlOperation[];
  subscriptions?: GraphqlOperation[];
  models: Model[];
  securitySchemes?: SecurityScheme[];
  tags?: Tag[];
}

/** What was odd about a description, and where. */
export interface Warning {
  /** A JSON pointer ("/paths/~1pets/get/responses/200"), or "line 12, column 3", after the file's name and ":" if there are several. */
  place: string;
  message: string;
}
