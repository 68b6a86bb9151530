import { util } from "prettier";
import { expect, test } from "vitest";
import { textWidth } from "./text-width.ts";

const differing = (texts: string[]) => texts.filter((text) => textWidth(text) !== util.getStringWidth(text));

/** Those that the Unicode of this Node knows: Prettier may know more. */
const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((one) =>
  /[^\p{Cn}\p{Cs}]/u.test(one),
);

test("every character is as wide as Prettier takes it to be", () => {
  expect(differing(characters)).toEqual([]);
});

test("so is what is made of several", () => {
  expect(differing(characters.map((one) => `${one}\ufe0f`))).toEqual([]);
  // Unicode 17 gave the family its skin tones, which Prettier does not know.
  expect(differing(characters.map((one) => `${one}\u{1f3fd}`)).filter((text) => !text.startsWith("👪"))).toEqual([]);
  expect(differing(["🇩🇪", "🇩", "1️⃣", "#⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "e\u0301", "か\u3099", "Größe: 大きい ☝🏽!"])).toEqual([]);
});
