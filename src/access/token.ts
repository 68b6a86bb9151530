import { createHmac, hash, randomBytes } from "node:crypto";
import type { SignInKind } from "./sign-in-record.ts";

const PREFIX = "drg_";
const SIGN_IN_PREFIX = "sess_";
const SECRET_BYTES = 32;
const CALLBACK_MESSAGE = "dragoman tool-callback v1";

/** It can be told from any other text by how it begins, so that one that went astray is found and refused. */
export function newToken(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
}

/** As a token, for one who signs in. That of a page is in a cookie, where its name says what it is. */
export function newSignIn(kind: SignInKind): string {
  return (kind === "program" ? SIGN_IN_PREFIX : "") + randomBytes(SECRET_BYTES).toString("base64url");
}

export function looksLikeSignIn(text: string): boolean {
  return text.startsWith(SIGN_IN_PREFIX);
}

export function looksLikeToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** A token has 256 random bits, so its plain digest is as hard to turn back as any slower one. */
export function digestOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** Signs tool callbacks. Whoever has the token can make it too, and the token cannot be made from it. */
export function callbackKeyOf(token: string): Buffer {
  return createHmac("sha256", token).update(CALLBACK_MESSAGE).digest();
}
