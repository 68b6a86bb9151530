import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { documents } from "./markdown-random.ts";
import { readSpec } from "./spec-document.ts";

const KIT = `# Feature Specification: Photo Albums

**Feature Branch**: \`001-photo-albums\`
**Input**: User description: "fast albums"

## Clarifications

### Session 2025-01-02

- Q: Who may see an album? → A: Its owner.

## User Scenarios & Testing *(mandatory)*

### User Story 1 - Make an album (Priority: P1)

A person makes an album
and puts photos into it.

**Why this priority**: It is the core.

**Independent Test**: Make one and open it.

**Acceptance Scenarios**:

1. **Given** photos, **When** I make an album,
   **Then** it has them.
2. **Given** none, **When** I make one, **Then** it is empty.

### Edge Cases

- Two albums of one name: [NEEDS CLARIFICATION: are they
  allowed?]

## Requirements *(mandatory)*

### Functional Requirements

- **FR-001**: System MUST keep albums.
  - also when empty
- **FR-AUTH-002**: System MUST sign people in.

### Key Entities *(include if feature involves data)*

- **Album**: a name and photos

## Success Criteria *(mandatory)*

### Measurable Outcomes

- **SC-001**: 90% make an album in 1 minute.

## Assumptions

- People have photos.

## Out of Scope

- Videos
`;

/** Without what only serves to find the words again. */
function facts(text: string) {
  const {
    title,
    stories,
    requirements,
    criteria,
    scenarios,
    edgeCases,
    entities,
    assumptions,
    outOfScope,
    marks,
    clarifications,
  } = readSpec(text);
  const asked = marks.map(({ question, line, owner }) => ({ question, line, owner }));
  return {
    title,
    stories,
    requirements,
    criteria,
    scenarios,
    edgeCases,
    entities,
    assumptions,
    outOfScope,
    marks: asked,
    clarifications,
  };
}

const scenarios = [
  { text: "Given photos, When I make an album, Then it has them.", line: 25 },
  { text: "Given none, When I make one, Then it is empty.", line: 27 },
];

