import type { OauthFlow, SecurityRequirement, SecurityScheme } from "../../normalized-spec.ts";
import { boundedJson } from "../bounded-json.ts";
import { clipped } from "../clipped-text.ts";
import { isObject, type RawNode } from "../raw-node.ts";
import type { Reading } from "../reading.ts";

/** Nobody chooses between more, and each operation has its own. */
const mostAlternatives = 30;
const mostTogether = 10;
const longestScopes = 2000;

/** The alternatives of a `security`; undefined if it is not there, which is not the same as none. */
export function readRequirements(reading: Reading, list: RawNode | undefined): SecurityRequirement[] | undefined {
  if (!list || !Array.isArray(list.value)) return undefined;
  const usable = list.items().filter((alternative) => alternative.keys().length <= mostTogether);
  if (usable.length < list.value.length)
    reading.warnings.add(list.place, `Alternatives of more than ${mostTogether} schemes at once are left out`);
  if (usable.length > mostAlternatives)
    reading.warnings.add(list.place, `There are more than ${mostAlternatives} alternatives; the rest is left out`);
  return usable.slice(0, mostAlternatives).flatMap((alternative) => {
    if (!isObject(alternative.value)) return [];
    const schemes = alternative.entries().map(([name, scopes]): [string, string[]] => [name, scopesIn(scopes.value)]);
    return [Object.fromEntries(schemes)];
  });
}

/** They stand at each operation; where they are too many for that it is enough that the scheme is known. */
function scopesIn(value: unknown): string[] {
  const scopes = boundedJson(value, longestScopes);
  return Array.isArray(scopes) ? scopes.filter((item) => typeof item === "string") : [];
}

/** Reads what is particular to one kind of scheme. */
export type ReadScheme = (node: RawNode) => Omit<SecurityScheme, "name" | "description"> | undefined;

export function readSchemes(reading: Reading, container: RawNode | undefined, read: ReadScheme): SecurityScheme[] {
  return (container?.entries() ?? []).flatMap(([name, raw]) => {
    const node = reading.references.resolved(raw);
    const scheme = node && read(node);
    if (node && !scheme) reading.warnings.add(raw.place, "This kind of security is not known; it is left out");
    if (!node || !scheme) return [];
    const description = node.text("description");
    return [{ name, ...scheme, ...(description && { description: clipped(description) }) }];
  });
}

export const readScheme: ReadScheme = (node) => {
  switch (node.text("type")?.toLowerCase()) {
    case "apikey":
      return readApiKey(node);
    case "http":
      return readHttp(node);
    case "oauth2":
      return { type: "oauth2", flows: readFlows(node.child("flows") ?? node.child("flow")) };
    case "openidconnect":
      return { type: "openIdConnect", ...written(node, ["openIdConnectUrl"]) };
    case "mutualtls":
      return { type: "mutualTLS" };
    default:
      return undefined;
  }
};

export const readApiKey: ReadScheme = (node) => {
  const place = node.text("in")?.toLowerCase();
  const parameterName = node.text("name");
  if (parameterName === undefined || (place !== "header" && place !== "query" && place !== "cookie")) return undefined;
  return { type: "apiKey", in: place, parameterName };
};

const readHttp: ReadScheme = (node) => {
  const scheme = node.text("scheme")?.toLowerCase();
  return scheme === undefined ? undefined : { type: "http", scheme, ...written(node, ["bearerFormat"]) };
};

const grants: OauthFlow["grant"][] = [
  "authorizationCode",
  "clientCredentials",
  "implicit",
  "password",
  "deviceAuthorization",
];

function readFlows(flows: RawNode | undefined): OauthFlow[] {
  return grants.flatMap((grant) => {
    const flow = flows?.child(grant);
    return flow ? [readFlow(grant, flow)] : [];
  });
}

export function readFlow(grant: OauthFlow["grant"], flow: RawNode): OauthFlow {
  const scopes = flow.child("scopes")?.entries() ?? [];
  return {
    grant,
    ...written(flow, ["authorizationUrl", "tokenUrl", "refreshUrl"]),
    scopes: Object.fromEntries(
      scopes.map(([name, text]) => [name, typeof text.value === "string" ? clipped(text.value, 500) : ""]),
    ),
  };
}

function written<Key extends string>(node: RawNode, keys: Key[]): Partial<Record<Key, string>> {
  const found: Partial<Record<Key, string>> = {};
  for (const key of keys) {
    const text = node.text(key);
    if (text) found[key] = text;
  }
  return found;
}
