import { isRecorded, record } from "./clarifications.ts";
import { cleanAnswer } from "./clean-answer.ts";
import { Draft } from "./draft.ts";
import { editFor } from "./edits.ts";
import type { ClarifyQuestion } from "./questions.ts";

export interface Answered {
  question: ClarifyQuestion;
  /** The label of an option, or any words of the user's. */
  answer: string;
}

export interface Applied {
  content: string;
  /** The questions whose answers stand in the text, also from before. */
  applied: string[];
  /** The questions whose words are gone from the text: they stand under Clarifications only. */
  unplaced: string[];
}

/**
 * Writes each answer where its question comes from, and under Clarifications. Lines that no answer is about stay as they are,
 * byte for byte; what was written before is not written again.
 */
export function applyAnswers(text: string, answers: readonly Answered[], today: string): Applied {
  const draft = new Draft(text);
  const applied: string[] = [];
  const unplaced: string[] = [];
  const told: { question: string; answer: string }[] = [];
  for (const { question, answer } of answers) {
    const words = cleanAnswer(answer);
    if (!words) continue;
    const before = isRecorded(draft.spec, question.question, words);
    const placed =
      (before && question.finding.kind !== "marked") || editFor(question.finding.topic)(draft, question, words);
    (placed || before ? applied : unplaced).push(question.id);
    if (!before) told.push({ question: question.question, answer: words });
  }
  record(draft, told, today);
  return { content: draft.text, applied, unplaced };
}
