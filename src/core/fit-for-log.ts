import { createHash } from "node:crypto";
import { DragomanError } from "./errors.ts";
import type { NewEvent, NewEventOf } from "./events.ts";
import { derivedId } from "./ids.ts";
import type { Artifact } from "./store.ts";

/** An event holds about this much of any one thing; longer text is several deltas, anything else an artifact. */
export const LARGEST_INLINE = 64 * 1024;
const LARGEST_ARTIFACT = 50 * 1024 * 1024;

const EXCERPT = 2000;

const NONE: Artifact[] = [];

export interface Fitted {
  events: NewEvent[];
  artifacts: Artifact[];
}

/** Makes an event fit to be logged: every part of it is small, what was large is an artifact that it names. */
export function fitForLog(event: NewEvent): Fitted {
  if (!isLarge(event)) return { events: [event], artifacts: NONE };
  const { events, artifacts } = spillLarge(event);
  return { events: events.map(shortened), artifacts };
}

function spillLarge(event: NewEvent): Fitted {
  const asIs = { events: [event], artifacts: [] };
  switch (event.type) {
    case "thinking.delta":
    case "text.delta":
    case "tool.output":
      return event.text.length <= LARGEST_INLINE ? asIs : { events: inParts(event), artifacts: [] };
    case "run.queued":
    case "run.started": {
      if (!isLarge(event.input)) return asIs;
      const { artifact, created } = spill(event.runId, "input", event.input);
      const { text, action } = event.input;
      const input = { text: excerpt(text), action, artifactId: artifact.artifactId };
      // A queued run starts later, and its artifact is told of then.
      const told: NewEvent[] = event.type === "run.started" ? [created] : [];
      return { events: [{ ...event, input }, ...told], artifacts: [artifact] };
    }
    case "run.completed": {
      if (!isLarge(event.result)) return asIs;
      const { artifact, created } = spill(event.runId, "result", event.result);
      const { text, description, data } = event.result;
      // Mostly it is the code that is large; what is told beside it is told all the same.
      const beside = data && !isLarge(data, LARGEST_INLINE / 2) ? { data } : {};
      const result = { text: excerpt(text), description, ...beside, artifactId: artifact.artifactId };
      return { events: [created, { ...event, result }], artifacts: [artifact] };
    }
    case "tool.requested":
      return spillFields(event, event.callId, ["args"]);
    case "tool.finished":
      return spillFields(event, event.callId, ["result", "diff"]);
    case "ask.opened":
      return spillFields(event, event.askId, ["args", "diff"]);
    case "ask.closed":
      return spillFields(event, event.askId, ["answer"]);
    default:
      return asIs;
  }
}

type Spillable = NewEventOf<"tool.requested" | "tool.finished" | "ask.opened" | "ask.closed">;

/** Puts large fields aside; an excerpt and the artifact's id stay in their place. */
function spillFields(event: Spillable, owner: string, fields: ("args" | "result" | "diff" | "answer")[]): Fitted {
  const limit = isLarge(event, 2 * LARGEST_INLINE) ? EXCERPT : LARGEST_INLINE; // each may be small, and all of them too much
  const artifacts: Artifact[] = [];
  const before: NewEvent[] = [];
  const small: Record<string, unknown> = {};
  for (const field of fields) {
    const value = (event as Record<string, unknown>)[field];
    if (!isLarge(value, limit)) continue;
    const { artifact, created } = spill(event.runId, `${field} of ${owner}`, value);
    artifacts.push(artifact);
    before.push(created);
    const start = excerpt(typeof value === "string" ? value : JSON.stringify(value));
    small[field] = field === "diff" ? start : { artifactId: artifact.artifactId, excerpt: start };
    if (event.type === "ask.opened") small.truncated = true;
  }
  return { events: [...before, { ...event, ...small } as NewEvent], artifacts };
}

/** Titles, descriptions and lists are for people, who do not read this much of them. */
const LONGEST_STRING = 1000;
const LONGEST_LIST = 50;

/** What decides what is allowed, and who does it: a list of denials that was cut would allow the rest. */
const whole = ["rules", "clientTools"] as const;
const LARGEST_WHOLE = 4 * LARGEST_INLINE;

/** Whatever else is large in an event is cut. */
function shortened(event: NewEvent): NewEvent {
  if (!isLarge(event, 2 * LARGEST_INLINE)) return event;
  const kept = Object.fromEntries(whole.flatMap((key) => (key in event ? [[key, event[key as keyof NewEvent]]] : [])));
  if (isLarge(kept, LARGEST_WHOLE)) {
    throw new DragomanError("too_large", "There are too many rules, or tools of the client, to be kept. Give fewer.");
  }
  return { ...(cutAll(event) as NewEvent), ...kept };
}

function cutAll(value: unknown): unknown {
  if (typeof value === "string") return value.length <= LONGEST_STRING ? value : `${cut(value, LONGEST_STRING)} ...`;
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map(cutAll);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, LONGEST_LIST)
      .map(([key, item]) => [key, key === "requestId" ? item : cutAll(item)]), // which must come back as it was
  );
}

function spill(runId: string, name: string, value: unknown): { artifact: Artifact; created: NewEvent } {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const bytes = Buffer.from(text);
  if (bytes.length > LARGEST_ARTIFACT) {
    const size = Math.ceil(bytes.length / 1024 / 1024);
    throw new DragomanError("too_large", `The ${name} has ${size} MB; the most that is taken is 50 MB.`);
  }
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const artifactId = derivedId(runId, `${name} ${sha256}`);
  const kind = typeof value === "string" ? "text" : "json";
  const created = { type: "artifact.created" as const, runId, artifactId, kind, name, bytes: bytes.length, sha256 };
  return { artifact: { artifactId, bytes }, created };
}

function inParts(event: NewEventOf<"thinking.delta" | "text.delta" | "tool.output">): NewEvent[] {
  const parts: NewEvent[] = [];
  for (let from = 0; from < event.text.length; ) {
    const text = cut(event.text.slice(from, from + LARGEST_INLINE), LARGEST_INLINE);
    parts.push({ ...event, text });
    from += text.length;
  }
  return parts;
}

/** At most `length` characters, not ending inside of a surrogate pair. */
export function cut(text: string, length: number): string {
  const last = text.charCodeAt(Math.min(length, text.length) - 1);
  const split = text.length >= length && last >= 0xd800 && last <= 0xdbff && length > 1;
  return text.slice(0, split ? length - 1 : length);
}

const excerpt = (text: string) => (text.length <= EXCERPT ? text : `${cut(text, EXCERPT)} ...`);

function isLarge(value: unknown, limit = LARGEST_INLINE): boolean {
  return sizeOf(value, limit) > limit;
}

/** About how much JSON a value is, without making it; stops counting once it is more than `enough`. */
export function sizeOf(value: unknown, enough = Number.POSITIVE_INFINITY): number {
  if (typeof value === "string") return value.length + 2;
  if (value === null || typeof value !== "object") return 8;
  let size = 2;
  for (const key in value) {
    size += key.length + 4 + sizeOf((value as Record<string, unknown>)[key], enough - size);
    if (size > enough) break;
  }
  return size;
}
