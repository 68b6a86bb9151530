import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DragomanError } from "../core/errors.ts";
import { encode, encodeLine, type Line, NdjsonDecoder } from "./ndjson.ts";

const utf8 = new TextEncoder();
const bytes = (text: string) => utf8.encode(text);
const tooLarge = (maxBytes: number) =>
  new DragomanError("too_large", `A line is longer than ${maxBytes} bytes`, { maxBytes });
const notUtf8 = (length: number) => new DragomanError("parse_error", `A line of ${length} bytes is not valid UTF-8`);

function decode(chunks: Uint8Array[], options?: { maxBytes: number }): Line[] {
  const decoder = new NdjsonDecoder(options);
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()];
}

/** Cuts into pieces of the given sizes, over and over. */
function cut(whole: Uint8Array, sizes: number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0, i = 0; at < whole.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    pieces.push(whole.slice(at, at + size));
    at += size;
  }
  return pieces;
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
// Line ends, a multi-byte character whole and in parts, and bytes that are never UTF-8.
const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom("\n", "\r\n", "\r", " ", "\u2028", "{}", "€", "😀", "\ufeff").map(bytes),
      fc.uint8Array({ maxLength: 4 }),
    ),
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

describe("decoding", () => {
  test("cuts at LF alone, tolerates a CR before it and skips blank lines", () => {
    expect(decode([bytes('{"a":1}\n\n{"b":"\u2028\u2029\u0085"}\r\n\r\n  \n[1,\r2]\n')])).toEqual([
      '{"a":1}',
      '{"b":"\u2028\u2029\u0085"}',
      "[1,\r2]",
    ]);
  });

  test("gives a line as soon as its LF is there", () => {
    const decoder = new NdjsonDecoder();
    expect([bytes('{"a"'), bytes(":1}\n[2"), bytes("]\n")].map((chunk) => decoder.push(chunk))).toEqual([
      [],
      ['{"a":1}'],
      ["[2]"],
    ]);
  });

  test("joins a character that was cut in two", () => {
    const [emoji] = [bytes("😀\n")];
    expect(decode([emoji.slice(0, 2), emoji.slice(2)])).toEqual(["😀"]);
  });

  test("is not confused when the caller uses its chunk again", () => {
    const decoder = new NdjsonDecoder();
    const chunk = Buffer.from("[1");
    decoder.push(chunk);
    chunk.fill("x");
    expect(decoder.push(bytes("]\n"))).toEqual(["[1]"]);
  });

  test("drops the BOM that some shells write", () => {
    expect(decode([bytes("\ufeff{}\n")])).toEqual(["{}"]);
  });

  test("reports a partial line at the end of input, once", () => {
    const decoder = new NdjsonDecoder();
    expect([decoder.push(bytes('{}\n{"a":')), decoder.end(), decoder.end()]).toEqual([["{}"], ['{"a":'], []]);
  });

  test("reports a line that is not UTF-8 and goes on", () => {
    expect(decode([bytes("1\n"), Uint8Array.of(0x22, 0xff, 0x22, 0x0a), bytes("2\n")])).toEqual(["1", notUtf8(3), "2"]);
  });

  test("reports a line that is too long at once, and goes on after its LF", () => {
    const decoder = new NdjsonDecoder({ maxBytes: 4 });
    expect(["1234\n123", "45", "6789", "\n12\n", "12345\n1"].map((text) => decoder.push(bytes(text)))).toEqual([
      ["1234"],
      [tooLarge(4)],
      [],
      ["12"],
      [tooLarge(4)],
    ]);
    expect(decoder.end()).toEqual(["1"]);
  });

  test("counts bytes, not characters", () => {
    expect(decode([bytes("€€\n€\n")], { maxBytes: 5 })).toEqual([tooLarge(5), "€"]);
  });

  test("holds no more than the bound of a line of 700 MB", () => {
    const decoder = new NdjsonDecoder();
    const chunk = new Uint8Array(64 * 1024).fill(0x61);
    const before = process.memoryUsage();
    const lines: Line[] = [];
    let grown = 0;
    for (let fed = 0; fed < 700e6; fed += chunk.length) {
      lines.push(...decoder.push(chunk));
      const now = process.memoryUsage();
      grown = Math.max(grown, now.rss - before.rss, now.heapUsed - before.heapUsed);
    }
    lines.push(...decoder.push(bytes("\n{}\n")));
    expect(lines).toEqual([tooLarge(16 * 1024 * 1024), "{}"]);
    expect(grown).toBeLessThan(64e6);
  });

  test("joins a line that comes in a million single bytes", () => {
    const decoder = new NdjsonDecoder();
    const byte = bytes("a");
    for (let i = 0; i < 1_000_000; i++) decoder.push(byte);
    expect(decoder.end()).toEqual(["a".repeat(1_000_000)]);
  });

  test("gives the same lines however the bytes are chunked", () => {
    fc.assert(
      fc.property(soup, sizes, fc.integer({ min: 1, max: 12 }), (whole, pieces, maxBytes) => {
        expect(decode(cut(whole, pieces), { maxBytes })).toEqual(decode([whole], { maxBytes }));
      }),
    );
  });

  test("never throws on garbage and never loses the good line after it", () => {
    fc.assert(
      fc.property(soup, sizes, (garbage, pieces) => {
        const lines = decode(cut(Uint8Array.from([...garbage, 0x0a, ...bytes('{"good":true}\n')]), pieces));
        expect(lines.at(-1)).toBe('{"good":true}');
      }),
    );
  });
});

describe("encoding", () => {
  test("puts a pretty-printed text on one line without changing what it says", () => {
    expect(encodeLine('{\r\n  "a": "x\\ny"\n}')).toBe('{    "a": "x\\ny" }\n');
  });

  test("escapes the separators at which Node's readline would cut", () => {
    expect(encode({ text: "a\u2028b\u2029c" })).toBe('{"text":"a\\u2028b\\u2029c"}\n');
  });

  test("refuses what is not a JSON value", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const value of [undefined, () => {}, 1n, cycle]) {
      expect(() => encode(value)).toThrow(expect.objectContaining({ code: "invalid_request" }));
    }
  });

  test("is undone by decoding, for any JSON value and any chunking", () => {
    const text = fc.string({ unit: "binary" });
    const anyText = fc.oneof(text, fc.constantFrom("\n", "\r\n", "\u2028", "\ufeff", "\0", "\ud800", "😀"));
    const values = fc.array(fc.oneof(fc.jsonValue({ stringUnit: "binary" }), fc.dictionary(anyText, anyText)));
    fc.assert(
      fc.property(values, sizes, (messages, pieces) => {
        const lines = decode(cut(bytes(messages.map((message) => encode(message)).join("")), pieces));
        expect(lines).toEqual(messages.map((message) => encode(message).slice(0, -1)));
        expect(lines.map((line) => JSON.parse(String(line)))).toEqual(
          messages.map((message) => JSON.parse(JSON.stringify(message))),
        );
      }),
    );
  });
});
