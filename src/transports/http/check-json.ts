import type { IncomingMessage } from "node:http";
import { isNotJson } from "./errors.ts";

export const JSON_TYPE = "application/json";
const ALSO_JSON = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** Before a body is read: what a form of another website can send is not even looked at. */
export function checkJson({ headers }: IncomingMessage): void {
  const { "content-type": type = "" } = headers;
  if (type !== JSON_TYPE && !ALSO_JSON.test(type)) throw isNotJson();
}
