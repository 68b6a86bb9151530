import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellsOf, lineAt, plain, positionAt, readMarkdown } from "./markdown.ts";
import { endedLines, headingOf, markdownLines } from "./markdown-lines.ts";
import { documents } from "./markdown-random.ts";
import { sentencesIn } from "./markdown-sentences.ts";

const shown = (text: string) =>
  readMarkdown(text).blocks.map(({ kind, text: words, line: from, end, section }) => [
    kind,
    words,
    from,
    end,
    section.title,
  ]);

describe("readMarkdown", () => {
  test("takes a wrapped item, a paragraph, a row and a label as one block each", () => {
    const text =
      "# T\nwords\nthat wrap\n\n- an item\n  goes on\n  - nested\n\n**Label**:\n\n| a | b |\n|---|---|\n| 1 | `x|y` |\n";
    expect(shown(text)).toEqual([
      ["heading", "T", 1, 1, "T"],
      ["paragraph", "words that wrap", 2, 3, "T"],
      ["item", "an item goes on", 5, 6, "T"],
      ["item", "nested", 7, 7, "T"],
      ["heading", "**Label**:", 9, 9, "Label"],
      ["row", "| a | b |", 11, 11, "Label"],
      ["row", "| 1 | `x|y` |", 13, 13, "Label"],
    ]);
    const [header, row] = readMarkdown(text).blocks.slice(-2);
    expect([header?.cells, header?.header, row?.cells, row?.header]).toEqual([
      ["a", "b"],
      undefined,
      ["1", "`x|y`"],
      ["a", "b"],
    ]);
  });

  test("reads nothing in code, comments and front matter", () => {
    const text = "---\na: b\n---\n# T\n```\n# no\n- no\n```\n<!-- no\n- no -->\n- yes <!-- no --> too\n";
    expect(shown(text)).toEqual([
      ["heading", "T", 4, 4, "T"],
      ["item", "yes             too", 11, 11, "T"],
    ]);
  });

  test("knows underlined headings, and a rule under a sentence as a rule", () => {
    const sections = readMarkdown("Title\n=====\n\nPart\n----\n\nA sentence ends.\n---\n").sections;
    expect(sections.map(({ title, level, line: at, end }) => [title, level, at, end])).toEqual([
      ["", 0, 0, 8],
      ["Title", 1, 1, 8],
      ["Part", 2, 4, 8],
    ]);
  });

  test("tells the line of each character of a wrapped block", () => {
    const [block] = readMarkdown("- one two\n  three").blocks;
    expect(block && [lineAt(block, 0), lineAt(block, 6), lineAt(block, 8), positionAt(block, 8)]).toEqual([
      1,
      1,
      2,
      { line: 2, column: 2 },
    ]);
  });

  test("finds every character of a block where it says that it stands", () => {
    fc.assert(
      fc.property(documents, (text) => {
        const { blocks, lines } = readMarkdown(text);
        for (const block of blocks) {
          for (const [at, character] of [...block.text].map((one, index) => [index, one] as const)) {
            const { line: number, column } = positionAt(block, at);
            const joint = block.pieces.some((piece) => piece.at === at + 1);
            if (block.text.length === [...block.text].length && !joint)
              expect(lines[number - 1]?.text[column]).toBe(character);
          }
        }
      }),
    );
  });

  test("gives every section and block lines that the document has", () => {
    fc.assert(
      fc.property(documents, (text) => {
        const { blocks, sections, lines } = readMarkdown(text);
        for (const { line: from, end } of [...blocks, ...sections.slice(1)]) {
          expect(from).toBeGreaterThan(0);
          expect(end).toBeGreaterThanOrEqual(from);
          expect(end).toBeLessThanOrEqual(lines.length);
        }
      }),
    );
  });
});

test.each([
  ["## Support for C#", { title: "Support for C#", marks: 2 }],
  ["## Closed ##", { title: "Closed", marks: 2 }],
  ["   ### a  #  b ###  ", { title: "a  #  b", marks: 3 }],
  ["# #", { title: "", marks: 1 }],
  ["######", { title: "", marks: 6 }],
  ["Underlined", { title: "Underlined", marks: undefined }],
  ["#no-mark", { title: "#no-mark", marks: undefined }],
])("the heading %j has these words and marks", (line, heading) => {
  expect(headingOf(line)).toEqual(heading);
});

test("a pipe in code divides no cells, and a lone backtick begins no code", () => {
  expect(cellsOf("| `a|b` | c \\| d | it`s | e |")).toEqual(["`a|b`", "c \\| d", "it`s", "e"]);
});

test("lines joined again are the text, byte for byte", () => {
  fc.assert(
    fc.property(
      fc.oneof(documents, fc.string()),
      (text) =>
        endedLines(text)
          .map((one) => one.text + one.ending)
          .join("") === text,
    ),
  );
});

test("a fence that is never closed goes on to the end, as it is drawn", () => {
  expect(markdownLines("a\n```\n# b\n").map(({ kind }) => kind)).toEqual(["text", "code", "code"]);
});

test("plain words have no emphasis, no links and nothing that is struck out", () => {
  expect(plain("**FR-1**: `x` is *not* [here](http://a) ~~gone~~ snake_case")).toBe("FR-1: x is not here snake_case");
});

test("an abbreviation or a number ends no sentence", () => {
  expect(sentencesIn("Use max. 5 MB, e.g. Photos. Then stop! 3 more.").map(({ text, at }) => [text, at])).toEqual([
    ["Use max. 5 MB, e.g. Photos.", 0],
    ["Then stop!", 28],
    ["3 more.", 39],
  ]);
});
