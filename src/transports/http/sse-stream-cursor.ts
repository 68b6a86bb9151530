import { DragomanError } from "../../core/errors.ts";
import type { Cursor } from "../../dialects/view.ts";
import type { Exchange } from "./route.ts";

const ID = /^(\d{1,15})(?:\.(\d{1,9}))?$/;

/**
 * What the listener has had, as the id of an event says it; nothing is the beginning. Without a part behind the point it is the number of
 * the log, as other protocols have it, and means all of that event. The header goes before the query: a browser that
 * connects again adds it to the address that it was given first.
 */
export function cursorOf({ request, query }: Pick<Exchange, "request" | "query">): Cursor | undefined {
  const id = String(request.headers["last-event-id"] ?? query.get("lastEventId") ?? "");
  if (id === "") return undefined;
  const [, seq, k] = ID.exec(id) ?? [];
  if (seq === undefined) {
    const message =
      "The last event id is not one of this stream. Send one that it gave, such as 12.0, a number of the log, such as 12, or none.";
    throw new DragomanError("invalid_request", message);
  }
  return { seq: Number(seq), ...(k !== undefined && { k: Number(k) }) };
}

export function checkCursor(after: Cursor | undefined, lastSeq: number): void {
  if (!after || after.seq <= lastSeq) return;
  const message = `The log has ${lastSeq} events, and the last event id is of number ${after.seq}. Send none to begin anew.`;
  throw new DragomanError("invalid_request", message, { lastSeq });
}
