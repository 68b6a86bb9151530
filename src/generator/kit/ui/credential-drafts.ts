import type { Credential, Credentials } from "../api/credentials.ts";
import { propertyOf } from "../api/json.ts";
import type { AuthScheme, Json } from "../descriptor.ts";

/** What is being entered for a scheme. */
export interface SecretDraft {
  token?: string;
  username?: string;
  password?: string;
}

export function draftsOf(credentials: Credentials): Record<string, SecretDraft> {
  return Object.fromEntries(Object.entries(credentials).map(([id, one]) => [id, { ...one }]));
}

/** Only those that say something. */
export function credentialsOf(drafts: Record<string, SecretDraft>): Credentials {
  const found = Object.entries(drafts).flatMap(([id, draft]): [string, Credential][] => {
    const { token = "", username = "", password = "" } = draft;
    if (token.trim()) return [[id, { token: token.trim() }]];
    return username || password ? [[id, { username, password }]] : [];
  });
  return Object.fromEntries(found);
}

const tokenNames = [
  ...["token", "access_token", "accessToken", "id_token", "idToken", "jwt", "authToken"],
  ...["auth_token", "sessionToken", "session_token", "session", "apiKey", "api_key", "key"],
];

/** The token in the answer to a sign-in, and the scheme that takes it. */
export function signInToken(
  schemes: AuthScheme[],
  answer: Json | undefined,
): { scheme: string; token: string } | undefined {
  const takesToken = ({ kind }: AuthScheme) => kind !== "basic";
  const scheme = schemes.find(({ kind }) => kind === "bearer") ?? schemes.find(takesToken);
  const token = tokenIn(answer) ?? tokenIn(propertyOf(answer, "data"));
  return scheme && token ? { scheme: scheme.id, token } : undefined;
}

function tokenIn(answer: Json | undefined): string | undefined {
  if (typeof answer === "string") return /^[\w\-.~+/=]{16,}$/.test(answer) ? answer : undefined;
  for (const name of tokenNames) {
    const value = propertyOf(answer, name);
    if (typeof value === "string" && value) return value;
  }
  return undefined;
}
