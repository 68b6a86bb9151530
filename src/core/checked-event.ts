import * as z from "zod";
import type { Emitted } from "./engine.ts";
import { DragomanError } from "./errors.ts";
import { eventSchemas, type NewEvent } from "./events.ts";

const emittable: Record<Emitted["type"], true> = {
  "step.started": true,
  "step.finished": true,
  "thinking.delta": true,
  "text.delta": true,
  "tool.requested": true,
  "tool.output": true,
  "tool.finished": true,
  "plan.updated": true,
  "usage.updated": true,
  "context.compacted": true,
  "artifact.created": true,
  note: true,
};

/** With the type in it, and first, so that what is parsed is the event. */
const schemas = Object.fromEntries(
  (Object.keys(emittable) as Emitted["type"][]).map((type) => [
    type,
    z.object({ type: z.literal(type), ...eventSchemas[type].shape }),
  ]),
) as unknown as Record<Emitted["type"], z.ZodType>;

/**
 * What an engine says, as an event of its run. Every reader of the log relies on what the schema promises, so an engine that says
 * something else is stopped here.
 */
export function checkedEvent(said: Emitted, runId: string): NewEvent {
  const { type } = said;
  if (!Object.hasOwn(emittable, type))
    throw new DragomanError("engine_failed", `An engine cannot say ${String(type)}.`);
  if (isSoundDelta(said)) return Object.assign({ type, runId }, said) as NewEvent;
  const parsed = schemas[type].safeParse({ ...said, runId });
  if (parsed.success) return parsed.data as NewEvent;
  throw new DragomanError("engine_failed", `The engine said a ${type} that is none: ${z.prettifyError(parsed.error)}`);
}

/** Deltas are most of what is said, and simple: they are looked at by hand. One that has more fields than it should is parsed. */
function isSoundDelta(said: Emitted): boolean {
  if (said.type === "thinking.delta") return typeof said.text === "string" && Object.keys(said).length === 2;
  if (said.type !== "text.delta") return false;
  return (
    typeof said.text === "string" && (said.of === "answer" || said.of === "code") && Object.keys(said).length === 3
  );
}
