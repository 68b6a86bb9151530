import { expect, test } from "vitest";
import { inSentence } from "./in-sentence.ts";

test("words become small, but not abbreviations and names with capitals inside", () => {
  expect(["Pet", "Photo URLs", "API Keys", "GitHub App", "Line item 2"].map(inSentence)).toEqual([
    "pet",
    "photo URLs",
    "API keys",
    "GitHub app",
    "line item 2",
  ]);
});
