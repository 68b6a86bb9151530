import { describe, expect, test } from "vitest";
import { readSpec } from "../spec-document.ts";
import { applyAnswers, type ClarifyQuestion, findingsIn, questionsFor } from "./index.ts";

const TODAY = "2025-06-01";

function questionsOf(text: string): ClarifyQuestion[] {
  const spec = readSpec(text);
  return questionsFor(spec, findingsIn(spec));
}

describe("an answer whose statement was changed meanwhile", () => {
  const requirements = (...lines: string[]) =>
    `# T\n\n## Requirements\n\n${lines.map((line) => `- ${line}\n`).join("")}`;

  /** What becomes of `now` by the answer to the first question about `then`. */
  function appliedTo(then: string, topic: string, now: string, answer = "10 MB") {
    const question = questionsOf(then).find(({ finding }) => finding.topic?.startsWith(topic));
    if (!question) throw new Error("it is asked about");
    const { content, applied, unplaced } = applyAnswers(now, [{ question, answer }], TODAY);
    const body = content.slice(content.indexOf("## Requirements"));
    return { body, placed: applied.includes(question.id), unplaced: unplaced.includes(question.id) };
  }

  test.each([
    ["with ids", "marked", ["**FR-001**: Uploads are limited to TBD.", "**FR-002**: Bills are kept for TBD."], "TBD"],
    ["without ids", "marked", ["Uploads of users are limited to TBD.", "Uploads of staff are limited to TBD."], "TBD"],
    ["of one word", "marked", ["TBD", "TBD before the release"], "TBD"],
    ["with a vague word", "vague", ["**FR-001**: Search MUST be fast.", "**FR-002**: Export MUST be fast."], "fast"],
    ["of one requirement", "marked", ["**FR-001**: Files:\n  - are limited to TBD\n  - are kept for TBD"], "TBD"],
    ["of its parts", "marked", ["**FR-001**: TBD\n  - which is kept for TBD"], "TBD"],
    ["of two sentences", "marked", ["Files are limited to TBD. Bills are kept for TBD."], "TBD"],
  ])("goes into no other one: %s", (_, topic, lines, words) => {
    const then = requirements(...lines);
    const now = then.replace(words, "5 MB");
    const body = now.slice(now.indexOf("## Requirements"));
    expect(appliedTo(then, topic, now)).toEqual({ body, placed: false, unplaced: true });
  });

  test("finds it by its id, and behind the same word, where it was worded anew", () => {
    const now = requirements("**FR-002**: Bills are kept for TBD.", "**FR-001**: Each file is limited to TBD, always.");
    const then = requirements("**FR-001**: Uploads are limited to TBD.");
    expect(appliedTo(then, "marked", now)).toEqual({
      body: now.slice(now.indexOf("## Requirements")).replace("to TBD", "to 10 MB"),
      placed: true,
      unplaced: false,
    });
  });

  test("finds it by the part of a long sentence that was quoted", () => {
    const mark =
      "[NEEDS CLARIFICATION: from where do the hours come - entered by the staff, or taken from the directory?]";
    const then = requirements(`The practice is closed: the patient is told by the system when it opens again ${mark}.`);
    const { body, placed } = appliedTo(then, "marked", then, "the directory");
    expect([placed, body.includes("[")]).toEqual([true, false]);
  });

  test("fills no other place when it is written twice", () => {
    const text = requirements("**FR-001**: Uploads are limited to TBD.", "**FR-002**: Bills are kept for TBD.");
    const [question] = questionsOf(text);
    if (!question) throw new Error("it is asked about");
    const once = applyAnswers(text, [{ question, answer: "10 MB" }], TODAY);
    const twice = applyAnswers(once.content, [{ question, answer: "10 MB" }], TODAY);
    expect(twice).toEqual({ content: once.content, applied: [question.id], unplaced: [] });
  });
});
