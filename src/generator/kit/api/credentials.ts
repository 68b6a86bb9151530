import type { ApiDescriptor, AuthScheme, Operation } from "../descriptor.ts";

/** What a person entered for one scheme. */
export type Credential = { token: string } | { username: string; password: string };

/** By the id of the scheme. */
export type Credentials = Record<string, Credential>;

/** One secret, and where in a request it goes. */
export interface PlacedCredential {
  in: "header" | "query" | "cookie";
  name: string;
  value: string;
}

/**
 * The secrets for an operation: those of the first alternative for which all are known. One that
 * needs none is the last choice, since an API may say more to those it knows.
 */
export function credentialsFor(
  api: ApiDescriptor,
  operation: Operation,
  credentials: Credentials,
): PlacedCredential[] {
  const schemes = new Map(api.auth.map((scheme) => [scheme.id, scheme]));
  const usable = (operation.auth ?? []).find(
    (ids) => ids.length > 0 && ids.every((id) => schemes.has(id) && Object.hasOwn(credentials, id)),
  );
  return (usable ?? []).flatMap((id) => {
    const scheme = schemes.get(id);
    const credential = credentials[id];
    return scheme && credential ? [placed(scheme, credential)] : [];
  });
}

function placed(scheme: AuthScheme, credential: Credential): PlacedCredential {
  const secret =
    "token" in credential
      ? credential.token.trim()
      : base64(`${credential.username}:${credential.password}`);
  if (scheme.kind === "apiKey") {
    return { in: scheme.in ?? "header", name: scheme.name ?? "Authorization", value: secret };
  }
  const word = authorizationWord(scheme, "token" in credential);
  return { in: "header", name: "Authorization", value: word ? `${word} ${secret}` : secret };
}

function authorizationWord(scheme: AuthScheme, hasToken: boolean): string {
  if (scheme.kind === "basic") return "Basic";
  if (scheme.kind === "other") return scheme.scheme ?? "";
  return hasToken ? "Bearer" : "Basic";
}

/** Of the UTF-8 bytes: `btoa` alone refuses most of the world's letters. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
