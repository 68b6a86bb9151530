import { expect, test } from "vitest";
import { brief } from "./brief.ts";

test.each([
  ["The name of the pet. It is unique.", "The name of the pet."],
  ["Number of rows, e.g. 20 or so.\n\nMore below.", "Number of rows, e.g. 20 or so."],
  ["See **the** [docs](https://example.com/a) for `more`.", "See the docs for more."],
  ["<p>A <b>bold</b> claim</p>", "A bold claim"],
  ["# Title\n> quoted, with 3 > 2", "Title quoted, with 3 > 2"],
  ["   ", undefined],
])("%j becomes %j", (text, expected) => {
  expect(brief(text)).toBe(expected);
});

test("what has no end in time is cut between words", () => {
  expect(brief("word ".repeat(100), 30)).toBe("word word word word word word…");
});

test("hostile text costs nothing", () => {
  const start = performance.now();
  for (const text of ["[".repeat(1e6), "<a".repeat(5e5), "*".repeat(1e6), " .".repeat(5e5)]) brief(text);
  expect(performance.now() - start).toBeLessThan(500);
});
