import { isObject, ownValue, textOf } from "./raw-node.ts";
import { specInvalid } from "./warnings.ts";

export type DescriptionKind = "openapi3" | "swagger2" | "introspection";

const supported =
  "Supported are OpenAPI 3.0 to 3.2, Swagger 2.0 and GraphQL (its schema language, or the result of an introspection)";

/** What a text is that is not even meant to be JSON, YAML or a GraphQL schema. */
const foreignTexts: [RegExp, string][] = [
  [/^\s*$/, "empty"],
  [/^\s*#%RAML/, "RAML"],
  [/^\s*<(?:!doctype html|html)/i, "a web page (HTML)"],
  [/^\s*<[\s\S]{0,2000}?<(?:wsdl:)?definitions\b/i, "WSDL"],
  [/^\s*<(?:wsdl:)?definitions\b/i, "WSDL"],
  [/^\s*<[\s\S]{0,2000}?<edmx:/i, "OData metadata"],
  [/^\s*<[\s\S]{0,2000}?<application\b/i, "WADL"],
  [/^\s*</, "XML"],
  [/^\s*FORMAT: 1A\b/, "API Blueprint"],
  [/^\s*(?:\/\/[^\n]*\n\s*)*syntax = ["']proto/, "Protocol Buffers"],
];

/** What a parsed document is that is none of ours: by a key that only it has. */
const foreignKeys: [string, string][] = [
  ["asyncapi", "AsyncAPI"],
  ["arazzo", "an Arazzo workflow"],
  ["overlay", "an OpenAPI overlay"],
  ["openrpc", "OpenRPC"],
  ["swaggerVersion", "Swagger 1"],
  ["smithy", "Smithy"],
  ["discoveryVersion", "a Google discovery document"],
  ["__export_format", "an Insomnia export"],
  ["log", "a HAR recording"],
];

export function demandKnownText(text: string, label: string): void {
  const start = text.slice(0, 4000);
  const foreign = foreignTexts.find(([pattern]) => pattern.test(start))?.[1];
  if (foreign) throw specInvalid(`${label}line 1, column 1`, `The description is ${foreign}. ${supported}`);
}

/** GraphQL's schema language, by the file's name or a definition at the start of a line. */
export function isSdl({ name, text: written }: { name: string; text: string }): boolean {
  if (/\.(?:graphqls?|gql|sdl)$/i.test(name)) return true;
  const indent = /^(?:[ \t]*\n)*([ \t]+)\S/.exec(written)?.[1] ?? ""; // as what is pasted from within a program
  const text = indent === "" ? written : written.replaceAll(`\n${indent}`, "\n").trimStart();
  if (/^\s*[{[]/.test(text) || /^["']?(?:openapi|swagger|asyncapi)["']?[ \t]*:/m.test(text)) return false;
  return /^(?:extend[ \t]+)?(?:(?:type|interface|input|enum|union|scalar|directive)[ \t]+[@_A-Za-z]|schema[ \t]*[@{])/m.test(
    text,
  );
}

export function kindOf(value: unknown, label: string): DescriptionKind {
  const [openapi, swagger] = [textOf(ownValue(value, "openapi")), textOf(ownValue(value, "swagger"))];
  if (openapi?.startsWith("3")) return "openapi3";
  if (swagger?.startsWith("2")) return "swagger2";
  if (ownValue(value, "__schema") || ownValue(ownValue(value, "data"), "__schema")) return "introspection";
  const version =
    openapi !== undefined ? `OpenAPI ${openapi}` : swagger !== undefined ? `Swagger ${swagger}` : undefined;
  if (version)
    throw specInvalid(
      `${label}/${openapi === undefined ? "swagger" : "openapi"}`,
      `The version is ${version.slice(0, 40)}. ${supported}`,
    );
  throw specInvalid(`${label}/`, `The description is ${foreignName(value)}. ${supported}`);
}

function foreignName(value: unknown): string {
  const known = foreignKeys.find(([key]) => ownValue(value, key) !== undefined)?.[1];
  if (known) return known;
  const info = ownValue(value, "info");
  const isPostman =
    textOf(ownValue(info, "schema"))?.includes("postman") || ownValue(info, "_postman_id") !== undefined;
  if (isPostman) return "a Postman collection";
  if (Array.isArray(ownValue(value, "errors")) && ownValue(value, "data") !== undefined)
    return "the error of a GraphQL server";
  if (ownValue(value, "$schema") !== undefined || ownValue(value, "$defs") !== undefined) return "a JSON Schema";
  if (isObject(value)) return 'of no known kind: it has neither "openapi" nor "swagger" nor "__schema"';
  return Array.isArray(value) ? "a list" : "plain text";
}
