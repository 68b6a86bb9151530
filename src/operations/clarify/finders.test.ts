import { describe, expect, test } from "vitest";
import { readSpec } from "../spec-document.ts";
import { findingsIn } from "./index.ts";

const requirements = (...lines: string[]) =>
  findingsIn(readSpec(`## Requirements\n\n${lines.map((line) => `- ${line}\n`).join("")}`));
const kinds = (findings: ReturnType<typeof findingsIn>, kind: string) =>
  findings.filter((one) => one.kind === kind).map((one) => one.words ?? one.topic);

describe("a word is vague", () => {
  test.each([
    ["Search MUST be fast", "fast"],
    ["The form MUST be easy to use", "easy"],
    ["The service MUST be scalable", "scalable"],
    ["Data MUST be secure", "secure"],
    ["Errors MUST be handled gracefully", "gracefully"],
    ["Users can upload PDF, PNG, etc.", "etc"],
    ["Accounts MUST be locked after several failed attempts", "several failed attempts"],
    ["The cache MUST be refreshed regularly", "regularly"],
    ["Only authorized personnel MUST see it", "authorized personnel"],
    ["System MUST support various payment methods", "various payment methods"],
    ["Ideally reports are printed", "Ideally"],
  ])("%s", (line, word) => {
    expect(kinds(requirements(line), "vague")).toEqual([word]);
  });
});

describe("a word is not vague where it is measured, named or only a name", () => {
  test.each([
    "Search MUST be fast (under 200 ms)",
    "Search MUST be fast: 95% of results within 1 second",
    "Search MUST be fast. Search results MUST appear within 1 second",
    "The session MUST use a secure cookie",
    "Data MUST be stored securely, encrypted with AES-256",
    "Errors MUST be handled gracefully by showing what went wrong",
    "Users can upload various formats: PDF and PNG",
    "Accounts MUST be locked after several failed attempts (5)",
    'The button MUST say "Fast and easy"',
    "The video MUST have a fast-forward button",
    "The layout MUST be responsive on mobile and desktop",
    "The cache MUST be refreshed regularly, every 5 minutes",
    "The command `make fast` MUST pass",
  ])("%s", (line) => {
    expect(kinds(requirements(line), "vague")).toEqual([]);
  });

  test("nor in what motivates, in what is given, and in what was asked before", () => {
    const text = `# F
**Input**: "a fast and easy app"

## Why this priority
It must be fast.

## Clarifications
- Q: How fast? → A: as fast as possible

### User Story 1 - Pay (Priority: P1)
As a buyer, I want to pay so that checkout is quick and easy.
1. **Given** several items in a fast cart, **When** I pay, **Then** I see a receipt
`;
    expect(kinds(findingsIn(readSpec(text)), "vague")).toEqual([]);
  });
});

describe("two statements contradict each other", () => {
  test.each([
    ["Sessions MUST end after 15 minutes", "Members MUST be logged out after 30 minutes of inactivity"],
    ["Uploads MUST be limited to 5 MB", "Files MUST NOT exceed 10 MB"],
    ["Accounts MUST be locked after 3 failed attempts", "Login MUST be locked after 5 failed attempts"],
    ["Audit logs are kept for 10 years", "Audit logs must be deleted after 3 years"],
    ["Search results MUST be shown within 1 second", "Search MUST show results in under 3 seconds"],
    ["The phone number is optional", "The phone number is required"],
    ["Only admins can delete projects", "All members can delete projects"],
    ["System MUST send marketing mails to members", "System MUST NOT send marketing mails to members"],
    ["The app MUST work offline", "The app requires an internet connection"],
    ["Deleted notes MUST be restorable", "Notes MUST be permanently deleted at once"],
    ["Votes MUST be anonymous", "System MUST record the name of each voter with the votes"],
    ["Members can add any number of photos", "Members can add up to 20 photos"],
  ])("%s / %s", (one, other) => {
    expect(
      requirements(one, other)
        .filter(({ kind }) => kind === "contradictory")
        .map(({ place, other: at }) => [at?.line, place.line]),
    ).toEqual([[3, 4]]);
  });
});

describe("two statements agree", () => {
  test.each([
    ["Photos MUST NOT exceed 5 MB", "Videos MUST NOT exceed 50 MB"],
    ["Admin sessions MUST end after 15 minutes", "Sessions MUST end after 30 minutes"],
    ["Data MUST be kept for at least 30 days", "Data MUST be kept for 90 days"],
    ["Deleted files MUST be restorable for 30 days", "After 30 days files MUST be permanently deleted"],
    ["The user MUST be warned after 25 minutes", "The user MUST be logged out after 30 minutes"],
    ["Members MUST NOT delete projects of others", "Members can delete projects"],
    ["Visitors can read articles without an account", "Editors MUST sign in to write articles"],
    ["Pages MUST load in 1 second", "Reports MUST be ready in 1 minute"],
    ["Passwords MUST have at least 12 characters", "Names MUST have at most 80 characters"],
    ["95% of searches MUST take under 1 second", "99% of searches MUST take under 3 seconds"],
    ["Orders can be cancelled within 24 hours", "Refunds MUST arrive within 5 days"],
  ])("%s / %s", (one, other) => {
    expect(requirements(one, other).filter(({ kind }) => kind === "contradictory")).toEqual([]);
  });
});

describe("a success criterion", () => {
  const criterion = (line: string) =>
    kinds(findingsIn(readSpec(`## Success Criteria\n\n- **SC-001**: ${line}\n`)), "unmeasurable").length === 0;
  test.each([
    "90% of users finish in 2 minutes",
    "No payment is lost",
    "All screens meet WCAG 2.1 AA",
    "Half of all calls end",
    "A user can sign in with a passkey",
  ])("can be measured: %s", (line) => expect(criterion(line)).toBe(true));
  test.each([
    "Users are happy",
    "All pages load quickly",
    "Adoption increases",
    "The app is intuitive",
    "Support calls are reduced by Q3 2026",
  ])("cannot be measured: %s", (line) => expect(criterion(line)).toBe(false));
});

test("an edge case that only asks is answered by a requirement, or it is missing", () => {
  const text =
    "## Requirements\n- **FR-001**: A file over 10 MB MUST be refused\n## Edge Cases\n- What happens when a file is over 10 MB?\n- What happens when the printer burns?\n";
  const found = findingsIn(readSpec(text)).filter(({ topic }) => topic === "edge-answer");
  expect(found.map(({ place }) => place.line)).toEqual([5]);
});

test("what an assumption or a clarification settles is not missing", () => {
  const text = (more: string) => `## Requirements\n- Users MUST log in\n${more}`;
  const gaps = (more: string) =>
    findingsIn(readSpec(text(more))).filter(({ topic }) => topic === "gap-authentication").length;
  expect([
    gaps(""),
    gaps("## Assumptions\n- The existing login is reused\n"),
    gaps("## Clarifications\n- Q: How do people sign in? → A: ask Bob\n"),
  ]).toEqual([1, 0, 0]);
});
