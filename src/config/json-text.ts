import { DragomanError } from "../core/errors.ts";
import { printable } from "./printable.ts";

const MAX_DEPTH = 64;

export type Path = (string | number)[];

export interface Place {
  line: number;
  column: number;
}

export interface ParsedJson {
  value: unknown;
  /** `__proto__` keys, which are in no value that we make. */
  dropped: Path[];
}

/**
 * JSON that a person wrote by hand. Unlike `JSON.parse` it always says where a mistake is, and takes a key that stands twice for
 * one: whoever wrote two lists of rules meant both of them.
 */
export function parseJsonText(text: string): ParsedJson {
  const reader = new Reader(text);
  return { value: reader.document(), dropped: reader.dropped };
}

/** Where in the text the value at this path is, or else the nearest one around it. */
export function placeIn(text: string, path: Path): Place {
  let [best, at] = [-1, 0];
  const reader = new Reader(text, (here, offset) => {
    if (here.length <= best || here.length > path.length) return;
    if (here.some((part, index) => part !== path[index])) return;
    [best, at] = [here.length, offset];
  });
  reader.document();
  return placeAt(text, at);
}

function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|[\r\n]/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

const space = /[\t\n\r ]*/y;
const word = /[^\t\n\r ,:{}[\]"]+/y;

class Reader {
  readonly dropped: Path[] = [];
  readonly #text: string;
  readonly #seen: ((path: Path, offset: number) => void) | undefined;
  readonly #path: Path = [];
  #at = 0;

  constructor(text: string, seen?: (path: Path, offset: number) => void) {
    this.#text = text;
    this.#seen = seen;
  }

  document(): unknown {
    const value = this.#value();
    if (this.#next() !== undefined) this.#fail("there is more after the end of the value");
    return value;
  }

  #value(): unknown {
    const next = this.#next();
    this.#seen?.(this.#path, this.#at);
    if (next === "{" || next === "[") {
      if (this.#path.length >= MAX_DEPTH) this.#fail(`it is nested deeper than ${MAX_DEPTH} levels`);
      this.#at++;
      return next === "{" ? this.#object() : this.#array();
    }
    if (next === '"') return this.#string();
    return this.#word();
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    if (this.#take("}")) return object;
    for (;;) {
      if (this.#next() !== '"') this.#fail("expected the name of a key, in double quotes");
      const start = this.#at;
      const key = this.#string();
      if (Object.hasOwn(object, key)) this.#fail(`the key "${printable(key)}" stands here a second time`, start);
      if (!this.#take(":")) this.#fail(`expected a colon after "${printable(key)}"`);
      this.#path.push(key);
      const value = this.#value();
      if (key === "__proto__") this.dropped.push([...this.#path]);
      else object[key] = value;
      this.#path.pop();
      if (this.#take("}")) return object;
      if (!this.#take(",")) this.#fail('expected "," or "}"');
    }
  }

  #array(): unknown[] {
    const array: unknown[] = [];
    if (this.#take("]")) return array;
    for (;;) {
      this.#path.push(array.length);
      array.push(this.#value());
      this.#path.pop();
      if (this.#take("]")) return array;
      if (!this.#take(",")) this.#fail('expected "," or "]"');
    }
  }

  #string(): string {
    const start = this.#at;
    let end = this.#text.indexOf('"', start + 1);
    while (end >= 0 && this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1);
    if (end < 0) this.#fail("this text has no closing quote");
    this.#at = end + 1;
    try {
      return JSON.parse(this.#text.slice(start, this.#at));
    } catch {
      return this.#fail("this text holds a line break, another control character or an unknown escape", start);
    }
  }

  #isEscaped(quote: number): boolean {
    let slashes = 0;
    while (this.#text[quote - 1 - slashes] === "\\") slashes++;
    return slashes % 2 === 1;
  }

  #word(): unknown {
    const start = this.#at;
    word.lastIndex = start;
    const found = word.exec(this.#text)?.[0];
    if (found === undefined) return this.#fail(start < this.#text.length ? "expected a value" : "it ends too early");
    try {
      const value: unknown = JSON.parse(found);
      this.#at += found.length;
      return value;
    } catch {
      const hint = /^(\/\/|\/\*|#)/.test(found) ? "JSON has no comments" : `"${printable(found)}" is no JSON value`;
      return this.#fail(hint);
    }
  }

  #take(sign: string): boolean {
    if (this.#next() !== sign) return false;
    this.#at++;
    return true;
  }

  #next(): string | undefined {
    space.lastIndex = this.#at;
    space.exec(this.#text);
    this.#at = space.lastIndex;
    return this.#text[this.#at];
  }

  #fail(reason: string, at = this.#at): never {
    throw new DragomanError("parse_error", reason, placeAt(this.#text, at));
  }
}
