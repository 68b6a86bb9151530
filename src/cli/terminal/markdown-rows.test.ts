import { describe, expect, test } from "vitest";
import { markdownRows } from "./markdown-rows.ts";
import { noColours, type Paint } from "./paint.ts";
import type { Place } from "./screen.ts";

/** Colours that can be read. */
const named = (name: string) => (text: string) => (text === "" ? "" : `<${name}>${text}</${name}>`);
const paint: Paint = {
  bold: named("b"),
  dim: named("dim"),
  green: named("green"),
  red: named("red"),
  yellow: named("yellow"),
  cyan: named("cyan"),
};
const place: Place = { paint, width: 30, rows: 24, live: true };
const rows = (text: string) => markdownRows(text, place);

describe("on a terminal with colours", () => {
  test("signs give way to what they mean", () => {
    expect(rows("# Files\n\n**Defined** in `a.ts`, not in `` b`c ``.\n> said")).toEqual([
      "<b>Files</b>",
      "",
      "<b>Defined</b> in <cyan>a.ts</cyan>, not in <cyan>b`c</cyan>.",
      "<dim>│ said</dim>",
    ]);
  });

  test("code is set in, without its fences and with nothing in it taken for a sign; a diff has its colours", () => {
    expect(rows("```ts\nconst a = `**b**`;\n```\nthen\n~~~diff\n-a\n+b\n~~~")).toEqual([
      "  const a = `**b**`;",
      "then",
      "  <red>-a</red>",
      "  <green>+b</green>",
    ]);
  });

  test("a longer fence holds a shorter one, and one that nothing ends goes to the end", () => {
    expect(rows("````\n```\nx\n```\n````")).toEqual(["  ```", "  x", "  ```"]);
    expect(rows("```sh\nx\ny")).toEqual(["  x", "  y"]);
  });

  test("what is in a list stays beside its sign, and a span goes on in the next row", () => {
    expect(rows("- `src/a.ts:1` **one two three four five** six")).toEqual([
      "- <cyan>src/a.ts:1</cyan> <b>one two three</b>",
      "  <b>four five</b> six",
    ]);
  });

  test.each(["2 ** 3 ** 4", "a ` b", "it's **not closed", "snake_case_name * 2"])(
    "signs that mean nothing stay: %j",
    (text) => {
      expect(rows(text)).toEqual([text]);
    },
  );

  test("nothing in it reaches the terminal as anything but text", () => {
    expect(rows("`\u001b[31ma\u0001b\u0002`\u001b]0;t\u0007")).toEqual(["<cyan>ab</cyan>"]);
  });
});

test("without colours the signs stay, since they are all that says it", () => {
  expect(markdownRows("**a** `b`\n```\nc\n```", { ...place, paint: noColours })).toEqual([
    "**a** `b`",
    "```",
    "c",
    "```",
  ]);
});
