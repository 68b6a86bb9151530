import { hash, randomUUID } from "node:crypto";
import { DragomanError } from "./errors.ts";

/** Makes a UUID v4. Injected, so that a recording is the same each time it is made. */
export type NewId = () => string;

export const randomId: NewId = () => randomUUID();

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** UUIDs from a seed, for recordings and tests. */
export function seededIds(seed: string): NewId {
  let count = 0;
  return () => asUuid(hash("sha1", `${seed}:${count++}`), 4);
}

// A dialect makes an id for every message, so the bytes to be hashed are kept between two calls for the same run.
const scratch = Buffer.alloc(16 + 256);
let scratchNamespace = "";

/** UUID v5: the same namespace and name give the same id on every node and in every replay. */
export function derivedId(namespace: string, name: string): string {
  if (namespace !== scratchNamespace) {
    scratchNamespace = "";
    const written = scratch.write(namespace.replaceAll("-", ""), 0, 16, "hex");
    if (written !== 16) throw new DragomanError("internal", `${JSON.stringify(namespace)} is not a UUID.`);
    scratchNamespace = namespace;
  }
  const short = name.length <= 64; // four bytes a character at the most
  const bytes = short
    ? scratch.subarray(0, 16 + scratch.write(name, 16))
    : Buffer.concat([scratch.subarray(0, 16), Buffer.from(name)]);
  return asUuid(hash("sha1", bytes), 5);
}

function asUuid(hex: string, version: 4 | 5): string {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20)];
  return `${a}-${b}-${version}${c}-${variant}${d}-${hex.slice(20, 32)}`;
}
