import { derivedId } from "../../core/ids.ts";
import type { Gap } from "../dialect.ts";
import { goneText } from "../gone-text.ts";
import { isoTime } from "../iso-time.ts";
import type { Message, Metadata } from "./messages.ts";

// What is said because of the connection, or because time passed: it has no place in the order, and is never replayed.

interface Moment {
  operationId: string;
  /** Milliseconds since 1970. */
  at: number;
}

export const CONNECTED = -1;
export const REPLAYING = -2;

function ofConnection({ operationId, at }: Moment, sequence: number, content: string, metadata?: Metadata): Message {
  return {
    id: derivedId(operationId, `${sequence}:${at}:${content}`),
    operation_id: operationId,
    sequence,
    type: "system",
    content,
    timestamp: isoTime(at),
    sender: "system",
    metadata,
  };
}

/** `6-7`, or `6` when it is one. */
function range(first: number, last: number): string {
  return first === last ? `${first}` : `${first}-${last}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export function connected(moment: Moment): Message {
  return ofConnection(moment, CONNECTED, `Connected to operation ${moment.operationId}`);
}

export function replaying(moment: Moment, first: number, last: number): Message {
  const missed = counted(last - first + 1, "missed message");
  return ofConnection(moment, REPLAYING, `Reconnected. Replaying ${missed} (${range(first, last)})...`);
}

export function aliveCheck(moment: Moment): Message {
  return ofConnection(moment, CONNECTED, "Alive check...");
}

/** A client that fell behind is told which messages it did not get; history has them. */
export function leftOut(messages: [Message, ...Message[]]): Message {
  const dropped = messages.map((left) => left.sequence);
  const [first] = messages;
  const latest = messages.at(-1) ?? first;
  const moment = { operationId: first.operation_id, at: Date.parse(latest.timestamp) };
  const content = `Left out ${counted(dropped.length, "thinking message")} (${range(first.sequence, latest.sequence)}).`;
  return ofConnection(moment, REPLAYING, content, { dropped });
}

/** It is about no operation that is there, so it has the session's id in the place of one. */
export function gone(gap: Gap, sessionId: string): Message {
  return ofConnection({ operationId: sessionId, at: gap.at }, REPLAYING, goneText(gap));
}
