import { createHmac, timingSafeEqual } from "node:crypto";

// Both sides of a callback show that they know the token of the session's plugin, without sending it.

const TIMESTAMP_HEADER = "x-dragoman-timestamp";
export const SIGNATURE_HEADER = "x-dragoman-signature";

const VERSION = "v1";

function signature(key: Buffer, text: string): string {
  return `${VERSION}=${createHmac("sha256", key).update(text).digest("hex")}`;
}

/** The headers of a POST. With the time in it, one that was overheard is of no use later. */
export function signedHeaders(key: Buffer, timestamp: number, body: string): Record<string, string> {
  return {
    [TIMESTAMP_HEADER]: String(timestamp),
    [SIGNATURE_HEADER]: signature(key, `request:${timestamp}:${body}`),
  };
}

/** It names the call, so that the reply to one is never taken for that to another. */
export function replySignature(key: Buffer, callId: string, body: string): string {
  return signature(key, `reply:${callId}:${body}`);
}

export function isSignedReply(key: Buffer, callId: string, body: string, given: string | undefined): boolean {
  const expected = Buffer.from(replySignature(key, callId, body));
  const actual = Buffer.from(given ?? "");
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
