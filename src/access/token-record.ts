import * as z from "zod";
import { parseJsonText } from "../config/json-text.ts";
import { printable } from "../config/printable.ts";
import { unusable } from "../config/text-file.ts";
import { messageOf } from "../core/errors.ts";
import { roles } from "../core/roles.ts";
import { schemaProblems } from "../core/schema-problems.ts";

/** The one whose text is in the `token` file; it cannot be revoked. */
export const ADMIN = "admin";

/** As it stands beside what was done with the token: in logs, on terminals, in pages. */
export const TOKEN_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._@-]{0,62}[\p{L}\p{N}._@-])?$/u;

// A date that is none would never be over.
const time = z.iso.datetime().refine((text) => !Number.isNaN(Date.parse(text)), "is no time");

// Strict: a token whose unknown key is left out could be good for more than was meant.
const recordSchema = z.strictObject({
  /** No secret; it stays the same when the token is rotated. */
  id: z.string().regex(/^[0-9a-f]{16}$/),
  name: z.string().regex(TOKEN_NAME),
  roles: z.array(z.enum(roles)).min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  callbackKey: z.base64url().length(43),
  createdAt: time,
  expiresAt: time.optional(),
});

const fileSchema = z.strictObject({ tokens: z.array(recordSchema) });

export type TokenRecord = z.infer<typeof recordSchema>;

/** What may be shown of a token. */
export type TokenInfo = Omit<TokenRecord, "sha256" | "callbackKey">;

export function infoOf({ sha256, callbackKey, ...info }: TokenRecord): TokenInfo {
  return info;
}

export function isExpired({ expiresAt }: Pick<TokenRecord, "expiresAt">, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}

/** Fails at anything that is not as we wrote it: what cannot be understood lets nobody in. */
export function parseRecords(path: string, text: string): TokenRecord[] {
  try {
    const { tokens } = fileSchema.parse(parseJsonText(text).value);
    checkTogether(tokens);
    return tokens;
  } catch (error) {
    const reason = error instanceof z.ZodError ? schemaProblems(error).replaceAll("\n", "; ") : messageOf(error);
    const advice =
      "Put back a copy of it, or take it away: the next start makes a new admin token, and all others are void";
    throw unusable(path, `is not a list of tokens: ${printable(reason)}. ${advice}`);
  }
}

function checkTogether(tokens: TokenRecord[]): void {
  for (const key of ["id", "name", "sha256"] as const) {
    if (new Set(tokens.map((token) => token[key])).size < tokens.length) throw new Error(`two have the same ${key}`);
  }
  const admin = tokens.find(({ name }) => name === ADMIN);
  if (!admin) throw new Error("the admin token is missing");
  if (!admin.roles.includes("admin") || admin.expiresAt) throw new Error("the admin token is not what it was made as");
}

export function recordsText(tokens: TokenRecord[]): string {
  return `${JSON.stringify({ tokens }, null, 2)}\n`;
}
