import type { Clarified, Statement } from "./spec-document.ts";

const ARROW = /\s*(?:→|->|=>|⇒)\s*A(?:nswer)?:\s*/;
const ANSWER = /\s*\bA(?:nswer)?:\s*/;

/** What was asked and answered before: `- Q: … → A: …` under Clarifications, the answer also as an item of its own. */
export function clarifiedIn(statements: readonly Statement[]): Clarified[] {
  const clarified: Clarified[] = [];
  for (const { role, block, text, line } of statements) {
    if (role !== "clarifications" || block.kind === "heading") continue;
    const session = /\d{4}-\d\d-\d\d/.exec(block.section.title)?.[0];
    const asked = /^\W{0,3}Q(?:uestion)?\s*\d{0,2}:\s*/.exec(text);
    const rest = text.slice(asked?.[0].length ?? 0);
    const arrow = ARROW.exec(rest) ?? ANSWER.exec(rest);
    const last = clarified.at(-1);
    if (asked || (arrow && arrow.index > 0)) {
      const question = arrow ? rest.slice(0, arrow.index) : rest;
      const answer = arrow ? rest.slice(arrow.index + arrow[0].length) : "";
      clarified.push({ text, line, question: question.trim(), answer: answer.trim(), session });
    } else if (last && !last.answer) last.answer = rest.replace(ANSWER, "").trim();
    else clarified.push({ text, line, question: "", answer: text, session });
  }
  return clarified;
}
