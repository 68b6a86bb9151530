import { DragomanError } from "../core/errors.ts";
import type { Event } from "../core/events.ts";
import type { Draft } from "../core/store.ts";

/**
 * The JSON of a draft without its place, which `place` puts in front. Stores keep this text, so that what an append returns,
 * what a read returns and what comes back after a restart are one and the same.
 */
export function draftText(draft: Draft): string {
  const { at } = draft;
  if (!Number.isFinite(at)) throw new DragomanError("invalid_params", `an event's time must be a number, not ${at}`);
  if (!("seq" in draft)) {
    // As the journal makes them: the time comes first, and is cut off, which costs less than a copy without it.
    const json = JSON.stringify(draft);
    const start = `{"at":${at},`;
    if (json.startsWith(start)) return json.slice(start.length);
  }
  const { at: _, seq: __, ...rest } = draft as Draft & { seq?: number };
  return JSON.stringify(rest).slice(1);
}

export function place(seq: number, at: number, text: string): string {
  return `{"seq":${seq},"at":${at},${text}`;
}

export function parseEvents(bodies: string[]): Event[] {
  return JSON.parse(`[${bodies.join(",")}]`);
}
