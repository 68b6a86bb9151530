import type { Schema } from "../../normalized-spec.ts";

export const builtIn = new Map<string, Schema>([
  ["Int", { type: "integer" }],
  ["Float", { type: "number" }],
  ["String", { type: "string" }],
  ["Boolean", { type: "boolean" }],
  ["ID", { type: "string", format: "id" }],
]);

/** What scalars with these names are on the wire, by the conventions of most servers; small letters, without underscores. */
const conventional: [RegExp, Schema][] = [
  [
    /^(?:iso8601)?(?:date-?time|timestamp|localdatetime|offsetdatetime|zoneddatetime|timestamptz)$/,
    { type: "string", format: "date-time" },
  ],
  [/datetime$/, { type: "string", format: "date-time" }],
  [/^(?:iso8601|local|calendar)?date$/, { type: "string", format: "date" }],
  [/^(?:local)?time$|^timetz$/, { type: "string", format: "time" }],
  [/^(?:duration|interval)$/, { type: "string", format: "duration" }],
  [/^(?:uri|url|httpurl|link)$/, { type: "string", format: "uri" }],
  [/^email(?:address)?$/, { type: "string", format: "email" }],
  [/^(?:uuid|guid)$/, { type: "string", format: "uuid" }],
  [/^(?:upload|file)$/, { type: "string", format: "binary", contentEncoding: "binary" }],
  [/^(?:base64.*|bytes|bytea|blob)$/, { type: "string", format: "byte", contentEncoding: "base64" }],
  [
    /^(?:bigint|long|int64|biginteger|int32|short|byte|(?:non)?(?:positive|negative)int|unsignedint|uint(?:32|64)?|smallint|year)$/,
    { type: "integer" },
  ],
  [/^(?:decimal|bigdecimal|double|numeric|number|float8|money)$/, { type: "number" }],
  [/^(?:bool)$/, { type: "boolean" }],
  [/json|^(?:any|unknown|map|object|void|mixed|dynamic)$/, {}],
  [
    /^(?:html|markdown|text|color|hexcolor|colorhex|currency|currencycode|countrycode|locale|phone(?:number)?|gitobjectid|slug|string|password)$/,
    { type: "string" },
  ],
];

/** A scalar with an unknown name may be anything. */
export function scalarSchema(name: string): Schema {
  const plain = name.slice(0, 60).replaceAll("_", "").toLowerCase();
  const known = conventional.find(([names]) => names.test(plain));
  return { ...known?.[1] };
}
