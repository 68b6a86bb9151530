import * as z from "zod";
import type { DragomanError } from "../../core/errors.ts";
import { derivedId, isUuid, randomId } from "../../core/ids.ts";
import { plainText } from "../../core/plain-text.ts";
import type { Gap } from "../dialect.ts";
import { goneText } from "../gone-text.ts";
import { isoTime } from "../iso-time.ts";
import { errors } from "./errors.ts";
import { LONGEST_CONTENT, type Message, message, metadata } from "./messages.ts";
import { split } from "./split.ts";

// What is said because of the connection, or because time passed: it has no place in the order, and is never replayed.

interface Moment {
  operationId: string;
  /** Milliseconds since 1970. */
  at: number;
}

const CONNECTED = -1;
export const REPLAYING = -2;

/** Where it is about no operation that there is. */
const NO_OPERATION = "00000000-0000-0000-0000-000000000000";

/** A message of the connection may also say what it replies to. */
export const connectionMessage = message.extend({
  metadata: metadata
    .extend({
      /** Of the message that this replies to. */
      request_id: z.union([z.string(), z.number()]).optional(),
    })
    .optional(),
});
export type ConnectionMessage = z.infer<typeof connectionMessage>;

type Draft = Pick<ConnectionMessage, "sequence" | "content" | "metadata"> & { id?: string; type?: "error" };

function ofConnection({ operationId, at }: Moment, draft: Draft): ConnectionMessage {
  const { sequence, content, type = "system", id = derivedId(operationId, `${sequence}:${at}:${content}`) } = draft;
  return {
    id,
    operation_id: operationId,
    sequence,
    type,
    content,
    timestamp: isoTime(at),
    sender: "system",
    metadata: draft.metadata,
  };
}

/** One whose metadata is of the kind that every message may have. */
function notice(moment: Moment, draft: Pick<Message, "sequence" | "content" | "metadata">): Message {
  return ofConnection(moment, draft) as Message;
}

/** `6-7`, or `6` when it is one. */
function range(first: number, last: number): string {
  return first === last ? `${first}` : `${first}-${last}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** It says what does the work of the operation, too. */
export function connected(moment: Moment, { engine, model }: { engine: string; model?: string }): Message {
  const content = `Connected to operation ${moment.operationId}`;
  return notice(moment, { sequence: CONNECTED, content, metadata: { engine, model } });
}

/** Without `last` it is not known how many they are, and without `first` not even with which they begin. */
export function replaying(moment: Moment, first?: number, last?: number): Message {
  return notice(moment, { sequence: REPLAYING, content: `Reconnected. ${missed(first, last)}` });
}

function missed(first: number | undefined, last: number | undefined): string {
  if (first === undefined) return "Replaying the missed messages...";
  if (last === undefined) return `Replaying the missed messages from ${first} on...`;
  if (last < first) return "No messages were missed.";
  return `Replaying ${counted(last - first + 1, "missed message")} (${range(first, last)})...`;
}

export function aliveCheck(moment: Moment): Message {
  return notice(moment, { sequence: CONNECTED, content: "Alive check..." });
}

/** A client that fell behind is told which messages it did not get; history has them. */
export function leftOut(messages: [Message, ...Message[]]): Message {
  const [first] = messages;
  const latest = messages.at(-1) ?? first;
  const moment = { operationId: first.operation_id, at: Date.parse(latest.timestamp) };
  return leftOutOf(
    moment,
    messages.map(({ sequence }) => sequence),
  );
}

export function leftOutOf(moment: Moment, dropped: number[]): Message {
  const [first = 0] = dropped;
  const which = range(first, dropped.at(-1) ?? first);
  const content = `Left out ${counted(dropped.length, "thinking message")} (${which}).`;
  return notice(moment, { sequence: REPLAYING, content, metadata: { dropped } });
}

/** It is about no operation that is there, so it has the session's id in the place of one. */
export function gone(gap: Gap, sessionId: string): Message {
  return notice({ operationId: sessionId, at: gap.at }, { sequence: REPLAYING, content: goneText(gap) });
}

type RequestId = string | number | undefined;

/** What a client sent was taken. */
export function accepted(moment: Moment, content: string, requestId: RequestId): ConnectionMessage {
  return ofConnection(moment, {
    id: randomId(),
    sequence: REPLAYING,
    content,
    metadata: { request_id: requestId },
  });
}

/** What a client sent, or the connection itself, is refused. What was sent is not repeated. */
export function refused(
  { operationId, at }: Moment,
  { code, message: text }: DragomanError,
  requestId?: RequestId,
): ConnectionMessage {
  const moment = { operationId: isUuid(operationId) ? operationId : NO_OPERATION, at };
  const [content = ""] = split(plainText(text).slice(0, LONGEST_CONTENT));
  const metadata = { priority: "high" as const, code: errors[code].code, request_id: requestId };
  return ofConnection(moment, { id: randomId(), sequence: REPLAYING, type: "error", content, metadata });
}
