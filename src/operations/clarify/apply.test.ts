import { describe, expect, test } from "vitest";
import { readSpec } from "../spec-document.ts";
import { type Answered, applyAnswers, type ClarifyQuestion, findingsIn, questionsFor } from "./index.ts";

const TODAY = "2025-06-01";

function questionsOf(text: string): ClarifyQuestion[] {
  const spec = readSpec(text);
  return questionsFor(spec, findingsIn(spec));
}

/** Answers the questions about these topics, and shows the lines that are new. */
function answered(text: string, answers: Record<string, string>): string[] {
  const given: Answered[] = [];
  for (const question of questionsOf(text)) {
    const answer = Object.entries(answers).find(([topic]) => question.finding.topic?.startsWith(topic))?.[1];
    if (answer !== undefined) given.push({ question, answer });
  }
  expect(given.length).toBe(Object.keys(answers).length);
  const before = new Set(text.split("\n"));
  const { content, unplaced } = applyAnswers(text, given, TODAY);
  expect(unplaced).toEqual([]);
  return content
    .split("\n")
    .filter((line) => line.trim() !== "" && !before.has(line) && !/^- Q: |^#+ (?:Clarifications|Session)/.test(line));
}

describe("an answer is written where its question comes from", () => {
  const one = (line: string) => `# T\n\n## Requirements\n\n- **FR-001**: ${line}\n`;

  test("in the place of a mark, as a part of the sentence", () => {
    expect(
      answered(one("System MUST retain data for [NEEDS CLARIFICATION: retention period?]."), { marked: "90 days." }),
    ).toEqual(["- **FR-001**: System MUST retain data for 90 days."]);
  });

  test("in brackets behind a whole clause, with what it answers", () => {
    expect(
      answered(one("System MUST retain data [NEEDS CLARIFICATION: retention period not specified]"), {
        marked: "90 days",
      }),
    ).toEqual(["- **FR-001**: System MUST retain data (retention period: 90 days)"]);
    expect(answered(one("Guests can pay [NEEDS CLARIFICATION: Are refunds allowed?]"), { marked: "No" })).toEqual([
      "- **FR-001**: Guests can pay (Are refunds allowed? No.)",
    ]);
  });

  test("as a sentence where the mark is all that stands there", () => {
    expect(answered(one("[NEEDS CLARIFICATION: who may export?]"), { marked: "owners" })).toEqual([
      "- **FR-001**: Who may export? Owners.",
    ]);
  });

  test("in the place of a mark that is wrapped over lines", () => {
    expect(
      answered("## Requirements\n\n- Notify by [NEEDS CLARIFICATION: email,\n  SMS or push?] at once\n- Other\n", {
        marked: "SMS",
      }),
    ).toEqual(["- Notify by SMS at once"]);
  });

  test("behind a vague word", () => {
    expect(answered(one("Search MUST be fast and complete"), { "vague-speed": "Under 1 second" })).toEqual([
      "- **FR-001**: Search MUST be fast (under 1 second) and complete",
    ]);
  });

  test("in the place of the number that lost", () => {
    const text =
      "## Requirements\n\n- **FR-001**: Sessions MUST end after 15 minutes.\n- **FR-002**: Members MUST be logged out after 30 minutes.\n";
    expect(answered(text, { number: "15 minutes" })).toEqual([
      "- **FR-002**: Members MUST be logged out after 15 minutes.",
    ]);
    expect(answered(text, { number: "20 minutes" })).toEqual([
      "- **FR-001**: Sessions MUST end after 20 minutes.",
      "- **FR-002**: Members MUST be logged out after 20 minutes.",
    ]);
  });

  test("by striking out the statement that lost", () => {
    const text =
      "## Requirements\n\n- **FR-001**: The app MUST work offline.\n- **FR-002**: The app requires an internet connection.\n";
    expect(answered(text, { "opposite-offline": "FR-001: The app MUST work offline." })).toEqual([
      "- **FR-002**: ~~The app requires an internet connection.~~ (superseded: FR-001: The app MUST work offline)",
    ]);
  });

  test("as a measure of a success criterion", () => {
    expect(
      answered("## Success Criteria\n\n- **SC-001**: Users are happy.\n", { criterion: "80% rate it 4 of 5" }),
    ).toEqual(["- **SC-001**: Users are happy (measured: 80% rate it 4 of 5)."]);
  });

  test("as the next requirement, in the series and the section that is there", () => {
    const text =
      "## Requirements\n\n### Functional Requirements\n\n- **FR-001**: Users MUST be able to upload photos\n  - also from the phone\n\n## Assumptions\n\n- Few\n";
    expect(answered(text, { "gap-upload-limits": "10 MB" })).toEqual([
      "- **FR-002**: System MUST limit the size of an uploaded file: 10 MB.",
    ]);
  });

  test("as a row, where the requirements are a table", () => {
    const text =
      "## Requirements\n\n| Id | What | Priority |\n|---|---|---|\n| REQ-01 | Users can upload photos | P1 |\n";
    expect(answered(text, { "gap-upload-limits": "10 MB" })).toEqual([
      "| REQ-02 | System MUST limit the size of an uploaded file: 10 MB. |  |",
    ]);
  });

  test("as a scenario of its story, and as a priority in its heading", () => {
    const text =
      "## User Stories\n\n### User Story 1 - Pay (Priority: P1)\n\nA buyer pays.\n\n### User Story 2 - Ship\n\n- Given a, when b, then c\n";
    expect(
      answered(text, { "scenario-US1": "Given a cart, When I pay, Then I get a receipt", "priority-US2": "P2" }),
    ).toEqual([
      "**Acceptance Scenarios**:",
      "1. Given a cart, When I pay, Then I get a receipt.",
      "### User Story 2 - Ship (Priority: P2)",
    ]);
  });

  test("in a section of its own where there is none, before what follows it", () => {
    const text = "# T\n\n## Requirements\n\n- Users can print\n\n## Assumptions\n\n- Few\n";
    const [question] = questionsOf(text).filter(({ finding }) => finding.topic === "criteria");
    const { content } = applyAnswers(text, question ? [{ question, answer: "90% print" }] : [], TODAY);
    expect(content).toBe(`# T

## Clarifications

### Session 2025-06-01

- Q: How will one see that it succeeded? → A: 90% print

## Requirements

- Users can print

## Success Criteria

### Measurable Outcomes

- **SC-001**: 90% print.

## Assumptions

- Few
`);
  });
});

describe("the Clarifications", () => {
  const text =
    "# T\n\nIntro.\n\n## Clarifications\n\n### Session 2025-05-31\n\n- Q: a → A: b\n\n## Requirements\n\n- Search MUST be fast\n- Menus MUST be easy\n";

  test("get a session of today, and what follows today is added to it", () => {
    const [first, second] = questionsOf(text).filter(({ finding }) => finding.topic?.startsWith("vague"));
    if (!first || !second) throw new Error("both words are asked about");
    const one = applyAnswers(text, [{ question: first, answer: "x" }], TODAY).content;
    const both = applyAnswers(one, [{ question: second, answer: "y" }], TODAY).content;
    expect(both.slice(both.indexOf("### Session 2025-05-31"), both.indexOf("## Requirements"))).toBe(
      `### Session 2025-05-31\n\n- Q: a → A: b\n\n### Session 2025-06-01\n\n- Q: ${first.question} → A: x\n- Q: ${second.question} → A: y\n\n`,
    );
  });

  test("alone get an answer whose words are gone", () => {
    const [question] = questionsOf("## Requirements\n\n- Search MUST be fast\n").filter(
      ({ finding }) => finding.topic === "vague-speed",
    );
    if (!question) throw new Error("it is asked about");
    const result = applyAnswers("## Requirements\n\n- Search MUST be there\n", [{ question, answer: "1 s" }], TODAY);
    expect([result.applied, result.unplaced, readSpec(result.content).clarifications.map((one) => one.answer)]).toEqual(
      [[], [question.id], ["1 s"]],
    );
  });
});

test("a mark is filled where it was asked about, though another asks the same of something else", () => {
  const assumed = (first: string) =>
    `# T\n\n## Requirements\n\n- Users can print\n\n## Assumptions\n\n- Print jobs are kept for ${first}\n- Bills are kept for [NEEDS CLARIFICATION: how long?]\n`;
  expect(answered(assumed("[NEEDS CLARIFICATION: how long?]"), { marked: "2 days" })).toEqual([
    "- Print jobs are kept for 2 days",
  ]);
});

test("a number is settled where it was given, and not where something else has the same one", () => {
  const text =
    "## Requirements\n\n- The system MUST keep audit entries for 30 days.\n- The system MUST keep audit entries for 90 days.\n- The system MUST keep audit entries for 60 days.\n- The system MUST keep shopping carts for 30 days.\n";
  const [question] = questionsOf(text).filter(({ finding }) => finding.topic?.startsWith("number"));
  if (!question) throw new Error("it is asked about");
  const { content } = applyAnswers(text, [{ question, answer: "90 days" }], TODAY);
  expect(content.slice(content.indexOf("## Requirements"))).toBe(
    "## Requirements\n\n- The system MUST keep audit entries for 90 days.\n- The system MUST keep audit entries for 90 days.\n- The system MUST keep audit entries for 90 days.\n- The system MUST keep shopping carts for 30 days.\n",
  );
});

test.each(["---\nname: x\n---\n\n", "\n", "\n\n<!-- made by a tool -->\n"])(
  "a section that is made stands under the title, whatever is before that: %j",
  (before) => {
    const text = `${before}# T\n\n## Requirements\n\n- Users can print\n`;
    const question = questionsOf(text).find(({ finding }) => finding.topic === "criteria");
    if (!question) throw new Error("it is asked about");
    const { content } = applyAnswers(text, [{ question, answer: "90% print" }], TODAY);
    expect(content.match(/^#+ .*/gm)).toEqual([
      "# T",
      "## Clarifications",
      "### Session 2025-06-01",
      "## Requirements",
      "## Success Criteria",
      "### Measurable Outcomes",
    ]);
  },
);
