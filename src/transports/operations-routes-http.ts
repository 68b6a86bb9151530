import type { IncomingMessage } from "node:http";
import { DragomanError } from "../core/errors.ts";
import { answer, type Headers } from "./http/answer.ts";
import { checkJson } from "./http/check-json.ts";
import { declaredBytes } from "./http/declared-bytes.ts";
import type { KnownExchange } from "./http/route.ts";
import { parseJson } from "./json.ts";

/** A document of 200 KB may take six bytes for each of its own. */
const MOST_BODY_BYTES = 1_500_000;

/** What a body says; nothing where there is none. */
export async function bodyOf(exchange: KnownExchange): Promise<Record<string, unknown>> {
  if (declaredBytes(exchange.request) === 0) return {};
  checkJson(exchange.request);
  const value = parseJson(textOf(await exchange.body(MOST_BODY_BYTES)));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new DragomanError("invalid_request", "The body must be a JSON object.");
}

/** A document with other bytes than were sent would be saved. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new DragomanError("parse_error", "The body is not UTF-8. Send it as UTF-8.");
  }
}

export function queryOf({ query }: KnownExchange): Record<string, string> {
  return Object.fromEntries(query);
}

export const quoted = (etag: string) => `"${etag}"`;

/**
 * What a document must be for it to be written: the etag it must have, "*" where any will do, null where it must not be there. The
 * header and the body say the same, or one of them is left out.
 */
export function preconditionOf({ headers }: IncomingMessage, inBody: string | undefined): string | null | undefined {
  const { "if-match": match, "if-none-match": noneMatch } = headers;
  if (noneMatch !== undefined && noneMatch.trim() !== "*") {
    throw new DragomanError("invalid_request", "If-None-Match is * here: the document must not be there yet.");
  }
  const said = [match, inBody].flatMap((etag) => (etag === undefined ? [] : [bare(etag)]));
  if (new Set(said).size > 1 || (said.length > 0 && noneMatch !== undefined)) {
    throw new DragomanError(
      "invalid_request",
      "Say once what the document must be: If-Match, if_match or If-None-Match.",
    );
  }
  return noneMatch === undefined ? said[0] : null;
}

function bare(etag: string): string {
  const text = /^\s*(?:W\/)?"([^"]*)"\s*$/.exec(etag)?.[1] ?? etag.trim();
  if (text !== "" && !text.includes(",")) return text;
  throw new DragomanError("invalid_request", "If-Match is one etag, as a GET of the document gave it.");
}

/** Answers with what may be large. It counts among what is held for those who have yet to read it. */
export function answerHeld(exchange: KnownExchange, json: string, headers: Headers = {}): void {
  if (exchange.hold(Buffer.byteLength(json))) answer(exchange.response, 200, "application/json", json, headers);
  else throw new DragomanError("queue_full", "Too many answers wait to be read here. Try again in a moment.");
}
