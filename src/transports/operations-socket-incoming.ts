import { DragomanError } from "../core/errors.ts";
import type { Caller } from "../core/roles.ts";
import { schemaProblems } from "../core/schema-problems.ts";
import { type Incoming, incoming } from "../dialects/operations/calls.ts";
import { accepted, type ConnectionMessage, refused } from "../dialects/operations/connection.ts";
import type { OperationsServer } from "../dialects/operations/server/index.ts";
import { parseJson } from "./json.ts";

interface Heard {
  server: OperationsServer;
  operationId: string;
  caller: Caller;
  now(): { operationId: string; at: number };
  /** What may be told of what went wrong. */
  tellable(error: unknown): DragomanError;
}

/** Does what a client says over the socket, and gives what it is told of that. What is refused has been looked at once, too. */
export async function hear(text: string, heard: Heard): Promise<ConnectionMessage> {
  let requestId: string | number | undefined;
  try {
    const said = objectIn(text);
    requestId = requestIdIn(said);
    const parsed = incoming.safeParse(said);
    if (!parsed.success) throw new DragomanError("invalid_params", `${schemaProblems(parsed.error)}\n${ADVICE}`);
    return accepted(heard.now(), await done(parsed.data, heard), requestId);
  } catch (error) {
    return refused(heard.now(), heard.tellable(error), requestId);
  }
}

/** However little else of the message can be read. */
function requestIdIn({ request_id: id }: { request_id?: unknown }): string | number | undefined {
  return typeof id === "number" || (typeof id === "string" && id.length <= LONGEST_REQUEST_ID) ? id : undefined;
}

const LONGEST_REQUEST_ID = 200;
const ADVICE = 'Send {"type":"answer","ask_id":…,"answer":…}, {"type":"cancel"} or {"type":"ping"}.';

async function done(said: Incoming, { server, operationId: id, caller }: Heard): Promise<string> {
  const by = { caller, requestId: said.request_id };
  switch (said.type) {
    case "answer": {
      const { pending } = await server.answer({ id, ask_id: said.ask_id, answer: said.answer }, by);
      return pending === 0 ? "Answer accepted." : `Answer accepted. ${pending} to go.`;
    }
    case "cancel": {
      const { ok } = await server.cancel({ id, reason: said.reason }, by);
      return ok ? "Cancelling." : "The operation had ended already.";
    }
    case "ping":
      return "Pong.";
  }
}

/** What the parser says of bad JSON quotes some of it, which is not repeated here. */
function objectIn(text: string): object {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (error instanceof DragomanError && error.code !== "parse_error") throw error;
    throw new DragomanError("parse_error", `This is no JSON text. ${ADVICE}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new DragomanError("invalid_request", `A message is a JSON object. ${ADVICE}`);
}
