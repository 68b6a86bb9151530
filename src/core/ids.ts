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

// A dialect makes an id for every message, so the bytes to be hashed are kept between two calls for the same run, and a view of them
// for each length that a name has had.
const LONGEST_NAME = 64;
const scratch = Buffer.alloc(16 + LONGEST_NAME);
const views: Buffer[] = Array.from({ length: LONGEST_NAME + 1 }, (_, length) => scratch.subarray(0, 16 + length));
let scratchNamespace = "";

/** UUID v5: the same namespace and name give the same id on every node and in every replay. */
export function derivedId(namespace: string, name: string): string {
  if (namespace !== scratchNamespace) {
    scratchNamespace = "";
    const written = scratch.write(namespace.replaceAll("-", ""), 0, 16, "hex");
    if (written !== 16) throw new DragomanError("internal", `${JSON.stringify(namespace)} is not a UUID.`);
    scratchNamespace = namespace;
  }
  return asUuid(hash("sha1", bytesFor(name)), 5);
}

/** The namespace, then the name: a number, nearly always, for which a call of the encoder would be dear. */
function bytesFor(name: string): Buffer {
  const view = views[name.length];
  for (let i = 0; view && i < name.length; i++) {
    const unit = name.charCodeAt(i);
    if (unit > 0x7f) return Buffer.concat([scratch.subarray(0, 16), Buffer.from(name)]);
    scratch[16 + i] = unit;
  }
  return view ?? Buffer.concat([scratch.subarray(0, 16), Buffer.from(name)]);
}

const variants = "89ab89ab89ab89ab";

function asUuid(hex: string, version: 4 | 5): string {
  const variant = variants.charAt(Number.parseInt(hex.charAt(16), 16));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
