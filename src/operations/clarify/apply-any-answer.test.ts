import { readdirSync, readFileSync } from "node:fs";
import { diffArrays } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { documents } from "../markdown-random.ts";
import { readSpec } from "../spec-document.ts";
import { cleanAnswer } from "./clean-answer.ts";
import { type Answered, applyAnswers, type ClarifyQuestion, findingsIn, questionsFor } from "./index.ts";

const TODAY = "2025-06-01";
const specs = new URL("../../../test/specs/", import.meta.url);

function questionsOf(text: string): ClarifyQuestion[] {
  const spec = readSpec(text);
  return questionsFor(spec, findingsIn(spec));
}

/** Words that try to break out of the line they are put into. */
const nasty = fc.oneof(
  fc.constantFrom(
    "# Title",
    "- item\n- item",
    "```\ncode",
    "]",
    "[NEEDS CLARIFICATION: x?]",
    "<!-- hidden",
    "| a | b |",
    "**bold",
    "~~gone",
    "---",
    "→ A: no",
    "\u0000\u2028x",
    "a\r\nb",
    "> q",
    "1. one",
    "5 MB",
    "P1",
    "7",
    "AA0",
    "FR-9: sings",
    "(nfr1) x",
  ),
  fc.string({ maxLength: 40 }),
);
const files = readdirSync(specs).map((name) => readFileSync(new URL(name, specs), "utf8"));
const texts = fc.oneof(
  fc.constantFrom(...files),
  fc.constantFrom(...files).map((text) => text.replaceAll("\n", "\r\n")),
  fc.constantFrom(...files).map((text) => text.trimEnd()),
  documents,
);
const answersOf = (text: string, words: string[]): Answered[] =>
  questionsOf(text).map((question, at) => ({ question, answer: words[at % words.length] ?? "" }));

/** The numbers of the lines that are no longer there as they were. */
function linesGone(before: string, after: string): number[] {
  const old = before.split(/\r?\n/);
  const gone: number[] = [];
  let number = 1;
  for (const { value, added, removed } of diffArrays(old, after.split(/\r?\n/))) {
    if (removed) gone.push(...value.map((_, at) => number + at));
    if (!added) number += value.length;
  }
  return gone.filter((line) => (old[line - 1] ?? "").trim() !== "");
}

/** A gap that begins its line, where the first letter of an answer decides what the line is. */
const LONE = "# T\n\n## Requirements\n\n- **FR-001**: Print\n\n## Assumptions\n\nTBD\n";

/** What an answer must not change: how many there are of each part, and what kind each block is of. */
function shapeOf(text: string) {
  const { sections, requirements, marks, lines, statements } = readSpec(text);
  const kinds = statements.map(({ block }) => block.kind);
  return [sections.length, requirements.length, marks.length, lines.length, kinds];
}

describe("whatever the answers are", () => {
  const cases = fc.record({ text: texts, words: fc.array(nasty, { minLength: 1, maxLength: 5 }) });

  test("lines that no answer is about stay byte for byte, in their order", () => {
    fc.assert(
      fc.property(cases, ({ text, words }) => {
        const answers = answersOf(text, words);
        const { content } = applyAnswers(text, answers, TODAY);
        const touched = answers.flatMap(({ question: { finding } }) => [finding.place.line, finding.other?.line ?? 0]);
        for (const gone of linesGone(text, content)) {
          expect(
            touched.some((line) => Math.abs(line - gone) <= 3),
            `line ${gone}`,
          ).toBe(true);
        }
        if (answers.length === 0) expect(content).toBe(text);
        if (text.includes("\n") && !/(?<!\r)\n/.test(text)) expect(content).not.toMatch(/(?<!\r)\n/);
      }),
      { numRuns: 50 },
    );
  });

  test("writing them again changes nothing", () => {
    fc.assert(
      fc.property(cases, ({ text, words }) => {
        const answers = answersOf(text, words);
        const once = applyAnswers(text, answers, TODAY);
        expect(applyAnswers(once.content, answers, TODAY).content).toBe(once.content);
      }),
      { numRuns: 50 },
    );
  });

  test("the same is not asked again", () => {
    fc.assert(
      fc.property(cases, ({ text, words }) => {
        const answers = answersOf(
          text,
          words.map((word) => `x ${word}`),
        );
        const asked = new Set(answers.map(({ question }) => question.question));
        const again = questionsOf(applyAnswers(text, answers, TODAY).content).map(({ question }) => question);
        expect(again.filter((question) => asked.has(question))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  test("they make no headings, marks or items that the writer did not make", () => {
    fc.assert(
      fc.property(fc.constantFrom(...files, LONE), nasty, (text, word) => {
        fc.pre(cleanAnswer(word) !== ""); // then nothing is answered
        const [plainly, within, alone] = ["x", `x ${word}`, word].map((answer) =>
          shapeOf(applyAnswers(text, answersOf(text, [answer]), TODAY).content),
        );
        expect([within, alone]).toEqual([plainly, plainly]);
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    "# Title",
    "## Title",
    "- item",
    "* item",
    "+ item",
    "> said",
    "1. one",
    "2) two",
    "3",
    "4.",
    "=== x",
    "| a | b |",
  ])("one that begins as %j does is words where it begins a line", (answer) => {
    const shapes = ["x", answer].map((one) => shapeOf(applyAnswers(LONE, answersOf(LONE, [one]), TODAY).content));
    expect(shapes[1]).toEqual(shapes[0]);
  });

  test.each(["AA0", "a1: x", "FR-9: sings", "(NFR-1) x", "[REQ-2] x", "_SC-7_ x"])(
    "one that begins as the id %j is no requirement of its own",
    (answer) => {
      for (const text of [...files, LONE]) {
        const shapes = ["x", answer].map((one) => shapeOf(applyAnswers(text, answersOf(text, [one]), TODAY).content));
        expect(shapes[1]).toEqual(shapes[0]);
      }
    },
  );
});
