import type { RunResult } from "../../core/events.ts";
import type { Action, ActionEnd, Part } from "./action.ts";
import { code, count } from "./answer.ts";
import { work } from "./families.ts";
import type { Ending } from "./perform.ts";
import { nearestTo } from "./talk.ts";

/** How the request was understood, for whoever wonders about what follows. */
export function understanding(parts: Part[]): string {
  const lines = parts.map((part) => ("run" in part ? part.title : `not understood: ${brief(part.unknown)}`));
  return `I take this as ${lines.length} requests:\n${lines.map((line, index) => `${index + 1}. ${line}`).join("\n")}`;
}

/** What is said of one part. */
export function told(ending: Ending, alone: boolean): string {
  if ("end" in ending) return toldOfEnd(ending.part, ending.end, alone);
  if ("skipped" in ending) return notDone(ending.part.title, whySkipped(ending.skipped));
  const { unknown, hint } = ending.part;
  return alone ? notUnderstood(unknown, hint) : notDone(`"${brief(unknown)}"`, hint ?? CANNOT);
}

function toldOfEnd({ title, talk }: Action, end: ActionEnd, alone: boolean): string {
  if (end.outcome === "denied") return notDone(title, whyDenied(end.message));
  const heading = alone || talk ? "" : `**${title}**\n\n`;
  return heading + (end.outcome === "done" ? end.text : `This failed: ${forPeople(end.message)}`);
}

/** A reason is told as it was given; whoever said no is the one who reads this. */
function whyDenied(message: string): string {
  if (message === "The user said no.") return "You said no.";
  return /[.!?]$/.test(message) ? message : `The reason: ${message}`;
}

/** Tools speak to whoever calls them. A person is told what to say. */
function forPeople(message: string): string {
  return message
    .replace(/Use list or glob to find what there is\.$/, `${code("list files")} shows what there is.`)
    .replace(
      /^There is no (.+)\. Use write to make it\.$/s,
      (_, path) => `There is no ${path} here. ${code(`find ${nameOf(path)}`)} looks everywhere.`,
    );
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

const notDone = (what: string, why: string) => `**Not done:** ${what}. ${why}`;

function whySkipped(reason: Extract<Ending, { skipped: unknown }>["skipped"]): string {
  if (reason === "stopped") return "I stopped at the no before it.";
  if (reason === "unknown_before")
    return "It comes after something that I cannot do, and may have been meant to follow it.";
  return `It needs this, which was not done: ${reason.title}.`;
}

const CANNOT = `That is more than I can do. ${code("help")} lists what I can.`;

const notUnderstood = (unknown: string, hint: string | undefined) => hint ?? nearestTo(unknown, work);

const brief = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text).replace(/\s+/g, " ");

export function resultOf(endings: Ending[], text: string): RunResult {
  const actions = endings.flatMap((ending) =>
    "run" in ending.part ? [{ action: ending.part.name, outcome: outcomeOf(ending) }] : [],
  );
  return { text, description: describe(endings), ...(actions.length > 0 ? { data: { actions } } : {}) };
}

function outcomeOf(ending: Ending): string {
  return "end" in ending ? ending.end.outcome : "skipped";
}

function describe(endings: Ending[]): string {
  const [only] = endings;
  if (endings.length === 1 && only) return describeOne(only);
  const done = endings.filter((ending) => outcomeOf(ending) === "done").length;
  return done === endings.length
    ? `Did all ${count(done, "thing")}.`
    : `Did ${done} of ${count(endings.length, "thing")}.`;
}

function describeOne(ending: Ending): string {
  if (!("end" in ending)) return "The built-in engine did not understand this.";
  const { end, part } = ending;
  if (end.outcome === "done") return end.summary;
  return end.outcome === "failed" ? `${part.title}: failed.` : `${part.title}: not allowed.`;
}
