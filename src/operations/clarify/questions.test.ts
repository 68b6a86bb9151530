import { describe, expect, test } from "vitest";
import { readSpec } from "../spec-document.ts";
import { alternativesIn } from "./alternatives.ts";
import { type Finding, findingsIn, questionsFor } from "./index.ts";

const asked = (text: string) => {
  const spec = readSpec(text);
  return questionsFor(spec, findingsIn(spec));
};

describe("a mark offers its own alternatives", () => {
  test.each([
    ["auth method not specified - email/password, SSO, OAuth?", ["email/password", "SSO", "OAuth"]],
    ["email, SMS or push notification?", ["email", "SMS", "push notification"]],
    ["target response time? (e.g., 4 hours, 1 day, 2 days)", ["4 hours", "1 day", "2 days"]],
    ["Should reports be sent daily or weekly?", ["daily", "weekly"]],
    ["Is the limit per user or per organization?", ["per user", "per organization"]],
    ["Which formats? CSV, PDF or Excel", ["CSV", "PDF", "Excel"]],
    ["single file vs. multiple files?", ["single file", "multiple files"]],
    ["email and password, or single sign-on?", ["email and password", "single sign-on"]],
    ["Should people sign in by email and password or single sign-on?", ["email and password", "single sign-on"]],
    ["7 days or 30 days?", ["7 days", "30 days"]],
    ["30, 60 or 90 days?", ["30 days", "60 days", "90 days"]],
    ["1,000 or 5,000 requests?", ["1,000 requests", "5,000 requests"]],
    ["24 hours, 7 days, or never?", ["24 hours", "7 days", "never"]],
    ["metric only, or metric and imperial?", ["metric only", "metric and imperial"]],
    ["which browsers (e.g., Chrome, Firefox, Safari)?", ["Chrome", "Firefox", "Safari"]],
    ["card vs. invoice", ["card", "invoice"]],
    ["whether by card or invoice", ["card", "invoice"]],
    ["whether to archive or delete", ["archive", "delete"]],
    ["hourly / daily / weekly", ["hourly", "daily", "weekly"]],
    ["email/SMS/push?", ["email", "SMS", "push"]],
    ['"draft" or "published"?', ["draft", "published"]],
    ["Which currencies, EUR only or also USD and CHF?", ["EUR only", "also USD and CHF"]],
    ["Who approves, the manager or HR?", ["the manager", "HR"]],
    ["retention period not specified", []],
    ["who may export?", []],
  ])("%s", (question, expected) => {
    expect(alternativesIn(question)).toEqual(expected);
  });
});

describe("questionsFor", () => {
  test("quotes the words and the id, gives options, says what hangs on it and where it comes from", () => {
    const [question] = asked(
      "## Requirements\n\n- **FR-003**: System MUST notify users by [NEEDS CLARIFICATION: email or SMS?].\n",
    );
    expect(question).toEqual({
      id: expect.stringMatching(/^marked-[a-z0-9-]+$/),
      question: 'FR-003 says "System MUST notify users by …". What is decided: email or SMS?',
      options: [
        { id: "a", label: "email", detail: "The first that the spec itself considers." },
        { id: "b", label: "SMS" },
      ],
      context: "This affects which services are needed and what people can switch off.",
      place: {
        document: "spec",
        line: 3,
        quote: "FR-003: System MUST notify users by [NEEDS CLARIFICATION: email or SMS?].",
      },
      finding: expect.objectContaining({ kind: "marked", owner: "FR-003" }),
    });
  });

  test("asks about a contradiction with exactly the numbers that stand there", () => {
    const text =
      "## Requirements\n- Sessions MUST end after 15 minutes\n- Users MUST be logged out after 30 minutes\n- Sessions MUST end after 1 hour\n";
    const [question] = asked(text).filter(({ finding }) => finding.kind === "contradictory");
    expect(question?.options.map(({ label, detail }) => [label, detail])).toEqual([
      ["15 minutes", "As line 2 has it."],
      ["30 minutes", "As line 3 has it."],
      ["1 hour", "As line 4 has it."],
    ]);
  });

  test("asks about numbers of two things by two questions", () => {
    const text =
      "## Requirements\n- **FR-001**: Audit logs are kept for 30 days\n- **FR-002**: Audit logs are kept for 90 days\n- **FR-003**: Invoices are kept for 5 years\n- **FR-004**: Invoices are kept for 10 years\n";
    const questions = asked(text).filter(({ finding }) => finding.kind === "contradictory");
    expect(questions.map(({ place, options }) => [place.line, options.map(({ label }) => label)])).toEqual([
      [3, ["30 days", "90 days"]],
      [5, ["5 years", "10 years"]],
    ]);
  });

  test("asks at most five, the heaviest first, one of a topic and one of a line", () => {
    const lines = [
      "fast and easy and secure",
      "quickly",
      "robust",
      "scalable",
      "gracefully handled",
      "etc",
      "ideally done",
    ];
    const questions = asked(`## Requirements\n\n${lines.map((line) => `- The system must be ${line}\n`).join("")}`);
    const weights = questions.map(({ finding }) => finding.weight);
    expect(questions.length).toBe(5);
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
    const unique = (values: unknown[]) => new Set(values).size;
    expect([unique(questions.map(({ finding }) => finding.topic)), unique(questions.map(({ id }) => id))]).toEqual([
      5, 5,
    ]);
  });

  test("gives a question the same id wherever its line has moved to", () => {
    const text = "## Requirements\n\n- **FR-001**: Search MUST be fast\n";
    const ids = (one: string) =>
      asked(one)
        .filter(({ finding }) => finding.topic === "vague-speed")
        .map(({ id }) => id);
    expect(ids(`# Title\n\nWords.\n\n${text}`)).toEqual(ids(text));
  });

  test("offers 2 to 5 options that differ, the recommended one with its reason", () => {
    const text =
      "# T\n\n## Requirements\n\n- **FR-001**: Users MUST log in and upload photos and pay by credit card, etc.\n- **FR-002**: Ideally users are notified regularly\n";
    for (const { options } of asked(text)) {
      expect(options.length).toBeGreaterThanOrEqual(2);
      expect(options.length).toBeLessThanOrEqual(5);
      expect(new Set(options.map(({ label }) => label)).size).toBe(options.length);
      expect(options[0]?.detail).toBeTruthy();
    }
  });

  test("asks in its own words about what somebody else found", () => {
    const spec = readSpec("## Requirements\n\n- Users can print\n");
    const finding: Finding = {
      kind: "missing",
      message: "Nothing says who pays for the paper.",
      place: { document: "spec", line: 3, quote: "Users can print" },
      weight: 12,
    };
    expect(questionsFor(spec, [finding]).map(({ question, place }) => [question, place.line])).toEqual([
      ['The spec says "Users can print". Nothing says who pays for the paper. What is decided?', 3],
    ]);
  });
});
