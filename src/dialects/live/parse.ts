import * as z from "zod";
import { DragomanError } from "../../core/errors.ts";
import { calls, visibleId } from "./calls.ts";
import type { WireCode } from "./errors.ts";

type Calls = typeof calls;
type CallType = keyof Calls;

const head = z.looseObject({
  type: z.string(),
  timestamp: z.string().optional(),
  session_id: visibleId.optional(),
  correlation_id: z.union([visibleId, z.number().transform(String)]).optional(),
  seq: z.int().min(0).optional(),
  ack_required: z.boolean().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
});

/** What a client said. */
export type ClientMessage = {
  [Type in CallType]: {
    type: Type;
    session_id?: string;
    correlation_id?: string;
    /** The client's own number, to acknowledge it by. */
    seq?: number;
    ack_required?: boolean;
    data: z.infer<Calls[Type]["params"]>;
  };
}[CallType];

/** Reads a message whose fields are under `data`, as the document's tables have it, or beside `type`, as its examples do. */
export function parseMessage(value: unknown): ClientMessage {
  const given = checked(head, isRecord(value) ? withoutNulls(value) : value, "invalid_request");
  const { type, timestamp: _, session_id, correlation_id, seq, ack_required, data, ...beside } = given;
  if (!isCallType(type)) {
    const known = Object.keys(calls).join(", ");
    throw new DragomanError(
      "method_not_found",
      `Unknown message type ${JSON.stringify(type)}; a client may send ${known}`,
    );
  }
  // The one type that has a field of the envelope's name.
  const own = type === "ack" && seq !== undefined ? { seq } : {};
  const params = checked(
    calls[type].params,
    { ...own, ...beside, ...withoutNulls(data ?? {}) },
    "invalid_params",
    type,
  );
  return { type, session_id, correlation_id, seq, ack_required, data: params } as ClientMessage;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Where null is a value and not the absence of one. */
const nullable = new Set(["result", "content"]);

/** The document's own example sends None for what it leaves out. */
function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== null || nullable.has(name)));
}

function isCallType(type: string): type is CallType {
  return Object.hasOwn(calls, type);
}

function checked<T extends z.ZodType>(
  schema: T,
  value: unknown,
  code: "invalid_request" | "invalid_params",
  type?: string,
): z.infer<T> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  const missing = field !== "" && issue !== undefined && isMissing(issue);
  const isNoMessage = field === "type" && type === undefined;
  const where = type ? `${type}.data` : "message";
  const what = missing ? `${field} is missing` : `${field ? `${field}: ` : ""}${issue?.message}`;
  const finer: { error_code?: WireCode } = missing && !isNoMessage ? { error_code: "MISSING_REQUIRED_FIELD" } : {};
  throw new DragomanError(code, `Invalid ${where}: ${what}`, { ...finer, field });
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  return issue.code === "custom" ? issue.params?.missing === true : issue.input === undefined;
}
