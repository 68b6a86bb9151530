import type { FieldKind } from "../kit/descriptor.ts";
import type { Schema } from "../normalized-spec.ts";
import { wordsOf } from "./names.ts";

const byFormat = new Map<string, FieldKind>([
  ["date", "date"],
  ["date-time", "dateTime"],
  ["datetime", "dateTime"],
  ["time", "time"],
  ["email", "email"],
  ["idn-email", "email"],
  ["uri", "url"],
  ["url", "url"],
  ["iri", "url"],
  ["password", "password"],
  ["binary", "file"],
  ["markdown", "longText"],
  ["html", "longText"],
  ["int32", "integer"],
  ["int64", "integer"],
]);

const images = new Set([
  "avatar",
  "image",
  "photo",
  "picture",
  "logo",
  "thumbnail",
  "icon",
  "images",
  "photos",
  "pictures",
  "logos",
]);
const addresses = new Set(["url", "uri", "href", "urls", "uris", "website", "homepage"]);
const passwords = new Set(["password", "passwd", "passphrase"]);
const long = new Set(
  (
    "description body content contents comment comments notes note bio biography message text html markdown readme instructions essay abstract memo " +
    "footer terms remarks remark feedback reason summary details explanation about"
  ).split(" "),
);
/** The kind of a text, from its format and otherwise from its name, where names are safe to go by. A large `maxLength` says nothing: some give it to every text. */
export function textKind(name: string, schema: Schema): FieldKind {
  const words = wordsOf(name);
  const last = words.at(-1) ?? "";
  const known = schema.format === undefined ? undefined : byFormat.get(schema.format.toLowerCase());
  if (known === "url" || (known === undefined && addresses.has(last))) {
    return words.some((word) => images.has(word)) ? "image" : "url";
  }
  if (known !== undefined && known !== "integer") return known;
  if (schema.contentEncoding === undefined && isBinary(schema.contentMediaType)) return "file";
  if (schema.format !== undefined && schema.format !== "string") return "text";
  if (passwords.has(last)) return "password";
  if (last === "email" || (last === "address" && words.at(-2) === "email")) return "email";
  if (images.has(last) && isAddress(schema.example)) return "image";
  if (isMoment(schema.example)) return "dateTime";
  const room = schema.maxLength ?? 0;
  return long.has(last) && (room === 0 || room > 120) ? "longText" : "text";
}

function isBinary(mediaType: string | undefined): boolean {
  return mediaType !== undefined && !/json|xml|text|html|jwt|urlencoded/.test(mediaType);
}

function isAddress(example: unknown): boolean {
  return typeof example === "string" && /^https?:\/\//.test(example);
}

function isMoment(example: unknown): boolean {
  return (
    typeof example === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/.test(example)
  );
}
