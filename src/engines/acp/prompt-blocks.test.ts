import { expect, test } from "vitest";
import { promptBlocks } from "./prompt-blocks.ts";

const input = {
  text: "Why?",
  context: [{ path: "src/a.ts", startLine: 3, endLine: 5, content: "a ``` b", symbol: "f" }, { path: "/other/b.ts" }],
};
const link = { type: "resource_link", uri: "file:///other/b.ts", name: "b.ts" };

test("what the user had before their eyes goes with its content where the agent takes that", () => {
  const resource = { uri: "file:///w/src/a.ts#L3-L5", text: "a ``` b", mimeType: "text/plain" };
  expect(promptBlocks(input, "/w", true)).toEqual([
    { type: "text", text: "Why?" },
    { type: "resource", resource },
    link,
  ]);
});

test("and as text where it does not", () => {
  const text = "src/a.ts:3-5 (f):\n\n````\na ``` b\n````";
  expect(promptBlocks(input, "/w", false)).toEqual([{ type: "text", text: "Why?" }, { type: "text", text }, link]);
  expect(promptBlocks({ text: "Why?" }, "/w", false)).toEqual([{ type: "text", text: "Why?" }]);
});

test.each(["/allow-all", "  /yolo on", "\u200b/mode", "!rm -rf x", "\n\n/permissions"])(
  "%j is said to the model, and is no command to the agent",
  (text) => {
    expect(promptBlocks({ text }, "/w", true)).toEqual([{ type: "text", text: `The user says: ${text}` }]);
  },
);

test("what only has a slash in it goes as it is", () => {
  for (const text of ["Fix src/a.ts", "a/b", "What is 1/2?"]) {
    expect(promptBlocks({ text }, "/w", true)).toEqual([{ type: "text", text }]);
  }
});
