import { describe, expect, test } from "vitest";
import { readSpec } from "../spec-document.ts";
import { editExamples } from "./edit-examples.ts";
import { edits } from "./edits.ts";
import { applyAnswers, type ClarifyQuestion, findingsIn, questionsFor } from "./index.ts";

const TODAY = "2025-06-01";
const RECORD = "#+ Clarifications\\n\\n#+ Session 2025-06-01\\n\\n- Q: [^\\n]+ → A: [^\\n]+\\n";
const RECORDED = new RegExp(`^${RECORD}\\n|\\n${RECORD}`);

/** The question about that topic, also where others come before it. */
function questionAbout(text: string, topic: string): ClarifyQuestion {
  const spec = readSpec(text);
  const [question] = questionsFor(
    spec,
    findingsIn(spec).filter((one) => one.topic?.startsWith(topic)),
  );
  if (!question) throw new Error(`nothing is asked about ${topic}`);
  return question;
}

/** The document with the answer in it, without the record of it, which must stand there once. */
function edited(text: string, topic: string, answer: string): string {
  const question = questionAbout(text, topic);
  const { content, applied } = applyAnswers(text, [{ question, answer }], TODAY);
  expect(applied).toEqual([question.id]);
  expect(content.split(RECORDED).length).toBe(2);
  return content.replace(RECORDED, "");
}

describe("an answer changes what it is about, and nothing else", () => {
  test.each(editExamples)("%s: %j, %s", (topic, text, answer, expected) => {
    expect(edited(text, topic, answer)).toBe(expected);
  });

  test("on each of the ways in which an answer can be written", () => {
    expect([...new Set(editExamples.map(([topic]) => topic.split("-")[0]))].sort()).toEqual(Object.keys(edits).sort());
  });

  test("behind a byte order mark, which stays", () => {
    expect(edited("\uFEFFSearch MUST be fast and users can print.\n", "vague", "1 second")).toBe(
      "\uFEFFSearch MUST be fast (1 second) and users can print.\n",
    );
  });

  test("also where only one sentence of a paragraph lost", () => {
    const said = (last: string) =>
      `# T\n\n## Requirements\n\nThe app MUST work offline.\n\nUsers can print. ${last} Bills are kept.\n`;
    const lost = "The app requires an internet connection.";
    expect(edited(said(lost), "opposite", "The app MUST work offline.")).toBe(said(`~~${lost}~~`));
  });
});
