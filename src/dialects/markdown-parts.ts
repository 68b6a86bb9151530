import { approvalIn } from "../core/engine.ts";
import type { EventOf, PlanStep, Question } from "../core/events.ts";
import { plainText } from "../core/plain-text.ts";
import { fenced } from "./block.ts";
import { inlineCode, foreignLine as line } from "./markdown-text.ts";
import { shownName } from "./question.ts";

// The parts that the document of a log is made of.

export function code(text: string, language = ""): string {
  return fenced({
    kind: "code",
    text: plainText(text),
    at: 0,
    language: language.replace(/[^\w+#.-]/g, "").slice(0, 30),
  });
}

export function jsonBlock(value: unknown): string {
  return typeof value === "string" ? code(value, "text") : code(JSON.stringify(value, null, 2) ?? "", "json");
}

/** A result that repeats the output says so. */
export function resultBlock(result: unknown, output: string): string | undefined {
  if (result === undefined || result === "") return undefined;
  if (typeof result === "string") return result === output ? undefined : jsonBlock(result);
  if (typeof result !== "object" || result === null) return jsonBlock(result);
  const isOutput = (value: unknown) => typeof value === "string" && output !== "" && value.trim() === output.trim();
  const entries = Object.entries(result).filter(([, value]) => !isOutput(value));
  return jsonBlock(Array.isArray(result) ? result : Object.fromEntries(entries));
}

const signs: Record<PlanStep["status"], string> = {
  pending: "- [ ]",
  running: "- [ ] **now:**",
  done: "- [x]",
  failed: "- [ ] **failed:**",
  skipped: "- [ ] *skipped:*",
};

/** With its question: several may be open at once, and answered in any order. */
export function answered({ outcome, answer, by }: EventOf<"ask.closed">, question: Question | undefined): string {
  const asked = question ? ` ${line(question.title)}` : "";
  if (outcome !== "answered") return `**${outcome === "expired" ? "Expired" : "Withdrawn"}:**${asked || " a question"}`;
  const who = by ? ` by ${line(shownName(by))}` : "";
  return `**Answered${who}:**${asked && `${asked} →`} ${answerText(answer, question)}`;
}

function answerText(answer: unknown, question: Question | undefined): string {
  if (typeof answer !== "object" || answer === null) return "*not shown*";
  const { reason, remember, value, ids, text } = answer as {
    reason?: string;
    remember?: boolean;
    value?: unknown;
    ids?: string[];
    text?: string;
  };
  const approval = approvalIn(answer);
  if (approval !== undefined) {
    return `${approval ? "yes" : "no"}${remember ? ", and from now on" : ""}${reason ? `: ${line(reason)}` : ""}`;
  }
  if (text !== undefined) return inlineCode(text);
  if (ids)
    return ids.map((id) => line(question?.items?.find((item) => item.id === id)?.label ?? id)).join(", ") || "nothing";
  return typeof value === "string" ? inlineCode(value) : "*no answer given*";
}

/** All of it at first, then what is another than it was. */
export function planText(before: PlanStep[], steps: PlanStep[]): string {
  if (before.length === 0)
    return steps.map(({ description, status }) => `${signs[status]} ${line(description)}`).join("\n");
  const isSame = ({ stepId, description, status }: PlanStep) =>
    before.some((step) => step.stepId === stepId && step.description === description && step.status === status);
  const changed = steps
    .filter((step) => !isSame(step))
    .map(({ description, status }) => `${line(description)}: ${status}`);
  return changed.length > 0 ? `*Plan* · ${changed.join(" · ")}` : "";
}

/** How a run ended, and what it took. */
export function endingText(how: string, ms: number, usage: EventOf<"usage.updated"> | undefined): string {
  const seconds = Math.max(0, ms) / 1000;
  const parts = [how, `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`];
  if (usage) {
    parts.push(`${usage.input} tokens in, ${usage.output} out`);
    if (usage.cost !== undefined) parts.push(`cost ${usage.cost.toFixed(4)}`);
    if (usage.contextSize > 0) parts.push(`context ${Math.round((usage.contextUsed / usage.contextSize) * 100)}% used`);
  }
  return `*${parts.join(" · ")}*`;
}
