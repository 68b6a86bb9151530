import type { EventOf } from "../../core/events.ts";
import { isoTime } from "../iso-time.ts";
import { asksPerson, shownQuestion } from "../question.ts";
import type { DataOf } from "./messages.ts";
import { wireCall } from "./tool-names.ts";

/** What a person, or the plugin, is asked. A question that is about no tool has a name in its place. */
export function approvalOf(event: EventOf<"ask.opened">): DataOf<"tool.approval"> {
  const { askId, callId = askId } = event;
  const { kind, tool, args = {}, title, message: text, diff, truncated, danger, ...shown } = shownQuestion(event);
  const opened = { askId, requiresApproval: asksPerson(event), expiresAt: isoTime(event.expiresAt) };
  if (tool !== undefined) {
    const allowRemember = shown.allowRemember || undefined;
    const executor = kind === "tool" ? ("plugin" as const) : undefined;
    const about = { title, message: text, diff, truncated, danger, allowRemember, executor };
    return { callId, ...wireCall(tool, args), ...opened, ...about };
  }
  const { path, defaultValue, multiline, secret, items, multi, allowText, confirmLabel, cancelLabel } = shown;
  const asked = {
    title,
    message: text,
    path,
    defaultValue,
    multiline,
    secret,
    items,
    multi,
    allowText,
    confirmLabel,
    cancelLabel,
  };
  return { callId, toolName: `ask.${kind}`, args: asked, ...opened, diff, truncated, danger };
}
