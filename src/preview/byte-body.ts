import type { IncomingMessage } from "node:http";
import { OwnStatus } from "../transports/http/errors.ts";

export const BYTES = "application/octet-stream";

/** Before a body is read: what a form of another website can send is not even looked at. */
export function checkBytes({ headers }: IncomingMessage): void {
  if (headers["content-type"] === BYTES) return;
  throw new OwnStatus(415, "invalid_request", `Send the body with "Content-Type: ${BYTES}".`);
}
