import type { FieldFormat, Tone } from "./customizing/customization.ts";

// What an interface is made of. The screens know nothing about one API: everything they show comes from these descriptors.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface ApiDescriptor {
  title: string;
  version: string;
  description?: string;
  protocol: "rest" | "graphql";
  /** Where the API is, the usual one first. Empty if the description does not say. */
  servers: string[];
  auth: AuthScheme[];
  /** Operations that sign in or out, beside the schemes. */
  signIn?: Action[];
  /** Figures for the dashboard. */
  summaries: Summary[];
  /** Operations that belong to no resource. */
  actions: Action[];
}

/** One way to prove who one is. What a person enters stays in memory and is in no descriptor. */
export interface AuthScheme {
  id: string;
  label: string;
  kind: "apiKey" | "bearer" | "basic" | "oauth2" | "openIdConnect" | "other";
  /** apiKey: where it travels, and under which name. */
  in?: "header" | "query" | "cookie";
  name?: string;
  /** Of "other": the name of the HTTP scheme, for `Authorization: <scheme> <value>`. */
  scheme?: string;
  description?: string;
  /** oauth2: where to get a token. */
  flows?: { grant: string; authorizationUrl?: string; tokenUrl?: string; scopes: string[] }[];
  openIdConnectUrl?: string;
}

export type FieldKind =
  | "text"
  | "longText"
  | "integer"
  | "number"
  | "boolean"
  | "enum"
  | "date"
  | "dateTime"
  | "time"
  | "email"
  | "url"
  | "image"
  | "password"
  | "file"
  | "object"
  | "list"
  | "map"
  | "union"
  | "json";

export interface FieldOption {
  value: string | number | boolean | null;
  label: string;
  /** Of its badge, if not the one that its word suggests. */
  tone?: Tone;
}

export interface FieldVariant {
  /** What stands in the discriminator for it; without one, its name. */
  value: string;
  label: string;
  /** The variant is an object of these, or else `field`. */
  fields?: Field[];
  field?: Field;
}

export interface Field {
  name: string;
  label: string;
  kind: FieldKind;
  description?: string;
  required?: boolean;
  nullable?: boolean;
  /** Shown, never sent. */
  readOnly?: boolean;
  /** Sent, never shown. */
  writeOnly?: boolean;
  deprecated?: boolean;
  /** How it is shown, if not as its kind says. */
  format?: FieldFormat;
  /** Of the format "currency": "EUR". */
  currency?: string;
  /** There, but not seen: what a record holds in it is sent along with the rest. */
  hidden?: boolean;
  /** The same, in forms only: nobody is to change it. */
  fixed?: boolean;
  /** enum: its values. Also of a list of them, in `item`. */
  options?: FieldOption[];
  /** object: its parts. Without them (too deep, or not described) it is shown as it comes and edited as JSON. */
  fields?: Field[];
  /** list: one of it. map: one of its values. */
  item?: Field;
  /** union */
  variants?: FieldVariant[];
  discriminator?: string;
  min?: number;
  max?: number;
  /** The bounds themselves are not allowed. */
  exclusiveMin?: boolean;
  exclusiveMax?: boolean;
  step?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  default?: Json;
  example?: Json;
  /** file: what is accepted, as a MIME type. */
  accept?: string;
  /** It names a record of another resource, by that resource's key, or holds the record itself. */
  relation?: { resource: string; embedded?: boolean };
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  field: Field;
  required: boolean;
  /** How several values are written: `a=1&a=2` (repeat), `a=1,2` (comma), and so on. "repeat" if not said. */
  style?: "repeat" | "comma" | "space" | "pipe" | "brackets" | "deepObject" | "json";
}

export interface Body {
  mediaType: string;
  required: boolean;
  /** An object of these fields ... */
  fields?: Field[];
  /** ... or one value: a list, a file, anything. */
  field?: Field;
  /** The fields go below this property: `{ "pet": { ... } }`. */
  wrap?: string;
}

/** Property names from the outside in; empty is the answer itself. */
export type Path = string[];

export interface Operation {
  /** The operationId, or else "GET /pets". */
  id: string;
  method: string;
  /** With its parameters in braces. GraphQL: the name of the root field. */
  path: string;
  summary?: string;
  description?: string;
  params: Parameter[];
  body?: Body;
  /** Where the record stands in the answer. */
  result?: Path;
  /** Alternatives, each the ids of schemes that are needed together. Not said: nothing is needed. */
  auth?: string[][];
  deprecated?: boolean;
  /** What its button says, if not the usual. */
  label?: string;
  /** Whether a person is asked before it is sent. If not said: before deleting only. */
  asks?: boolean;
  /** Its own server, if it has one. */
  server?: string;
  /** GraphQL: the whole document. Parameters are its variables; a body's fields are those of the variable `wrap`, or else variables. */
  document?: string;
}

