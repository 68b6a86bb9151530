import { createHash } from "node:crypto";

/** Tells whether two processes mean the same event, key by key and in the same order. */
export const eventDigest = (event: unknown) => createHash("sha1").update(JSON.stringify(event)).digest("hex");
