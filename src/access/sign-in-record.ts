import * as z from "zod";
import { parseJsonText } from "../config/json-text.ts";
import { printable } from "../config/printable.ts";
import { unusable } from "../config/text-file.ts";
import { messageOf } from "../core/errors.ts";
import { schemaProblems } from "../core/schema-problems.ts";

/** Of a page, by a cookie; or of a program, which shows it itself. One is not good as the other. */
export const signInKinds = ["page", "program"] as const;
export type SignInKind = (typeof signInKinds)[number];

const digest = z.string().regex(/^[0-9a-f]{64}$/);

const recordSchema = z.strictObject({
  /** Of its text, which has 256 random bits and is kept nowhere. */
  sha256: digest,
  kind: z.enum(signInKinds),
  tokenId: z.string().regex(/^[0-9a-f]{16}$/),
  /** Of the token as it was: one that was rotated since has no sign-ins any more. */
  tokenSha256: digest,
  expiresAt: z.iso.datetime().refine((text) => !Number.isNaN(Date.parse(text)), "is no time"),
});

const fileSchema = z.strictObject({ signIns: z.array(recordSchema) });

/** What is kept of a sign-in: nothing that opens a door. */
export type SignInRecord = z.infer<typeof recordSchema>;

/** Fails at anything that is not as we wrote it. */
export function parseSignIns(path: string, text: string): SignInRecord[] {
  try {
    return fileSchema.parse(parseJsonText(text).value).signIns;
  } catch (error) {
    const reason = error instanceof z.ZodError ? schemaProblems(error).replaceAll("\n", "; ") : messageOf(error);
    const advice = "All have to sign in anew; nothing is to be done about it";
    throw unusable(path, `is not a list of sign-ins: ${printable(reason.slice(0, 300))}. ${advice}`);
  }
}

export function signInsText(signIns: SignInRecord[]): string {
  const rows = signIns.map((record) => `  ${JSON.stringify(record)}`);
  return `{ "signIns": [${rows.length > 0 ? `\n${rows.join(",\n")}\n` : ""}] }\n`;
}

/** Those that must go where there are more than `most`: the oldest of whoever has the most, so that nobody pushes out the others. */
export function surplusOf(records: readonly SignInRecord[], most: number): SignInRecord[] {
  if (records.length <= most) return [];
  const oldestFirst = [...records].sort((a, b) => Date.parse(a.expiresAt) - Date.parse(b.expiresAt));
  const counts = new Map<string, number>();
  for (const { tokenId } of records) counts.set(tokenId, (counts.get(tokenId) ?? 0) + 1);
  const surplus: SignInRecord[] = [];
  while (oldestFirst.length > most) {
    const largest = Math.max(...counts.values());
    const at = oldestFirst.findIndex(({ tokenId }) => counts.get(tokenId) === largest);
    const [gone] = oldestFirst.splice(at, 1);
    if (!gone) break;
    counts.set(gone.tokenId, largest - 1);
    surplus.push(gone);
  }
  return surplus;
}
