import { DragomanError, type ErrorCode } from "../core/errors.ts";

const tooLarge =
  /context (?:length|window)|maximum context|too many tokens|prompt is too long|context_length_exceeded/i;

/** What a model's server answered with, as the failure of a run. */
export function modelFailure(agent: string, message: string, status?: number): DragomanError {
  const code = codeOf(message, status);
  const data = status === undefined ? undefined : { status };
  return new DragomanError(
    code,
    `${agent}: ${message.trim() || "the model gave no answer"}${advice[code] ?? ""}`,
    data,
  );
}

function codeOf(message: string, status: number | undefined): ErrorCode {
  if (status === 401 || status === 403) return "engine_auth";
  if (status === 429) return "rate_limited";
  if (status === 413 || tooLarge.test(message)) return "context_too_large";
  return "engine_failed";
}

const advice: Partial<Record<ErrorCode, string>> = {
  engine_auth: " — `dragoman agents` says how to log in.",
  rate_limited: " — wait a little, or choose another model.",
  context_too_large: " — start a new session, or ask for less at once.",
};

/** Some give what the model's server said as it came: its words are in there, and may be in a text in there again. */
export function plainError(text: string): string {
  const inner = text.slice(Math.max(0, text.indexOf("{")));
  try {
    const told: unknown = JSON.parse(inner);
    const message = messageIn(told);
    return message === undefined ? text : plainError(message);
  } catch {
    return text;
  }
}

function messageIn(told: unknown): string | undefined {
  if (typeof told !== "object" || told === null) return undefined;
  const { error, message } = told as Record<string, unknown>;
  if (typeof message === "string") return message;
  return typeof error === "string" ? error : messageIn(error);
}
