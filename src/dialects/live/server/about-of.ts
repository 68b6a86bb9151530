import type { About } from "./speaker.ts";

/** What is longer is no id, and is not given back. */
const LONGEST_ID = 200;

/** Which session and message an error is about, as far as it can be told of a message that may be no good. */
export function aboutOf(value: unknown): About {
  if (typeof value !== "object" || value === null) return {};
  const { session_id, correlation_id } = value as Record<string, unknown>;
  const correlationId = typeof correlation_id === "number" ? String(correlation_id) : correlation_id;
  return { sessionId: idOf(session_id), correlationId: idOf(correlationId) };
}

function idOf(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= LONGEST_ID ? value : undefined;
}
