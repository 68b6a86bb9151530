import { DragomanError } from "../core/errors.ts";

export const DEFAULT_MAX_DEPTH = 64;

const OPENERS = ["{", "["];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * JSON.parse for text from outside.
 *
 * Depth is bounded before anything is built, because what is parsed will be stringified again, and that recurses.
 *
 * A `__proto__` key is dropped, however it is escaped. JSON.parse makes it an own property, which is harmless until someone
 * copies it by assignment; refusing the whole message instead would leave its sender waiting for a reply to the rest of it.
 */
export function parseJson(text: string, { maxDepth = DEFAULT_MAX_DEPTH }: { maxDepth?: number } = {}): unknown {
  if (hasMoreOpeners(text, maxDepth) && isDeeper(text, maxDepth)) {
    throw new DragomanError("invalid_request", `JSON is nested deeper than ${maxDepth} levels`, { maxDepth });
  }
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

function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) return false; // never closed: JSON.parse will say so
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > limit) return true;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
    }
  }
  return false;
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
