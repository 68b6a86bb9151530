import type { EventOf, Question } from "../../core/events.ts";
import { shownQuestion } from "../question.ts";
import type { AgentEvent, Message } from "./messages.ts";
import type { Profile } from "./profile.ts";

/** Of which run and session, and where in the log. */
interface Placed {
  run_id: string;
  session_id: string;
  log_seq: number;
}

/** What the UI is asked, if it can be. */
export function request(profile: Profile, place: Placed, opened: EventOf<"ask.opened">): Message[] {
  const { askId: id } = opened;
  const event = shownQuestion(opened);
  const { title, message: text } = event;
  if (event.kind === "confirm" && profile.supports_confirm) {
    const params = {
      ...place,
      title,
      message: profile.supports_permission_preflight_events ? text : withDiff(event),
      confirm_label: event.confirmLabel,
      cancel_label: event.cancelLabel,
      danger_level: event.danger ? ("danger" as const) : undefined,
      allow_remember: event.allowRemember,
      allow_reason: event.allowReason,
    };
    return [{ jsonrpc: "2.0", id, method: "ui.confirm.request", params }];
  }
  if (event.kind === "prompt" && profile.supports_prompt) {
    const { defaultValue: default_value, multiline, secret } = event;
    const params = { ...place, title, message: text, default_value, multiline, secret };
    return [{ jsonrpc: "2.0", id, method: "ui.prompt.request", params }];
  }
  if (event.kind === "pick" && profile.supports_pick) {
    const params = {
      ...place,
      title: text ? `${title}: ${text}` : title,
      items: event.items ?? [],
      multi: event.multi,
      allow_text: event.allowText,
    };
    return [{ jsonrpc: "2.0", id, method: "ui.pick.request", params }];
  }
  return []; // someone else has to answer it
}

const LONGEST_DIFF = 4000;

/** A UI that draws no previews must still show what is agreed to. */
function withDiff({ message: text, diff }: Question): string {
  if (!diff) return text;
  const cut =
    diff.length > LONGEST_DIFF
      ? `${diff.slice(0, LONGEST_DIFF)}\n… ${diff.length - LONGEST_DIFF} more characters`
      : diff;
  return text ? `${text}\n\n${cut}` : cut;
}

/** The diff first, then that it is ready to be decided on. */
export function preflight(profile: Profile, event: EventOf<"ask.opened">): AgentEvent[] {
  const { tool, callId: tool_call_id, path: file_path, diff, title: summary, truncated } = shownQuestion(event);
  if (!tool || !profile.supports_permission_preflight_events) return [];
  const preview: AgentEvent[] = diff
    ? [{ type: "permission.preview", tool, tool_call_id, file_path, diff, summary, truncated }]
    : [];
  return [...preview, { type: "permission.ready", tool, tool_call_id }];
}
