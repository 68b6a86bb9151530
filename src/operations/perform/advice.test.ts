import { describe, expect, test } from "vitest";
import { fencedIn, jsonIn, quoted } from "./advice.ts";

describe("JSON in an answer", () => {
  const json = '{"findings": []}';

  test.each([
    ["alone", json],
    ["in a fence", `Here it is:\n\n\`\`\`json\n${json}\n\`\`\`\nThat is all.`],
    ["in a fence that is not closed", `\`\`\`\n${json}`],
    ["among words", `I found nothing: ${json}. Anything else?`],
  ])("is found %s", (_, answer) => {
    expect(jsonIn(answer)).toEqual({ findings: [] });
  });

  test("that is not there is missed", () => {
    expect(() => jsonIn("I cannot do that.")).toThrow("there is no JSON in it");
  });
});

test("a fenced document keeps the fences that are in it", () => {
  expect(fencedIn("Sure.\n~~~markdown\n# Tasks\n\n```\nx\n```\n~~~\nDone.")).toBe("# Tasks\n\n```\nx\n```");
  expect(fencedIn("# Tasks")).toBeUndefined();
});

test("a long document goes into an instruction in part, and that is said", () => {
  const text = quoted("spec.md", "x".repeat(70_000));
  expect(text).toBe(`<document name="spec.md">\n${"x".repeat(60_000)}\n[the rest is left out]\n</document>`);
});
