import { expect, test } from "vitest";
import { clone } from "./clone.ts";
import { Content } from "./files.ts";
import { atob, btoa, Decoder, Encoder } from "./texts.ts";

test.each(["", "a", "ab", "abc", "Grüße, 世界 🐶"])(
  "%j becomes bytes and Base64 and a text again, as elsewhere",
  async (text) => {
    const bytes = new Encoder().encode(text);
    expect([...bytes]).toEqual([...new TextEncoder().encode(text)]);
    expect(new Decoder().decode(bytes)).toBe(text);
    const signs = String.fromCharCode(...bytes);
    expect(btoa(signs)).toBe(globalThis.btoa(signs));
    expect(atob(btoa(signs))).toBe(signs);
    const content = new Content([text, new Content([bytes])]);
    expect([content.size, await content.text()]).toEqual([2 * bytes.length, text + text]);
  },
);

test("a copy has everything, also itself, and shares nothing", () => {
  const made = { at: new Date(0), tags: new Set(["a"]), by: new Map([["x", [1, { y: null }]]]), self: {} };
  made.self = made;
  const copy = clone(made);
  expect(copy).toEqual(structuredClone(made));
  expect(copy).not.toBe(made);
  expect(() => clone({ run: () => {} })).toThrow(TypeError);
});
