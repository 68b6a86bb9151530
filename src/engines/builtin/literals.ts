/** What a person quoted, fenced or otherwise marked as to be taken word for word. */
export interface Literal {
  /** With its quotes, as it stands in the prompt. */
  raw: string;
  content: string;
  kind: "quote" | "code" | "block" | "regex" | "rest";
}

/**
 * A prompt whose literals stand as one short mark each, so that no pattern looks into them and no comma in them ends a request.
 * The marks are of characters for private use, which are taken out of the prompt first.
 */
export interface Masked {
  text: string;
  literals: Literal[];
}

const OPEN = "\uE000";
const CLOSE = "\uE001";
const MARK = /\uE000(\d+)\uE001/g;
const CLOSING: Record<string, string> = { '"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»" };
/** What a literal can begin with. */
const MAY_BEGIN = new Set([..."\"'`~“‘«:/"].map((char) => char.charCodeAt(0)));
const LONGEST_REGEX = 500;
/** Nobody quotes more than this in one prompt; the rest stays as it is. */
const MOST_LITERALS = 10_000;

export function mask(prompt: string): Masked {
  const text = prompt.replace(/[\uE000\uE001]/g, " ").replace(/\r\n?/g, "\n");
  const literals: Literal[] = [];
  const scan = new Scan(text);
  const pieces: string[] = [];
  let done = 0;
  for (let at = 0; at < text.length && literals.length < MOST_LITERALS; at++) {
    const literal = MAY_BEGIN.has(text.charCodeAt(at)) ? scan.literalAt(at) : undefined;
    if (!literal) continue;
    const mark = `${OPEN}${literals.push(literal) - 1}${CLOSE}`;
    pieces.push(text.slice(done, at), literal.kind === "rest" ? ` ${mark}` : mark);
    done = at + literal.raw.length;
    at = done - 1;
  }
  return { text: pieces.join("") + text.slice(done), literals };
}

/** One literal alone gives its content; among other words it stays as it was written. */
export function unmask(text: string, literals: Literal[]): string {
  const alone = literalIn(text, literals);
  return alone ? alone.content : text.replace(MARK, (_, index) => literals[Number(index)]?.raw ?? "");
}

/** The literal that the whole text is, if it is one. */
export function literalIn(text: string, literals: Literal[]): Literal | undefined {
  const [, index] = /^\s*\uE000(\d+)\uE001\s*$/.exec(text) ?? [];
  return index === undefined ? undefined : literals[Number(index)];
}

class Scan {
  readonly #text: string;
  /** Up to here there is no closing quote of that kind: nobody looks for it twice, so that a scan stays linear. */
  readonly #noneBefore = new Map<string, number>();
  #lineEnd = -1;

  constructor(text: string) {
    this.#text = text;
  }

  literalAt(at: number): Literal | undefined {
    const char = this.#text[at] ?? "";
    if (char === "`" || char === "~") return this.#block(at) ?? this.#quote(at, char);
    if (char === ":") return this.#rest(at);
    if (char === "/") return this.#regex(at);
    return this.#quote(at, char);
  }

  #block(at: number): Literal | undefined {
    const fence = this.#text.slice(at, at + 3);
    if (fence !== "```" && fence !== "~~~") return undefined;
    const lineEnd = this.#lineEndFrom(at);
    const isLast = lineEnd === this.#text.length;
    const start = lineEnd + 1;
    const end = this.#find(fence, isLast ? at + 3 : start, this.#text.length);
    if (end < 0) return undefined;
    const oneLine = isLast || end < start;
    const content = this.#text.slice(oneLine ? at + 3 : start, end);
    return { raw: this.#text.slice(at, end + 3), content, kind: "block" };
  }

  #quote(at: number, char: string): Literal | undefined {
    const closing = CLOSING[char];
    if (!closing || !isOpening(this.#text[at - 1])) return undefined;
    const end = this.#find(closing, at + 1, this.#lineEndFrom(at), char === "'");
    const isEmpty = end === at + 1;
    if (end < 0 || (isEmpty && char !== '"' && char !== "'")) return undefined;
    const raw = this.#text.slice(at, end + 1);
    return { raw, content: raw.slice(1, -1), kind: char === "`" ? "code" : "quote" };
  }

  /** `/such/i`, where a pattern may stand: anywhere else a slash is part of a path. */
  #regex(at: number): Literal | undefined {
    const before = this.#text.slice(Math.max(0, at - 12), at);
    if (!/(?:^|\s)(?:for|grep|regex|regexp|pattern|matching|match|search|find)\s$/i.test(before)) return undefined;
    const [raw, content = ""] =
      /^\/((?:\\.|[^/\\\n])+)\/[a-z]{0,6}(?=[\s,.?!]|$)/i.exec(this.#text.slice(at, at + LONGEST_REGEX)) ?? [];
    return raw === undefined ? undefined : { raw, content, kind: "regex" };
  }

  /** After `with the text:` and a line break, everything is text, the colon included. */
  #rest(at: number): Literal | undefined {
    const before = this.#text.slice(Math.max(0, at - 12), at);
    if (!/\b(?:with|containing|contents?|text|saying|says|following|lines?|this|message|command)$/i.test(before))
      return;
    const [gap] = /^:[ \t]*\n\s*/.exec(this.#text.slice(at, at + 100)) ?? [];
    const raw = this.#text.slice(at);
    if (!gap || raw.startsWith("```", gap.length) || raw.startsWith("~~~", gap.length)) return undefined;
    const content = raw.slice(raw.indexOf("\n") + 1);
    return content.trim() === "" ? undefined : { raw, content, kind: "rest" };
  }

  /** Where the line ends that has this in it. It is looked for once in each line. */
  #lineEndFrom(at: number): number {
    if (at > this.#lineEnd) {
      const end = this.#text.indexOf("\n", at);
      this.#lineEnd = end < 0 ? this.#text.length : end;
    }
    return this.#lineEnd;
  }

  #find(closing: string, from: number, until: number, atWordEnd = false): number {
    if ((this.#noneBefore.get(closing) ?? 0) >= until) return -1;
    for (let at = from; ; at++) {
      at = this.#text.indexOf(closing, at);
      if (at < 0 || at >= until) break;
      if (!atWordEnd || isClosing(this.#text[at + 1])) return at;
    }
    this.#noneBefore.set(closing, until);
    return -1;
  }
}

const isOpening = (before: string | undefined) => before === undefined || /[\s([{=:,]/.test(before);
/** An apostrophe in a word ends no quotation. */
const isClosing = (after: string | undefined) => after === undefined || !/[\p{L}\p{N}_]/u.test(after);
