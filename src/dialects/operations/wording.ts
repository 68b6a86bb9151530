import { type EventOf, nameOf, type Origin, type PlanStep, type RunResult } from "../../core/events.ts";

// What an event says to a person who reads along. Prompts and answers are not repeated here.

const LONGEST_VALUE = 80;
const LONGEST_SUMMARY = 200;

function shortened(text: string, longest: number): string {
  const points = text.length > longest ? [...text] : [];
  return points.length > longest ? `${points.slice(0, longest - 1).join("")}…` : text;
}

function shownValue(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return shortened(text.replace(/\s+/g, " "), LONGEST_VALUE);
}

function shownArgs(args: unknown): string {
  if (typeof args !== "object" || args === null || Array.isArray(args))
    return args === undefined ? "" : shownValue(args);
  const values = Object.entries(args).map(([name, value]) => `${name}: ${shownValue(value)}`);
  return shortened(values.join(", "), LONGEST_SUMMARY);
}

export function toolCall({ tool, title, args }: EventOf<"tool.requested">): string {
  if (title) return title;
  const summary = shownArgs(args);
  return summary ? `${tool} (${summary})` : tool;
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
function letter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letter(Math.floor(index / 26) - 1) + last;
}

function options(event: EventOf<"ask.opened">): string[] {
  if (event.kind === "confirm") return [event.confirmLabel ?? "Yes", event.cancelLabel ?? "No"];
  return (event.items ?? []).map(({ label, detail }) => (detail ? `${label} - ${detail}` : label));
}

/** All that a yes would be said to, whole: the diff, or else the arguments. */
function subject({ diff, args, path }: EventOf<"ask.opened">): string {
  if (diff) return `${path ? `Changes to ${path}` : "Changes"}:\n${diff}`;
  return args === undefined ? "" : `Arguments: ${JSON.stringify(args)}`;
}

export function ask(event: EventOf<"ask.opened">, name: string): string {
  const { title, message: text } = event;
  const lines = [`${name}: ${title}`];
  if (text && text !== title) lines.push(text);
  lines.push(...options(event).map((option, index) => `  ${letter(index)}) ${option}`));
  const about = subject(event);
  if (about) lines.push("", about);
  return lines.join("\n");
}

function who(by: Origin | undefined): string {
  return by ? ` by ${nameOf(by)}` : "";
}

export function askClosed({ outcome, by }: EventOf<"ask.closed">, name: string): string {
  return `${name} ${outcome}${who(by)}.`;
}

export function summary({ description, text }: RunResult): string {
  if (description) return description;
  const firstLine = text.split("\n", 100).find((line) => line.trim() !== "");
  return shortened(firstLine ?? "Operation complete.", LONGEST_SUMMARY);
}
