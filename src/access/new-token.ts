import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../core/clock.ts";
import { DragomanError } from "../core/errors.ts";
import { roles as everyRole, type Role } from "../core/roles.ts";
import { callbackKeyOf, digestOf, looksLikeToken, newToken } from "./token.ts";
import type { TokenFiles } from "./token-files.ts";
import { ADMIN, TOKEN_NAME, type TokenRecord } from "./token-record.ts";

export interface WantedToken {
  name: string;
  roles: readonly Role[];
  /** An ISO time. */
  expiresAt?: string;
}

export function checkWanted({ name, roles, expiresAt }: WantedToken, now: number): void {
  if (looksLikeToken(name) || !TOKEN_NAME.test(name)) {
    throw wrong(
      "The name of a token is 1 to 64 letters, digits, blanks or . _ @ -, and begins with a letter or a digit.",
    );
  }
  if (roles.length === 0 || !roles.every((role) => everyRole.includes(role))) {
    throw wrong(`A token has at least one of the roles ${everyRole.join(", ")}, and no others.`);
  }
  if (expiresAt !== undefined && !(Date.parse(expiresAt) > now)) {
    throw wrong("A token expires in the future: give a later time, or none.");
  }
}

const wrong = (message: string) => new DragomanError("invalid_params", message);

export function newRecord({ name, roles, expiresAt }: WantedToken, token: string, clock: Clock): TokenRecord {
  return {
    id: randomBytes(8).toString("hex"),
    name,
    roles: everyRole.filter((role) => roles.includes(role)),
    ...secretsOf(token),
    createdAt: new Date(clock.now()).toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

/** What is kept of a token's text: nothing that opens a door. */
export function secretsOf(token: string): Pick<TokenRecord, "sha256" | "callbackKey"> {
  return { sha256: digestOf(token).toString("hex"), callbackKey: callbackKeyOf(token).toString("base64url") };
}

/**
 * Sees to it that there is an admin token and that its file has it. Resolves with its text if it was made just now: at the first
 * start, or because its file was lost, or whoever rotated it died before it was written down.
 */
export function ensureAdmin(files: TokenFiles, clock: Clock): Promise<string | undefined> {
  return files.change((records) => {
    const token = newToken();
    const made = { adminToken: token, result: token };
    const admin = records?.find(({ name }) => name === ADMIN);
    if (!records || !admin) return { records: [newRecord({ name: ADMIN, roles: ["admin"] }, token, clock)], ...made };
    const written = files.readAdminToken();
    if (written !== undefined && isTextOf(admin, written)) return { records, result: undefined };
    return { records: records.map((one) => (one === admin ? { ...admin, ...secretsOf(token) } : one)), ...made };
  });
}

const isTextOf = ({ sha256 }: TokenRecord, token: string) =>
  timingSafeEqual(Buffer.from(sha256, "hex"), digestOf(token));
