import type { Json } from "../normalized-spec.ts";

// Reads the data that `literal` writes, without running anything. What is not such data is not read at all.

export interface ReadLiteral {
  value: Json;
  /** Where the text goes on behind it. */
  end: number;
}

/** Deeper than what anybody writes, and far from what a stack can hold. */
const DEEPEST = 100;

/** The literal that begins at `start`, or behind the blanks there. */
export function readLiteral(text: string, start: number): ReadLiteral | undefined {
  const reader = new Reader(text, start);
  try {
    const value = reader.value(0);
    return { value, end: reader.at };
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

class NoLiteral extends Error {}

const aNumber = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?/y;
const aName = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const blanks = /\s*/y;
const fourDigits = /[\da-f]{4}/iy;
const words = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const escapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const themselves = "\"'`\\$/";

class Reader {
  constructor(
    private readonly text: string,
    public at: number,
  ) {}

  value(depth: number): Json {
    this.match(blanks);
    const first = this.text[this.at] ?? "";
    if (depth > DEEPEST) throw new NoLiteral();
    if (first === "[") return this.list(depth);
    if (first === "{") return this.object(depth);
    if ("\"'`".includes(first)) return this.string();
    const number = this.match(aNumber);
    if (number) return Number(number);
    const value = words.get(this.match(aName));
    if (value === undefined) throw new NoLiteral();
    return value;
  }

  private list(depth: number): Json[] {
    const items: Json[] = [];
    this.members("[", "]", () => items.push(this.value(depth + 1)));
    return items;
  }

  private object(depth: number): { [key: string]: Json } {
    const object: { [key: string]: Json } = {};
    this.members("{", "}", () => {
      const key = this.key();
      this.expect(":");
      const value = this.value(depth + 1);
      // Assigning to "__proto__" would not make it a key.
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
    });
    return object;
  }

  private members(open: string, close: string, member: () => void): void {
    this.expect(open);
    while (!this.finds(close)) {
      member();
      if (this.finds(close)) return;
      this.expect(",");
    }
  }

  /** A name, a text, or the text in brackets that keeps "__proto__" a key. */
  private key(): string {
    this.match(blanks);
    if (!this.finds("[")) return this.match(aName) || this.string();
    this.match(blanks);
    const key = this.string();
    this.expect("]");
    return key;
  }

  private string(): string {
    const quote = this.text[this.at] ?? "";
    if (quote === "" || !"\"'`".includes(quote)) throw new NoLiteral();
    let read = "";
    for (this.at += 1; this.text[this.at] !== quote; this.at += 1) read += this.character(quote);
    this.at += 1;
    return read;
  }

  private character(quote: string): string {
    const one = this.text[this.at];
    if (one === undefined) throw new NoLiteral();
    if (one === "\\") return this.escape();
    const computes = quote === "`" && one === "$" && this.text[this.at + 1] === "{";
    if (computes || (quote !== "`" && (one === "\n" || one === "\r"))) throw new NoLiteral();
    if (one !== "\r") return one;
    // In a template, every way to end a line is the same.
    if (this.text[this.at + 1] === "\n") this.at += 1;
    return "\n";
  }

  private escape(): string {
    this.at += 1;
    const one = this.text[this.at] ?? "";
    if (one !== "" && themselves.includes(one)) return one;
    const meant = Object.hasOwn(escapes, one) ? escapes[one] : undefined;
    if (meant !== undefined) return meant;
    fourDigits.lastIndex = this.at + 1;
    const digits = one === "u" && fourDigits.exec(this.text)?.[0];
    if (!digits) throw new NoLiteral();
    this.at += digits.length;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  private expect(mark: string): void {
    if (!this.finds(mark)) throw new NoLiteral();
  }

  private finds(mark: string): boolean {
    this.match(blanks);
    const found = this.text[this.at] === mark;
    if (found) this.at += 1;
    return found;
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }
}
