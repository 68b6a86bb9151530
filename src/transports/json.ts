import { DragomanError } from "../core/errors.ts";

export const DEFAULT_MAX_DEPTH = 64;
export const DEFAULT_MAX_PARTS = 200_000;

const OPENERS = ["{", "["];
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

interface JsonLimits {
  maxDepth?: number;
  /** Commas, colons and opening brackets: there are at most as many values, and an object's field counts twice. */
  maxParts?: number;
}

/**
 * JSON.parse for text from outside.
 *
 * Depth is bounded before anything is built, because what is parsed will be stringified again, and that recurses. So is the number
 * of values: a small one costs two bytes to send and a hundred times that to hold, and who looks at them all takes as much again.
 *
 * A `__proto__` key is dropped, however it is escaped. JSON.parse makes it an own property, which is harmless until someone
 * copies it by assignment; refusing the whole message instead would leave its sender waiting for a reply to the rest of it.
 */
export function parseJson(text: string, limits: JsonLimits = {}): unknown {
  const { maxDepth = DEFAULT_MAX_DEPTH, maxParts = DEFAULT_MAX_PARTS } = limits;
  if (text.length > maxParts || hasMoreOpeners(text, maxDepth)) checkShape(text, maxDepth, maxParts);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DragomanError("parse_error", `Invalid JSON (${text.length} characters): ${printable(error as Error)}`);
  }
  if (mayNameProto(text)) dropProto(value);
  return value;
}

// Most messages have a handful of brackets, and counting those costs a fraction of the scan.
function hasMoreOpeners(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let count = 0;
  for (const opener of OPENERS) {
    for (let at = text.indexOf(opener); at >= 0; at = text.indexOf(opener, at + 1)) {
      if (++count > limit) return true;
    }
  }
  return false;
}

function checkShape(text: string, maxDepth: number, maxParts: number): void {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) return; // never closed: JSON.parse will say so
    } else if (code === COMMA || code === COLON) {
      if (++parts > maxParts) throw tooManyParts(maxParts);
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) throw tooDeep(maxDepth);
      if (++parts > maxParts) throw tooManyParts(maxParts);
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
    }
  }
}

const tooDeep = (maxDepth: number) =>
  new DragomanError("invalid_request", `JSON is nested deeper than ${maxDepth} levels. Send it flatter.`, { maxDepth });

function tooManyParts(maxParts: number): DragomanError {
  const message = `JSON has more than ${maxParts} commas, colons and opening brackets. Send less at once.`;
  return new DragomanError("too_large", message, { maxParts });
}

/** The index of the quote that closes the string opened at `start`, or -1. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return -1;
}

// An escaped spelling has at least one of its letters (_ p r o t) as \u00xx.
const ESCAPED_LETTER = /\\u00(?:5[fF]|6[fF]|7[024])/;

function mayNameProto(text: string): boolean {
  return text.includes("__proto__") || (text.includes("\\u00") && ESCAPED_LETTER.test(text));
}

function dropProto(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  for (const child of Object.values(value)) dropProto(child);
}

// The engine's message says what and where and quotes a few characters; those may hold what a terminal would obey.
function printable(error: Error): string {
  return error.message.slice(0, 160).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\ufffd");
}
