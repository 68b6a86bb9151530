import { answerHandlers } from "./answer-handlers.ts";
import { connectionHandlers } from "./connection-handlers.ts";
import type { Desk, Handlers } from "./desk.ts";
import { runHandlers } from "./run-handlers.ts";
import { sessionHandlers } from "./session-handlers.ts";

/** One function for each type of message. */
export function handlersOf(desk: Desk): Handlers {
  return { ...connectionHandlers(desk), ...sessionHandlers(desk), ...runHandlers(desk), ...answerHandlers(desk) };
}
