import { expect, test } from "vitest";
import { promptOf } from "./prompt-text.ts";

test("a prompt is sent as it is, however long", () => {
  const text = ` ${"words ".repeat(100_000)}\n`;
  expect(promptOf({ text })).toBe(text);
});

test("what the user looks at goes before their words", () => {
  const context = [
    { path: "a.ts" },
    { path: "b.ts", startLine: 4, endLine: 4, symbol: "run" },
    { path: "c.md", startLine: 1, endLine: 2, content: "```\ncode\n```" },
  ];
  expect(promptOf({ text: "Why?", context })).toBe(
    "The user is looking at:\n- a.ts\n- b.ts, line 4, run\n- c.md, line 1-2\n````\n```\ncode\n```\n````\n\nWhy?",
  );
});

test("no words are no prompt", () => {
  expect(() => promptOf({ text: " \n" })).toThrow("The prompt is empty.");
});
