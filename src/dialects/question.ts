import { nameOf } from "../core/event-facts.ts";
import type { EventOf, Origin, Question } from "../core/events.ts";
import { plainText, plainValue } from "../core/plain-text.ts";

/**
 * What a person is asked, as it may be shown: no escape, no change of direction and nothing invisible reaches an approval prompt.
 * The arguments of a `tool` ask are for a program, and stay as they are.
 */
export function shownQuestion(event: EventOf<"ask.opened">): Question {
  const plain = (text: string | undefined) => (text === undefined ? undefined : plainText(text));
  const { kind, callId, danger, allowRemember, allowReason, multiline, secret, multi, allowText, items, source } =
    event;
  return {
    kind,
    title: plainText(event.title),
    message: plainText(event.message),
    callId,
    tool: plain(event.tool),
    args: kind === "tool" ? event.args : plainValue(event.args),
    path: plain(event.path),
    source: source && { path: plainText(source.path), line: source.line, quote: plain(source.quote) },
    diff: plain(event.diff),
    truncated: event.truncated,
    needsApproval: event.needsApproval,
    danger,
    confirmLabel: plain(event.confirmLabel),
    cancelLabel: plain(event.cancelLabel),
    allowRemember,
    allowReason,
    defaultValue: plain(event.defaultValue),
    multiline,
    secret,
    items: items?.map(({ id, label, detail }) => ({ id, label: plainText(label), detail: plain(detail) })),
    multi,
    allowText,
  };
}

/** Who did it, in a name that a client gave itself. */
export function shownName(by: Origin): string {
  return plainText(nameOf(by));
}

/** Whether a person has to say something: a tool that a client runs for us asks nobody, unless it is told to. */
export function asksPerson({ kind, needsApproval }: Pick<Question, "kind" | "needsApproval">): boolean {
  return kind !== "tool" || needsApproval === true;
}
