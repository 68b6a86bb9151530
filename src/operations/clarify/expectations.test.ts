import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readSpec } from "../spec-document.ts";
import { findingsIn, questionsFor } from "./index.ts";

const specs = new URL("../../../test/specs/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, specs), "utf8");

/** Kind, line and topic of each finding, by line. What is not named here must not be found. */
function found(name: string): string[] {
  const findings = findingsIn(readSpec(read(name)));
  return findings
    .sort((a, b) => a.place.line - b.place.line || (a.topic ?? "").localeCompare(b.topic ?? ""))
    .map(({ kind, place, topic }) => `${place.line} ${kind} ${topic?.startsWith("marked-") ? "" : topic}`.trim());
}

describe("what a careful reader remarks on in", () => {
  test("an excellent spec: nothing", () => {
    expect(found("excellent.md")).toEqual([]);
  });

  test("a good spec with one hole: the hole", () => {
    expect(found("one-hole.md")).toEqual(["42 missing gap-upload-limits"]);
  });

  test("prose of a marketing department: every promise that nobody could test", () => {
    expect(found("marketing.md")).toEqual([
      "1 missing criteria",
      "1 missing stories",
      "3 vague should",
      "3 vague vague-ease",
      "3 vague vague-quality",
      "3 vague vague-speed",
      "5 vague vague-ease",
      "5 vague vague-protection",
      "5 vague vague-scale",
      "5 vague vague-speed",
      "6 vague vague-extent",
      "8 vague should",
      "8 vague vague-extent",
      "8 vague vague-handling",
      "9 vague vague-commitment",
    ]);
  });

  test("a spec that contradicts itself: both sides of each contradiction", () => {
    expect(found("contradictory.md")).toEqual([
      "17 contradictory order-US2-US3",
      "40 contradictory opposite-sign-in",
      "45 contradictory number-size-size",
      "46 contradictory number-time-session",
      "47 contradictory number-time-retention",
      "48 contradictory doubled-FR-009",
      "48 vague vague-speed",
      "49 contradictory opposite-timeliness",
      "50 missing dangling-FR-020",
      "51 contradictory denied-export",
      "64 contradictory scope-Paying for tickets",
    ]);
    const others = findingsIn(readSpec(read("contradictory.md"))).filter((one) => one.kind === "contradictory");
    expect(others.map(({ place, other }) => `${other?.line} ${place.line}`).sort()).toEqual([
      "23 17",
      "39 40",
      "41 46",
      "42 45",
      "43 47",
      "44 51",
      "47 48",
      "48 49",
      "50 64",
    ]);
  });

  test("a spec whose author marked what is open: the marks, and none in code, comments and checklists", () => {
    expect(found("needs-clarification.md")).toEqual([
      "7 marked",
      "17 marked",
      "24 marked",
      "25 marked",
      "27 marked",
      "28 marked",
      "40 marked",
    ]);
  });

  test("a spec without half of its sections: what is missing", () => {
    expect(found("missing-sections.md")).toEqual([
      "1 missing criteria",
      "1 missing edge-cases",
      "5 missing scenario-US1",
      "9 missing priority-US2",
      "22 missing gap-channel",
      "22 missing gap-permissions",
      "23 missing gap-upload-limits",
    ]);
  });

  test("a template that was hardly filled in: the marks, and one placeholder of each part", () => {
    expect(found("template.md")).toEqual([
      "3 missing placeholder",
      "26 missing placeholder",
      "90 missing gap-channel",
      "91 missing placeholder",
      "98 marked",
      "99 marked",
      "115 missing placeholder",
    ]);
  });

  test("a loose document with a table and one bad word: the word", () => {
    expect(found("loose.md")).toEqual(["11 vague vague-reliability"]);
  });

  test("notes that are no spec: that they are none", () => {
    expect(found("no-spec.md")).toEqual(["1 missing no-spec"]);
  });

  test("an empty document: that it is empty", () => {
    const [finding, ...others] = findingsIn(readSpec("\n\n"));
    expect([finding?.kind, finding?.topic, finding?.place.line, others]).toEqual(["missing", "empty", 1, []]);
  });
});

test("a good spec is asked one question at most, a bad one five", () => {
  const asked = (name: string): number => {
    const spec = readSpec(read(name));
    return questionsFor(spec, findingsIn(spec)).length;
  };
  expect([asked("excellent.md"), asked("one-hole.md"), asked("contradictory.md"), asked("marketing.md")]).toEqual([
    0, 1, 5, 5,
  ]);
});

test("every finding quotes words of the line it names", () => {
  for (const name of ["contradictory.md", "needs-clarification.md", "one-hole.md", "marketing.md"]) {
    const text = read(name);
    const lines = text.split("\n");
    for (const { place } of findingsIn(readSpec(text))) {
      const words = place.quote.replace(/…$/, "").split(" ");
      expect(
        words.some((word) => word.length > 2 && lines[place.line - 1]?.includes(word)),
        `${name}:${place.line}`,
      ).toBe(true);
    }
  }
});

test("a large document is read within a moment, and the heaviest findings are told", () => {
  const story = (n: number) =>
    `### User Story ${n} - Do ${n} (Priority: P${(n % 3) + 1})\n\n1. **Given** a, **When** b, **Then** c is fast\n\n`;
  const requirement = (n: number) => `- **FR-${n}**: System MUST keep file ${n} for ${n} days, securely stored, etc.\n`;
  const text = `# T\n\n${Array.from({ length: 300 }, (_, n) => story(n)).join("")}## Requirements\n\n${Array.from({ length: 1200 }, (_, n) => requirement(n)).join("")}`;
  const begun = performance.now();
  const findings = findingsIn(readSpec(text));
  expect(performance.now() - begun).toBeLessThan(5000);
  expect([findings.length, text.length > 90_000]).toEqual([300, true]);
});