describe("readSpec", () => {
  test("reads what spec-kit writes, with the line of each part", () => {
    expect(facts(KIT)).toEqual({
      title: "Photo Albums",
      stories: [
        {
          id: "US1",
          title: "Make an album",
          priority: "P1",
          text: "A person makes an album and puts photos into it.",
          line: 14,
          end: 28,
          scenarios,
          independentTest: { text: "Make one and open it.", line: 21 },
        },
      ],
      requirements: [
        { id: "FR-001", given: true, text: "System MUST keep albums.", line: 38 },
        { id: "FR-AUTH-002", given: true, text: "System MUST sign people in.", line: 40 },
      ],
      criteria: [{ id: "SC-001", given: true, text: "90% make an album in 1 minute.", line: 50 }],
      scenarios,
      edgeCases: [{ text: "Two albums of one name: [NEEDS CLARIFICATION: are they allowed?]", line: 31 }],
      entities: [{ text: "Album: a name and photos", line: 44 }],
      assumptions: [{ text: "People have photos.", line: 54 }],
      outOfScope: [{ text: "Videos", line: 58 }],
      marks: [{ question: "are they allowed?", line: 31, owner: undefined }],
      clarifications: [
        {
          text: "Q: Who may see an album? → A: Its owner.",
          question: "Who may see an album?",
          answer: "Its owner.",
          line: 10,
          session: "2025-01-02",
        },
      ],
    });
  });

  test("reads the same with CRLF, without a final newline and with a byte order mark", () => {
    const whole = facts(KIT);
    expect(facts(KIT.replaceAll("\n", "\r\n"))).toEqual(whole);
    expect(facts(KIT.trimEnd())).toEqual(whole);
    expect(facts(`\uFEFF${KIT}`)).toEqual(whole);
  });

  test("makes up ids where the document gives none, and says so", () => {
    const { requirements, criteria } = readSpec(
      "# T\n## Requirements\n- Do this\n- Do that\n## Success metrics\n- 5 of 6\n",
    );
    expect([requirements, criteria]).toEqual([
      [
        { id: "R1", given: false, text: "Do this", line: 3 },
        { id: "R2", given: false, text: "Do that", line: 4 },
      ],
      [{ id: "C1", given: false, text: "5 of 6", line: 6 }],
    ]);
  });

  test("takes requirements from tables, from headings and from prose", () => {
    const row = "## Requirements\n| Id | What | Priority |\n|---|---|---|\n| REQ-1 | Send a mail | P1 |\n";
    expect(readSpec(row).requirements).toEqual([{ id: "REQ-1", given: true, text: "Send a mail", line: 4 }]);
    const heading = "# T\n## Requirements\n### NFR-2: Speed\nAnswers take 1 second.\n";
    expect(readSpec(heading).requirements).toEqual([{ id: "NFR-2", given: true, text: "Speed", line: 3 }]);
    const prose = "The shop sells tea. It must\nship within 2 days. People can return it.\n";
    expect(readSpec(prose).requirements).toEqual([
      { id: "R1", given: false, text: "It must ship within 2 days.", line: 1 },
      { id: "R2", given: false, text: "People can return it.", line: 2 },
    ]);
  });

  test("reads stories that are told in a sentence, and what is indented under them", () => {
    const text =
      "## User Stories\n- **US-3** (P2): As a guest, I want to pay by card so that I need no cash.\n  - Given a card, when I pay, then I get a receipt.\n";
    expect(readSpec(text).stories).toEqual([
      {
        id: "US3",
        title: "pay by card",
        priority: "P2",
        text: "US-3 (P2): As a guest, I want to pay by card so that I need no cash.",
        line: 2,
        end: 3,
        scenarios: [{ text: "Given a card, when I pay, then I get a receipt.", line: 3 }],
      },
    ]);
  });

  test("takes steps that stand one below the other as one scenario, and Gherkin from its fence", () => {
    const steps =
      "### User Story 1 - A\n**Acceptance Scenarios**:\n- Given a\n- When b\n- Then c\n- Given d, when e, then f\n";
    expect(readSpec(steps).stories[0]?.scenarios).toEqual([
      { text: "Given a When b Then c", line: 3 },
      { text: "Given d, when e, then f", line: 6 },
    ]);
    const fenced = "### User Story 1 - A\n```gherkin\nScenario: B\n  Given c\n```\n";
    expect(readSpec(fenced).stories[0]?.scenarios).toEqual([{ text: "Scenario: B", line: 3 }]);
  });

  test("reads the older template, whose scenarios stand beside the story", () => {
    const text =
      "## User Scenarios\n### Primary User Story\nA person pays.\n### Acceptance Scenarios\n1. **Given** a, **When** b, **Then** c\n## Review & Acceptance Checklist\n- [ ] No [NEEDS CLARIFICATION] markers remain\n";
    const { stories, marks } = readSpec(text);
    expect([stories[0]?.scenarios, marks]).toEqual([[{ text: "Given a, When b, Then c", line: 5 }], []]);
  });

  test("takes a requirement that is struck out as withdrawn", () => {
    expect(
      readSpec("## Requirements\n- **FR-001**: ~~Do this~~ (superseded: no)\n- **FR-002**: Do that\n").requirements,
    ).toEqual([{ id: "FR-002", given: true, text: "Do that", line: 3 }]);
  });

  test("fails on no text", () => {
    fc.assert(
      fc.property(fc.oneof(documents, fc.string()), (text) => {
        const spec = readSpec(text);
        for (const { line } of [...spec.statements, ...spec.marks, ...spec.requirements, ...spec.stories]) {
          expect(line).toBeGreaterThan(0);
          expect(line).toBeLessThanOrEqual(spec.lines.length);
        }
      }),
    );
  });
});
