import type { EventOf } from "../../core/events.ts";
import { isoTime } from "../iso-time.ts";
import { shownQuestion } from "../question.ts";
import { envelope } from "./envelope.ts";
import type { DataOf, Message } from "./messages.ts";
import type { WireCall } from "./tool-calls.ts";

/** Asks a person. It is sent again until the client says that it has it. */
export function confirmation(sessionId: string, event: EventOf<"ask.opened">, call: WireCall): Message {
  const { askId, runId: run_id } = event;
  const shown = shownQuestion(event);
  const data: DataOf<"tool_call_confirmation"> = {
    call_id: call.callId,
    name: shown.tool ?? `ask_${shown.kind}`,
    args: shown.args ?? {},
    run_id,
    ask_id: askId,
    kind: shown.kind,
    executor: shown.kind === "tool" ? "client" : undefined,
    title: shown.title,
    message: shown.message,
    path: shown.path,
    diff: shown.diff,
    truncated: shown.truncated,
    danger: shown.danger,
    confirm_label: shown.confirmLabel,
    cancel_label: shown.cancelLabel,
    allow_remember: shown.allowRemember,
    allow_reason: shown.allowReason,
    default_value: shown.defaultValue,
    multiline: shown.multiline,
    secret: shown.secret,
    items: shown.items,
    multi: shown.multi,
    allow_text: shown.allowText,
    expires_at: isoTime(event.expiresAt),
  };
  return { ...envelope(sessionId, event, "tool_call_confirmation", data, call.correlationId), ack_required: true };
}

/** Asks a client to run a tool that it runs in our place. No person is asked. */
export function toBeRun(sessionId: string, event: EventOf<"ask.opened">, call: WireCall): Message {
  const { tool: name = "tool", args = {}, title, runId: run_id } = event;
  const data: DataOf<"tool_call_request"> = {
    call_id: call.callId,
    name,
    args,
    run_id,
    is_client_initiated: false,
    title,
    executor: "client",
  };
  return { ...envelope(sessionId, event, "tool_call_request", data, call.correlationId), ack_required: true };
}
