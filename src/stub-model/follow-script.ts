import type { Answer, Part } from "./answer.ts";
import { callFor } from "./choose-tool.ts";
import { type Entry, type ModelRequest, plainWords, wasAnswered } from "./conversation.ts";
import type { Failures } from "./failures.ts";
import { fillSchema } from "./fill-schema.ts";
import { isToolStep, type Step, stepsOf } from "./script.ts";

const GREETING = "Hello from the stub model.";
const TITLE = "A stub conversation";
const LONGEST_ECHO = 1000;
const LONGEST_QUOTE = 200;

/** What the model answers: the steps of the script up to the next call of a tool, from where the results say that it is. */
export function answerTo(request: ModelRequest, failures: Failures): Answer {
  const { entries, tools, schema } = request;
  if (schema) return said(JSON.stringify(fillSchema(schema)));
  if (tools.length === 0 && asksForTitle(entries)) return said(TITLE);
  const at = entries.findLastIndex(({ role, text }) => role === "user" && stepsOf(text).length > 0);
  const script = entries[at];
  if (!script || wasAnswered(entries, at)) return said(echoOf(entries));
  const results = entries.slice(at + 1).filter(({ role }) => role === "result");
  const steps = stepsOf(script.text);
  const { from, to } = segment(steps, results.length);
  for (const [i, step] of steps.slice(from, to).entries()) {
    if (step.kind !== "fail") continue;
    const { status, message, times } = step;
    const isDue = times === undefined || failures.isDue(entries.slice(0, at + 1), from + i, times);
    if (isDue) return { status, message };
  }
  const parts = partsOf(steps.slice(from, to), request, at);
  const isOver = parts.some(({ kind }) => kind === "say" || kind === "call" || kind === "cut");
  return isOver ? { parts } : { parts: [...parts, { kind: "say", text: closingWords(results) }] };
}

const said = (text: string): Answer => ({ parts: [{ kind: "say", text }] });

/** The steps that follow on so many calls, up to and with the next one. */
function segment(steps: Step[], calls: number): { from: number; to: number } {
  const ends = steps.flatMap((step, i) => (isToolStep(step) ? [i + 1] : []));
  const from = calls === 0 ? 0 : (ends[calls - 1] ?? steps.length);
  return { from, to: ends[calls] ?? steps.length };
}

function partsOf(steps: Step[], { entries, tools }: ModelRequest, at: number): Part[] {
  const parts: Part[] = [];
  /** Two texts of one answer are two lines of it. */
  const tell = (kind: "say" | "think", text: string) => {
    const isFirst = !parts.some((part) => part.kind === kind);
    parts.push({ kind, text: isFirst ? text : `\n${text}` });
  };
  for (const step of steps) {
    if (step.kind === "say" || step.kind === "think") tell(step.kind, step.text);
    else if (step.kind === "recall") tell("say", recalled(entries.slice(0, at)));
    else if (step.kind === "wait" || step.kind === "cut") parts.push(step);
    else if (step.kind === "wrong") {
      tell("say", `This script cannot be followed: ${step.problem}.`);
      return parts; // what comes behind it may have relied on it
    } else if (isToolStep(step)) {
      const call = callFor(step, tools);
      if ("problem" in call) tell("say", `This script cannot be followed: ${call.problem}`);
      else parts.push({ kind: "call", call });
    }
  }
  return parts;
}

function recalled(entries: Entry[]): string {
  const words = entries.filter(({ role }) => role === "user").map(({ text }) => plainWords(text));
  const lines = words.filter((text) => text !== "").map((text, i) => `${i + 1}. ${text}`);
  return lines.length === 0 ? "You said nothing before." : ["You said before:", ...lines].join("\n");
}

function closingWords(results: Entry[]): string {
  const last = results.at(-1);
  if (!last) return GREETING;
  const text = last.text.trim();
  return `The tool said: ${text === "" ? "nothing" : text.slice(0, LONGEST_QUOTE)}`;
}

function echoOf(entries: Entry[]): string {
  const words = entries
    .filter(({ role }) => role === "user")
    .map(({ text }) => plainWords(text))
    .filter((text) => text !== "");
  const last = words.at(-1);
  return last === undefined ? GREETING : `You said: ${last.slice(0, LONGEST_ECHO)}`;
}

const namingWords = /\btitle generator\b|\b(?:generate|write|create|make|give)\b[^.\n]{0,40}\btitle\b/i;

/** Agents have conversations named by requests of their own, in which the user's words stand, script and all. */
function asksForTitle(entries: Entry[]): boolean {
  return entries.some(({ role, text }) => {
    const isAgents = role === "system" || (role === "user" && stepsOf(text).length === 0);
    return isAgents && namingWords.test(text);
  });
}
