import type { IncomingMessage } from "node:http";

/** How long the body of a request is, as its head says: 0 where there is none, and endless where it does not say. */
export function declaredBytes({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers["content-length"] ?? 0);
}
