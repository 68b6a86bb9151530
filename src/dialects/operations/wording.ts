import type { ErrorCode } from "../../core/errors.ts";
import type { EventOf, Origin, PlanStep, Question } from "../../core/events.ts";
import { shownName } from "../question.ts";
import { shownValue } from "./shown-value.ts";

// What an event says to a person who reads along. Nothing that a user wrote is repeated here: no prompt, no answer, no reason.

const LONGEST_VALUE = 80;
const LONGEST_ARGS = 200;

function shortened(text: string, longest: number): string {
  const points = text.length > longest ? [...text] : [];
  return points.length > longest ? `${points.slice(0, longest - 1).join("")}…` : text;
}

function brief(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return shortened(text.replace(/\s+/g, " "), LONGEST_VALUE);
}

function shownArgs(args: unknown): string {
  const shown = shownValue(args); // while a secret is whole, and as it is, not as JSON writes it
  if (typeof shown !== "object" || shown === null || Array.isArray(shown))
    return shown === undefined ? "" : brief(shown);
  const values = Object.entries(shown).map(([name, value]) => `${name}: ${brief(value)}`);
  return shortened(values.join(", "), LONGEST_ARGS);
}

export function toolCall({ tool, title, args }: EventOf<"tool.requested">): string {
  if (title) return title;
  const summary = shownArgs(args);
  return summary ? `${tool} (${summary})` : tool;
}

/** What ended by a user's word. */
const byUser: Partial<Record<ErrorCode, string>> = { denied: "denied", cancelled: "cancelled" };

type Failure = EventOf<"run.failed">["error"];

export function toolFailed(tool: string, { code, message }: Failure): string {
  return `${tool}: ${byUser[code] ?? `failed: ${message}`}`;
}

export function runFailed({ code, message }: Failure): string {
  const word = byUser[code];
  return word ? `The operation was ${word}.` : message;
}

const marks: Record<PlanStep["status"], string> = {
  pending: "[ ]",
  running: "[>]",
  done: "[x]",
  failed: "[!]",
  skipped: "[-]",
};

export function plan({ steps }: EventOf<"plan.updated">): string {
  return ["Plan:", ...steps.map(({ status, description }) => `${marks[status]} ${description}`)].join("\n");
}

/** A, B ... Z, AA, AB ... */
export function letter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letter(Math.floor(index / 26) - 1) + last;
}

function options(event: Question): string[] {
  if (event.kind === "confirm") return [event.confirmLabel ?? "Yes", event.cancelLabel ?? "No"];
  return (event.items ?? []).map(({ label, detail }) => (detail ? `${label} - ${detail}` : label));
}

/** What a yes would be said to: the diff, or else the arguments; of long ones the log has an excerpt. */
function subject({ diff, args, path, truncated }: Question): string {
  const excerpt = truncated ? " (an excerpt)" : "";
  if (diff) return `${path ? `Changes to ${path}` : "Changes"}${excerpt}:\n${diff}`;
  return args === undefined ? "" : `Arguments${excerpt}: ${JSON.stringify(shownValue(args))}`;
}

/** `question` is as it may be shown. */
export function ask(question: Question, name: string): string {
  const { title, message: text } = question;
  const lines = [`${name}: ${title}`];
  const choices = options(question).map((option, index) => `  ${letter(index)}) ${option}`);
  const more = text && text !== title ? [text] : [];
  // A question about a document says all in its title; its options follow, and then why it is asked.
  if (question.source && more.length > 0) lines.push(...choices, "", ...more);
  else lines.push(...more, ...choices);
  const about = subject(question);
  if (about) lines.push("", about);
  return lines.join("\n");
}

function who(by: Origin | undefined): string {
  return by ? ` by ${shownName(by)}` : "";
}

export function askClosed({ outcome, by }: EventOf<"ask.closed">, name: string): string {
  return `${name} ${outcome}${who(by)}.`;
}
