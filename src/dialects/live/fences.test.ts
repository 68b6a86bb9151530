import fc from "fast-check";
import { expect, test } from "vitest";
import { finish, LONGEST_FENCE, noFences, type Piece, scan } from "./fences.ts";

/** Scans a text that was cut into deltas, and joins the text that came in several pieces. */
function pieces(...deltas: string[]): Piece[] {
  const fences = noFences();
  const all = [...deltas.flatMap((delta) => scan(fences, delta)), ...finish(fences)];
  return all.reduce<Piece[]>((joined, piece) => {
    const last = joined.at(-1);
    if (last?.is === "text" && piece.is === "text") last.text += piece.text;
    else joined.push({ ...piece });
    return joined;
  }, []);
}

const written = (all: Piece[]) => all.map((piece) => (piece.is === "text" ? piece.text : piece.fence)).join("");

test("tells prose from fenced code and reads its language", () => {
  expect(pieces('See:\n```ts title="a"\nlet a;\n```\nDone')).toEqual([
    { is: "text", text: "See:\n" },
    { is: "open", fence: '```ts title="a"\n', language: "ts" },
    { is: "text", text: "let a;\n" },
    { is: "close", fence: "```\n" },
    { is: "text", text: "Done" },
  ]);
});

test("closes code whose fence is the end of the text", () => {
  expect(pieces("```\nx\n", "``", "`")).toEqual([
    { is: "open", fence: "```\n" },
    { is: "text", text: "x\n" },
    { is: "close", fence: "```" },
  ]);
});

test("needs at least as many backticks to close as opened, so code can hold a fence", () => {
  expect(pieces("````md\n```\nx\n```\n`````  \r\n")).toEqual([
    { is: "open", fence: "````md\n", language: "md" },
    { is: "text", text: "```\nx\n```\n" },
    { is: "close", fence: "`````  \r\n" },
  ]);
});

test.each([
  ["backticks within a line", "a ```ts\nb"],
  ["inline code at the start of a line", "```a``` is code\n"],
  ["too few backticks", "``ts\n"],
  ["an indent of four", "    ```ts\n"],
  ["a fence line that never ended", "```ts"],
  ["a line that is too long", `\`\`\`${"x".repeat(LONGEST_FENCE)}\n`],
])("takes %s for prose", (_, text) => {
  expect(pieces(text)).toEqual([{ is: "text", text }]);
});

test("holds back only what may be the beginning of a fence", () => {
  const fences = noFences();
  expect(scan(fences, "one\n  `")).toEqual([{ is: "text", text: "one\n" }]);
  expect(scan(fences, "x` two")).toEqual([{ is: "text", text: "  `x` two" }]);
  expect(scan(fences, " ```")).toEqual([{ is: "text", text: " ```" }]);
  expect(fences).toEqual({ held: "", atLineStart: false, ticks: 0 });
});

test("holds back no more than a fence line", () => {
  const fences = noFences();
  scan(fences, `\`\`\`${"x".repeat(LONGEST_FENCE - 3)}`);
  expect(fences.held).toHaveLength(LONGEST_FENCE);
  scan(fences, "x");
  expect(fences.held).toBe("");
});

// Texts that are mostly fences and near misses of them.
const bits = [
  "`",
  "``",
  "```",
  "````",
  "```ts",
  "\n",
  "\n",
  " ",
  "   ",
  "\t",
  "\r\n",
  "a",
  "let b = 1;",
  "`".repeat(LONGEST_FENCE),
];
const text = fc.array(fc.constantFrom(...bits), { maxLength: 40 }).map((parts) => parts.join(""));
const cuts = fc.array(fc.nat({ max: 80 }), { maxLength: 20 });

function cut(whole: string, at: number[]): string[] {
  const places = [0, ...at.filter((place) => place <= whole.length).sort((a, b) => a - b), whole.length];
  return places.slice(1).map((place, i) => whole.slice(places[i], place));
}

test("gives the same pieces however the text is cut, and they are the text", () => {
  fc.assert(
    fc.property(text, cuts, (whole, at) => {
      const once = pieces(whole);
      expect(pieces(...cut(whole, at))).toEqual(once);
      expect(pieces(...whole)).toEqual(once);
      expect(written(once)).toBe(whole);
    }),
    { numRuns: 2000 },
  );
});
