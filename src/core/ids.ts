import { createHash, hash, randomUUID } from "node:crypto";

/** Makes a UUID v4. Injected, so that a recording is the same each time it is made. */
export type NewId = () => string;

export const randomId: NewId = () => randomUUID();

/** UUIDs from a seed, for recordings and tests. */
export function seededIds(seed: string): NewId {
  let count = 0;
  return () => uuidFrom(createHash("sha1").update(`${seed}:${count++}`).digest(), 0x40);
}

/** UUID v5: the same namespace and name give the same id on every node and in every replay. */
export function derivedId(namespace: string, name: string): string {
  const bytes = Buffer.from(namespace.replaceAll("-", "") + Buffer.from(name).toString("hex"), "hex");
  return uuidFrom(hash("sha1", bytes, "buffer"), 0x50);
}

function uuidFrom(hash: Buffer, version: number): string {
  hash[6] = ((hash[6] ?? 0) & 0x0f) | version;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString("hex", 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
