import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readSpec } from "../spec-document.ts";
import { applyAnswers, findingsIn, questionsFor } from "./index.ts";

const specs = new URL("../../../test/specs/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, specs), "utf8");

const LONG = /^(?:marked|question|criterion-goal|scope)-/;

/** Both lines of a contradiction, the kind and the topic of each finding, by line. What is not named here must not be found. */
function found(name: string): string[] {
  return findingsIn(readSpec(read(name)))
    .map(({ kind, place, other, topic = "" }) => {
      const lines = other && kind === "contradictory" ? `${other.line}/${place.line}` : `${place.line}`;
      return { line: place.line, text: `${lines} ${kind} ${LONG.test(topic) ? topic.split("-")[0] : topic}` };
    })
    .sort((a, b) => a.line - b.line || (a.text < b.text ? -1 : 1))
    .map(({ text }) => text);
}

const expected: Record<string, { what: string; findings: string[] }> = {
  "good-waitlist.md": { what: "a good spec in the shape of spec-kit's template: nothing", findings: [] },
  "good-tables.md": { what: "a good spec whose requirements are tables: nothing", findings: [] },
  "good-stories.md": { what: "good user stories with one hole: the hole", findings: ["27 missing gap-channel"] },
  "half-filled.md": {
    what: "a template that was filled in by half",
    findings: [
      "3 missing placeholder",
      "4 missing placeholder",
      "13 missing placeholder",
      "20 missing placeholder",
      "22 missing scenario-US2",
      "30 missing edge-answer",
      "39/40 contradictory doubled-FR-003",
      "41 missing dangling-FR-012",
      "38/42 contradictory opposite-sign-in",
      "42 missing gap-authentication",
      "43 marked marked",
      "44 marked marked",
      "45 marked marked",
      "50 missing placeholder",
      "57 missing placeholder",
    ],
  },
  "bullets.md": {
    what: "loose bullets without ids",
    findings: [
      "1 missing criteria",
      "1 missing edge-cases",
      "1 missing stories",
      "3 vague vague-ease",
      "9 missing gap-time-zone",
      "10 missing gap-channel",
      "13 vague vague-amount",
      "9/14 contradictory number-count-memb-hold",
      "15/16 contradictory reserved-cancel",
      "17 missing gap-privacy",
      "17 missing gap-retention",
      "18/19 contradictory opposite-anonymity",
      "20 vague vague-handling",
      "20 vague vague-scale",
      "21/22 contradictory opposite-timeliness",
      "23 marked marked",
    ],
  },
  "prose.md": {
    what: "prose whose sentences contradict each other",
    findings: [
      "1 missing criteria",
      "1 missing edge-cases",
      "1 missing stories",
      "3/5 contradictory number-time-duration",
      "5 missing gap-channel",
      "5 vague vague-ease",
      "5 vague vague-speed",
      "7 vague vague-extent",
      "7/7 contradictory denied-remove",
      "9 vague vague-protection",
      "9/9 contradictory opposite-erasure",
      "11 marked marked",
      "11 vague vague-amount",
      "11 vague vague-extent",
    ],
  },
  "lines-with-ids.md": {
    what: "lines that begin with ids and are no list",
    findings: [
      "1 missing edge-cases",
      "1 missing stories",
      "6/13 contradictory scope",
      "14 missing gap-channel",
      "10/15 contradictory number-time-interval",
      "16 missing dangling-REQ-140",
      "17 missing gap-retention",
      "18/19 contradictory denied-remove",
      "23 vague vague-reliability",
      "25 vague vague-quality",
      "26 vague vague-extent",
      "26 vague vague-protection",
      "24/28 contradictory doubled-NFR-2",
      "33 unmeasurable criterion-C2",
    ],
  },
  "as-a-stories.md": {
    what: "stories without scenarios, and requirements that clash",
    findings: [
      "1 missing edge-cases",
      "9 missing ranking",
      "9 missing scenario-US1",
      "10 missing scenario-US2",
      "11 missing scenario-US3",
      "12 missing scenario-US4",
      "16 missing gap-upload-limits",
      "16/17 contradictory exclusive-format",
      "18/19 contradictory opposite-approval",
      "20 missing placeholder",
      "21 vague vague-extent",
      "22 vague vague-speed",
      "23 marked marked",
      "24 missing gap-privacy",
      "25 marked marked",
      "29 unmeasurable criterion-SC-1",
      "34 marked question",
      "35 marked question",
    ],
  },
  "api.md": {
    what: "a table of endpoints and the bullets that disagree with it",
    findings: [
      "1 missing criteria",
      "1 missing stories",
      "12 marked marked",
      "17/18 contradictory exclusive-format",
      "11/19 contradictory number-time-forecast-reach",
      "5/20 contradictory opposite-sign-in",
      "22 vague vague-scale",
      "23 vague vague-amount",
      "24/25 contradictory opposite-timeliness",
      "26 vague vague-handling",
      "27 vague vague-amount",
      "32 missing placeholder",
    ],
  },
  "health.md": {
    what: "a health feature: permissions, marks, a placeholder",
    findings: [
      "1 missing edge-cases",
      "16 vague vague-handling",
      "26 missing scenario-US3",
      "28 missing gap-retention",
      "33 missing gap-privacy",
      "33 missing gap-upload-limits",
      "34/35 contradictory denied-record",
      "36 missing gap-sensitive-access",
      "38 vague vague-ease",
      "38 vague vague-quality",
      "39 marked marked",
      "40 missing placeholder",
      "41 marked marked",
      "45 unmeasurable criterion-SC-001",
      "47 unmeasurable criterion-SC-003",
    ],
  },
  "albums.md": {
    what: "a limit that a scenario and a requirement give differently",
    findings: [
      "12 vague vague-speed",
      "23 missing scenario-US2",
      "31 missing edge-answer",
      "21/37 contradictory number-size-size",
      "38/39 contradictory opposite-deletion",
      "40 vague vague-ease",
      "40 vague vague-speed",
      "41 marked marked",
      "43 missing gap-channel",
      "54 unmeasurable criterion-SC-001",
    ],
  },
  "reminders.md": {
    what: "a few loose lines: channels, times, scope, goals and languages",
    findings: [
      "1 missing criteria",
      "1 missing edge-cases",
      "1 missing stories",
      "3 vague vague-reliability",
      "3 vague vague-scale",
      "6 unmeasurable criterion",
      "7 unmeasurable criterion",
      "10 missing gap-time-zone",
      "10/11 contradictory exclusive-channel",
      "12 missing gap-privacy",
      "12/13 contradictory number-time-cancellation",
      "14 vague vague-protection",
      "15 missing gap-sensitive-access",
      "16 marked marked",
      "17 vague vague-extent",
      "12/20 contradictory scope",
    ],
  },
};

describe("what a careful reader remarks on in", () => {
  test.each(Object.entries(expected).map(([name, { what, findings }]) => [what, name, findings] as const))(
    "%s",
    (_, name, findings) => {
      expect(found(name)).toEqual(findings);
    },
  );
});

const asked = (text: string) => questionsFor(readSpec(text), findingsIn(readSpec(text)));

describe("the questions", () => {
  test("are few for a good spec", () => {
    expect(["good-waitlist.md", "good-tables.md", "good-stories.md"].map((name) => asked(read(name)).length)).toEqual([
      0, 0, 1,
    ]);
  });

  test("ask about contradictions and marks before anything else", () => {
    for (const name of Object.keys(expected)) {
      const plain = asked(read(name)).map(
        ({ finding }) => /contradictory|marked/.test(finding.kind) && finding.weight > 15,
      );
      expect(plain, name).toEqual([...plain].sort((a, b) => Number(b) - Number(a)));
    }
  });

  test("quote no marks of emphasis, and no id beside itself", () => {
    for (const name of Object.keys(expected)) {
      for (const { question, place } of asked(read(name))) {
        expect(`${question} ${place.quote}`).not.toContain("**");
        expect(question).not.toMatch(/\b([A-Z]+-\d+) says "\1/);
      }
    }
  });

  test.each(["the first option", "words of their own"])("are not asked again once they are answered by %s", (how) => {
    for (const name of Object.keys(expected)) {
      const text = read(name);
      const questions = asked(text);
      const answers = questions.map((question) => ({
        question,
        answer: how === "the first option" ? (question.options[0]?.label ?? "") : "We do as the law says.",
      }));
      const { content } = applyAnswers(text, answers, "2026-01-02");
      const lines = new Set(questions.map(({ finding }) => `${finding.topic} ${finding.words}`));
      const again = asked(content).filter(({ finding }) => lines.has(`${finding.topic} ${finding.words}`));
      expect([name, again.map(({ question }) => question)]).toEqual([name, []]);
    }
  });

  test("offer the lengths of a session where that is open", () => {
    const [question] = asked(
      "## Requirements\n\n- **FR-001**: System MUST end a session after [how long] without activity.\n",
    );
    expect(question?.options.map(({ label }) => label)).toEqual(["30 minutes", "15 minutes", "8 hours", "30 days"]);
  });
});

describe("time grows with the length of the document and no faster", () => {
  const head = "# T\n\n## Requirements\n\n";
  const kinds: Record<string, (n: number) => string> = {
    "marks that nothing closes": (n) => head + "[NEEDS CLARIFICATION".repeat(n / 20),
    stars: (n) => `${head}- ${"**".repeat(n / 2)}`,
    "numbers in one line": (n) => `${head}- ${"12 days 3 MB up to ".repeat(n / 19)}`,
    "short requirements": (n) => head + Array.from({ length: n / 18 }, (_, at) => `- FR-${at}: go ${at}\n`).join(""),
    clarifications: (n) =>
      `# T\n\n## Clarifications\n\n${"- Q: What? → A: this\n".repeat(n / 40)}\n## Requirements\n\n${"- be fast\n".repeat(n / 20)}`,
    headings: (n) => "## User Story 1 - go\n".repeat(n / 21),
    "one word": (n) => `${head}- ${"a".repeat(n)}`,
  };
  test.each(Object.entries(kinds))("%s", (_, make) => {
    const took = (size: number): number => {
      const text = make(size);
      const times = [1, 2, 3].map(() => {
        const begun = process.cpuUsage();
        const questions = asked(text);
        applyAnswers(
          text,
          questions.map((question) => ({ question, answer: "30 days" })),
          "2026-01-02",
        );
        return process.cpuUsage(begun).user / 1000;
      });
      return Math.min(...times);
    };
    const [small, large] = [took(25_000), took(100_000)];
    expect(large).toBeLessThan(200 + small * 10);
  });
});
