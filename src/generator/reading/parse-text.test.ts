import { expect, test } from "vitest";
import { DragomanError } from "../../core/errors.ts";
import { parseText } from "./parse-text.ts";
import { Warnings } from "./warnings.ts";

function parsed(text: string) {
  const warnings = new Warnings();
  const value = parseText(text, "", warnings);
  return { value, warnings: warnings.list().map((warning) => warning.place) };
}

function failure(text: string) {
  try {
    parsed(text);
  } catch (error) {
    if (error instanceof DragomanError) return { code: error.code, message: error.message, data: error.data };
    throw error;
  }
  return undefined;
}

test("reads JSON, and YAML in which dates and words stay text", () => {
  expect(parsed('{"a": [1, null]}')).toEqual({ value: { a: [1, null] }, warnings: [] });
  expect(parsed("a: 2020-01-31\nb: yes\nc: 1.5\nd: ~\n200: ok")).toEqual({
    value: { a: "2020-01-31", b: "yes", c: 1.5, d: null, 200: "ok" },
    warnings: [],
  });
});

test("fills in aliases and merge keys", () => {
  const text = "base: &base {a: 1}\nother:\n  <<: *base\n  b: 2\nsame: *base";
  expect(parsed(text).value).toEqual({ base: { a: 1 }, other: { a: 1, b: 2 }, same: { a: 1 } });
});

test("warns of a key that is there twice, and takes the last", () => {
  expect(parsed("a: 1\nb: 2\na: 3")).toEqual({ value: { a: 3, b: 2 }, warnings: ["line 3, column 1"] });
});

test("warns of tabs for indentation, and reads them", () => {
  expect(parsed("a:\n\tb: 1\n\tc:\n\t\td: 2")).toMatchObject({
    value: { a: { b: 1, c: { d: 2 } } },
    warnings: [/line/],
  });
});

test("reads JSON with comments and trailing commas, with a warning", () => {
  expect(parsed('{"a": 1, # one\n "b": [2,],}')).toMatchObject({ value: { a: 1, b: [2] } });
  expect(parsed('{"a": 1,}').warnings).toHaveLength(1);
});

test("reads what only the more lenient of the parsers does: tags of one's own", () => {
  expect(parsed("a: !mine text").value).toEqual({ a: "text" });
});

test("reads the first of several YAML documents", () => {
  expect(parsed("---\na: 1\n---\nb: 2\n")).toEqual({ value: { a: 1 }, warnings: ["/"] });
});

test.each([
  ["JSON", '{\n  "a": 1\n  "b": 2\n}', "line 3, column 3"],
  ["JSON that ends too early", '{\n  "a": [1', "line 2, column 10"],
  ["JSON with a wrong word", '{\n  "a": @wrong\n}', "line 2, column 8"],
  ["YAML", "a:\n  - b\n c: [", "line 3, column 2"],
])("says the line and the column of broken %s", (_, text, place) => {
  expect(failure(text)).toMatchObject({
    code: "spec_invalid",
    data: { place },
    message: expect.stringContaining(place),
  });
});

test("refuses an alias that contains itself, wherever it is", () => {
  expect(failure("a: &a\n  b/c: [1, *a]")).toMatchObject({ code: "spec_invalid", data: { place: "/a/b~1c/1" } });
});

test("refuses aliases of aliases that stand for more than anyone could read, and at once", () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 12; level++)
    lines.push(
      `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
    );
  const start = performance.now();
  expect(failure(lines.join("\n"))).toMatchObject({ code: "spec_invalid" });
  expect(performance.now() - start).toBeLessThan(1000);
});

test("refuses what is nested without end", () => {
  const chain = ["a0: &a0 [x]", ...Array.from({ length: 5000 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}]`)];
  expect(failure(chain.join("\n"))).toMatchObject({ code: "spec_invalid" });
  expect(failure("[".repeat(100_000))).toMatchObject({ code: "spec_invalid" });
  expect(failure(`a: ${"[".repeat(100_000)}`)).toMatchObject({ code: "spec_invalid" });
});
