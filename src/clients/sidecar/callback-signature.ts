import { createHmac, timingSafeEqual } from "node:crypto";

/** Both sides make the key from the token, so a callback proves that its sender knows it, and does not show it. */
export function callbackKeyOf(token: string): Buffer {
  return createHmac("sha256", token).update("dragoman tool-callback v1").digest();
}

export function signRequest(key: Buffer, timestamp: string, body: string | Buffer): string {
  return signed(key, `request:${timestamp}:`, body);
}

export function signReply(key: Buffer, callId: string, body: string): string {
  return signed(key, `reply:${callId}:`, body);
}

/** In a time that does not tell how much of it was right. */
export function isSame(signature: string, expected: string): boolean {
  const [given, wanted] = [Buffer.from(signature), Buffer.from(expected)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function signed(key: Buffer, before: string, body: string | Buffer): string {
  return `v1=${createHmac("sha256", key).update(before).update(body).digest("hex")}`;
}
