import { DragomanError } from "../../../core/errors.ts";
import type { EventOf } from "../../../core/events.ts";
import { findLast } from "../../../core/landmarks.ts";
import type { Store } from "../../../core/store.ts";
import type { SessionSummary } from "../../../core/summary.ts";

type Ask = EventOf<"ask.opened">;

/** A yes or no. */
export interface Decision {
  approved: boolean;
  remember?: boolean;
  reason?: string;
}

/** The ask that a client means, and by which id: its own or that of its call, or the client's own id of the tool's call that it is about. */
export interface Meant {
  ask: Ask;
  by: "its own id" | "the client's id";
}

/**
 * A client's id is chosen by whoever calls, so it never stands before an id of ours, be that of an ask that is closed. Of several asks the
 * open one is meant; one that is closed says so when it is answered.
 */
export async function askMeant(store: Store, summary: SessionSummary, id: string): Promise<Meant | undefined> {
  const { sessionId, asks } = summary;
  const open: Ask[] = [];
  for (const { seq } of asks) {
    const [ask] = await store.read(sessionId, { after: seq - 1, limit: 1 });
    if (ask?.type === "ask.opened") open.push(ask);
  }
  const latest = async (fits: (ask: Ask) => boolean) => {
    const [one, ...others] = open.filter(fits);
    if (others.length > 0) throw severalQuestions(id);
    return one ?? (await findLast(store, sessionId, "ask.opened", fits));
  };
  const own = await latest((ask) => ask.askId === id || ask.callId === id);
  if (own) return { ask: own, by: "its own id" };
  // What an agent's command asks carries ids of its own: nobody who names the command has seen which question it is.
  const isOfTool = ({ kind, by }: EventOf<"run.started">) => kind === "tool" && by.call?.id === id;
  const started = await findLast(store, sessionId, "run.started", isOfTool);
  const ofCall = started && (await latest((ask) => ask.runId === started.runId && ask.callId !== undefined));
  return ofCall && { ask: ofCall, by: "the client's id" };
}

export function noSuchAsk(callId: string): DragomanError {
  const advice = "Each is named in a tool_call_confirmation, and in open_confirmations of the session_state.";
  return new DragomanError("ask_not_found", `There is no question about ${JSON.stringify(callId)}. ${advice}`);
}

function severalQuestions(callId: string): DragomanError {
  const text = `Several questions about ${JSON.stringify(callId)} are open. Name the one you mean by its ask_id.`;
  return new DragomanError("invalid_params", text);
}

export function severalSuchAsks(callId: string): DragomanError {
  const text = `Several sessions that you follow have a question about ${JSON.stringify(callId)}. Name the session_id.`;
  return new DragomanError("invalid_params", text, { error_code: "MISSING_REQUIRED_FIELD", field: "session_id" });
}

export function decisionAnswer({ kind, title }: Ask, { approved, remember, reason }: Decision): unknown {
  if (kind === "confirm") return { ok: approved, remember, reason };
  if (approved) throw needsMore(kind, title);
  if (kind === "prompt") return { value: null };
  if (kind === "pick") return { ids: [] };
  return { success: false, denied: true, error: "Denied.", userMessage: reason };
}

function needsMore(kind: Ask["kind"], title: string): DragomanError {
  if (kind === "tool") {
    const message = "The client that runs the tool agrees by running it: its tool_call_response is the answer.";
    return new DragomanError("forbidden", message);
  }
  const how = "Send it as the content of a user_input with this call_id and the input_type command_parameters.";
  return new DragomanError("invalid_params", `${JSON.stringify(title)} wants more than a yes. ${how}`);
}

/** Of a question that takes words or a choice. */
export function wordsAnswer({ kind, items = [], allowText }: Ask, content: string, ids?: string[]): unknown {
  if (kind === "prompt") return { value: content };
  if (kind !== "pick") throw new DragomanError("invalid_params", YES_OR_NO);
  if (ids) return { ids };
  const picked = items.find((item) => item.id === content) ?? items.find((item) => item.label === content);
  if (picked) return { ids: [picked.id] };
  return allowText ? { ids: [], text: content } : { ids: [content] }; // core says what there is to choose from
}

const YES_OR_NO =
  'This question takes a yes or a no: a user_input with the input_type operation_confirmation and the content "approve" or "deny", or a tool_approval.';

/** Of a client that was asked to run a tool. */
export function toolAnswer({ result, error }: { result?: unknown; error?: unknown }): unknown {
  if (error === undefined || error === null) return { success: true, result };
  const message = errorText(error);
  const isDenied = typeof error === "object" && "error_code" in error && error.error_code === "PERMISSION_DENIED";
  if (isDenied) return { success: false, denied: true, error: message, userMessage: message };
  return { success: false, error: message };
}

function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  const hasText = typeof error === "object" && error !== null && "message" in error;
  return hasText && typeof error.message === "string" ? error.message : JSON.stringify(error);
}