export type Paging =
  | {
      kind: "page";
      param: string;
      sizeParam?: string;
      first: number;
      size: number;
      maxSize?: number;
    }
  | { kind: "offset"; param: string; sizeParam?: string; size: number; maxSize?: number }
  /** The next page's cursor stands in the answer at `next` (a value, or a URL that holds `param`), or is field `nextFromRow` of the last row. Like `total`, `next` and `hasMore` may be a header: ["header:x-next-cursor"]. */
  | {
      kind: "cursor";
      param: string;
      sizeParam?: string;
      size: number;
      maxSize?: number;
      next?: Path;
      nextFromRow?: string;
      hasMore?: Path;
    }
  /** The answer's Link header says where the next page is. `param` is what its URL changes. */
  | { kind: "link"; param?: string; sizeParam?: string; size: number; maxSize?: number }
  /** Relay: `pageInfo` holds endCursor and hasNextPage. */
  | { kind: "relay"; param: string; sizeParam: string; size: number; pageInfo: Path };

export interface Filter {
  /** The parameter's name. */
  param: string;
  field: Field;
  /** The field of a record that it narrows, if one is known. */
  of?: string;
  operator?: "equals" | "contains" | "from" | "to" | "in";
  /** It can be set, but not by people. */
  hidden?: boolean;
}

export interface Sort {
  param: string;
  /** A parameter of its own for the direction, with its two words. */
  direction?: { param: string; ascending: string; descending: string };
  /** What to send for a field, ascending and descending. */
  options: { field: string; label: string; ascending?: string; descending?: string }[];
}

export interface ListOperation extends Operation {
  /** Where the rows are. */
  rows: Path;
  /** The record in a row: Relay's ["node"]. */
  row?: Path;
  /** The rows are the values of a map; its keys go into the field of this name. */
  keyed?: string;
  /** Where the number of all rows is. Also the header "X-Total-Count", as ["header:x-total-count"]. */
  total?: Path;
  paging?: Paging;
  filters: Filter[];
  /** The parameter that searches in all of it. */
  search?: string;
  sort?: Sort;
}

export interface Action {
  id: string;
  label: string;
  kind: "action" | "upload" | "download" | "signIn" | "signOut";
  /** It needs a record, or works on the collection, or on the API. */
  on: "record" | "collection" | "api";
  operation: Operation;
  /** It cannot be undone: ask before. */
  dangerous?: boolean;
  /** What comes back, if it is worth showing. */
  result?: Field;
}

export interface Summary {
  id: string;
  label: string;
  description?: string;
  operation: Operation;
  /** A map of numbers (bars), an object of figures (stats), one value, or a few rows. */
  kind: "bars" | "stats" | "value" | "rows";
  result: Field;
}

/** A path parameter that a resource inherits from the one it lies below. */
export interface Scope {
  param: string;
  field: Field;
  /** The resource whose records give the value, and the field of theirs that does. */
  resource?: string;
  from?: string;
}

/** Rows that have one of the values there, or none of them. */
export interface RowRule {
  field: string;
  values: Json[];
  not?: boolean;
}

/** A board has a column for each value of the field `by`. */
export type ListView = { as: "table" | "cards" } | { as: "board"; by: string };

export interface Resource {
  /** Stable over regenerations: from the model and path, not from an order. Letters, digits and dashes. */
  id: string;
  /** One of it: "Pet". */
  name: string;
  /** Many: "Pets". */
  plural: string;
  description?: string;
  /** The heading in the navigation. */
  group?: string;
  /** The field that names one record to the API, and the path parameter that takes it. */
  key?: { field: string; param: string };
  /** The field that names a record to people. */
  title?: string;
  /** All that a record has. */
  fields: Field[];
  /** The names of the fields that a table shows, most telling first. */
  columns: string[];
  scopes?: Scope[];
  /** The usual list first; another one is used when a filter that only it has is set. */
  lists: ListOperation[];
  detail?: Operation;
  create?: Operation;
  update?: Operation;
  remove?: Operation;
  actions: Action[];
  /** Resources that lie below it (by path) or name it (by field). */
  children?: { resource: string; label: string; via: "scope" | "filter"; param: string }[];
  /** What a list shows of the inside of fields, each named by its dotted path. */
  parts?: Field[];
  /** A table, if not said. */
  view?: ListView;
  pageSize?: number;
  /** The order of its list, if a person wants no other. */
  order?: { field: string; descending: boolean };
  /** What a row must be to be shown, all of it. */
  rules?: RowRule[];
  /** If not said, it can be searched where the API searches, or all rows are there. */
  search?: { on: boolean; fields?: string[] };
  /** Filters that the API does not have: they narrow the rows that it gave. */
  narrowing?: Filter[];
}

/** A resource in the navigation. Its descriptor is made when it is first looked at. */
export interface ResourceEntry {
  id: string;
  name: string;
  plural: string;
  group?: string;
  /** One of the few, among many, that a person starts with. */
  main?: boolean;
  /** Not in the navigation, though there are ways to it. */
  hidden?: boolean;
  load: () => Resource | Promise<Resource>;
}

export interface Settings {
  theme: "light" | "dark" | "system";
  /** Where the navigation is. */
  layout: "side" | "top";
  /** Whether there is a form for credentials. */
  includeAuth: boolean;
  /** Whether lists have paging controls. */
  pagination: boolean;
  /** "#3451d1": what buttons, links and the like are coloured with. */
  accent?: string;
  density?: "compact" | "normal" | "roomy";
  textSize?: "small" | "normal" | "large";
  corners?: "square" | "normal" | "round";
  /** The resource that is seen first, instead of the dashboard. */
  home?: string;
}

export interface InterfaceDescriptor {
  api: ApiDescriptor;
  resources: ResourceEntry[];
  settings: Settings;
}
