import { DragomanError } from "../core/errors.ts";
import { credentialsFor, type PlacedCredential } from "../generator/kit/api/credentials.ts";
import type { AuthScheme } from "../generator/kit/descriptor.ts";
import { checkHeader } from "./proxied-headers.ts";
import type { Credential } from "./vault.ts";

/** What an operation takes of credentials, placed as a generated interface would by itself. */
export function credentialsOf(
  schemes: AuthScheme[],
  alternatives: string[][],
  credentials: Record<string, Credential>,
): PlacedCredential[] {
  const api = { title: "", version: "", protocol: "rest" as const, servers: [], summaries: [], actions: [] };
  const operation = { id: "", method: "", path: "", params: [], auth: alternatives };
  return credentialsFor({ ...api, auth: schemes }, operation, credentials);
}

/** The address with those that travel in it. */
export function addressWith(address: URL, placed: readonly PlacedCredential[]): URL {
  const url = new URL(address);
  url.hash = "";
  for (const { name, value } of placed.filter((one) => one.in === "query")) url.searchParams.set(name, value);
  return url;
}

/** The headers with those that travel in one. What the interface says under the same name does not count. */
export function headersWith(headers: ReadonlyMap<string, string>, placed: readonly PlacedCredential[]): Headers {
  const all = new Map(headers);
  for (const { name, value } of placed.filter((one) => one.in === "header")) {
    checkHeader(name, value);
    all.set(name.toLowerCase(), value);
  }
  const cookies = placed.filter((one) => one.in === "cookie").map(cookieOf);
  const given = all.get("cookie");
  if (cookies.length > 0) all.set("cookie", [...(given ? [given] : []), ...cookies].join("; "));
  return new Headers([...all]);
}

function cookieOf({ name, value }: PlacedCredential): string {
  checkHeader(name, value);
  if (!/[;,\s"\\]/.test(value)) return `${name}=${value}`;
  throw new DragomanError("denied", `What was entered for the cookie ${name} cannot be sent in one.`);
}
