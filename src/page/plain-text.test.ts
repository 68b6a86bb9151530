import fc from "fast-check";
import { expect, test } from "vitest";
import { plainText } from "../core/plain-text.ts";

const page: { plainText(text: string): string } = await import(new URL("plain-text.js", import.meta.url).href);

const signs = fc.constantFrom(
  ..."\u001b\u009b\u0090\u009d\u009c\u0007\\[]Pm;1\r\n\t\u202e\u200b\ufe0f\ud83d\ude00\ufff9 a",
);

test("what the page shows of a text is what every other client is shown of it", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: signs, maxLength: 30 })), (text) => {
      expect(page.plainText(text)).toBe(plainText(text));
    }),
    { numRuns: 2000 },
  );
});
