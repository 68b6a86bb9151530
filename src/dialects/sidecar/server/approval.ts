import type * as z from "zod";
import { DragomanError } from "../../../core/errors.ts";
import type { EventOf } from "../../../core/events.ts";
import { findLast } from "../../../core/landmarks.ts";
import type { Store } from "../../../core/store.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import type { calls } from "../calls.ts";

export type Approval = z.output<(typeof calls)["session.approve"]["params"]>;

/** The ask that is meant, by its own id or that of its call, and what the answer to it is. Only core knows whether it is open. */
export async function answerTo(
  store: Store,
  summary: SessionSummary,
  given: Approval,
): Promise<{ askId: string; answer: unknown }> {
  const ask = await meant(store, summary, given);
  if (!ask) {
    const which = given.askId === undefined ? `about the call ${given.callId}` : given.askId;
    const advice = "The session's stream names each in a tool.approval.";
    throw new DragomanError("ask_not_found", `There is no ask ${which} in this session. ${advice}`);
  }
  return { askId: ask.askId, answer: answerOf(ask, given) };
}

async function meant(
  store: Store,
  { sessionId, asks }: SessionSummary,
  { askId, callId }: Approval,
): Promise<EventOf<"ask.opened"> | undefined> {
  const fits = (ask: EventOf<"ask.opened">) =>
    (askId === undefined || ask.askId === askId) && (callId === undefined || (ask.callId ?? ask.askId) === callId);
  for (const { seq } of asks) {
    const [ask] = await store.read(sessionId, { after: seq - 1, limit: 1 });
    if (ask?.type === "ask.opened" && fits(ask)) return ask;
  }
  return findLast(store, sessionId, "ask.opened", fits); // one that is closed, and says so
}

function answerOf({ kind, title, allowText }: EventOf<"ask.opened">, given: Approval): unknown {
  const { approved, remember, reason, value, ids } = given;
  switch (kind) {
    case "confirm":
      return { ok: approved, remember, reason };
    case "prompt":
      if (approved && typeof value !== "string") throw missing(title, "a text", "value");
      return { value: approved ? value : null };
    case "pick":
      if (!approved) return { ids: [] };
      if (allowText && typeof value === "string") return { ids: ids ?? [], text: value };
      if (!ids) throw missing(title, "a choice", allowText ? "ids, or your own words as value" : "ids");
      return { ids };
    case "tool": {
      const message = "Only the plugin that executes the tool answers this, by its reply to the callback.";
      throw new DragomanError("forbidden", message);
    }
  }
}

function missing(title: string, what: string, field: string): DragomanError {
  return new DragomanError("invalid_params", `${JSON.stringify(title)} asks for ${what}: give it as ${field}.`);
}
