import { isObject } from "../is-object.ts";
import { OperationsError } from "./operations-error.ts";
import type { OperationMessage } from "./protocol.ts";

/** An operation has at most 1000 messages. */
const MOST_SEQUENCE = 1_000_000;
/** What a message weighs besides its text, in bytes. */
const FRAME_BYTES = 300;

/** Of what the server said; what is no message of the protocol is an error. The rest of it is taken on trust. */
export function messageIn(value: unknown): OperationMessage {
  if (isObject(value)) {
    const { operation_id: operation, sequence, type, content } = value;
    const isText = typeof operation === "string" && typeof type === "string" && typeof content === "string";
    const isPlaced = Number.isInteger(sequence) && Number(sequence) <= MOST_SEQUENCE;
    if (isText && isPlaced) return value as OperationMessage;
  }
  const text = JSON.stringify(value)?.slice(0, 200);
  throw new OperationsError("protocol", `The server said what is no message of an operation: ${text}`);
}

export const isPlaced = ({ sequence }: OperationMessage) => sequence >= 0;

/** About as many bytes as it takes to hold it. */
export const weightOf = ({ content }: OperationMessage) => FRAME_BYTES + content.length;

// One by one: a server may name more of them than a function takes as arguments.
export const highest = (sequences: Iterable<number>) => reduced(sequences, Math.max, Number.NEGATIVE_INFINITY);
export const lowest = (sequences: Iterable<number>) => reduced(sequences, Math.min, Number.POSITIVE_INFINITY);

/** The sequence numbers that the server says it left out. */
export function leftOutIn({ metadata }: OperationMessage): number[] {
  const { dropped } = metadata ?? {};
  return Array.isArray(dropped) ? dropped.filter((sequence) => Number.isInteger(sequence) && sequence >= 0) : [];
}

function reduced(numbers: Iterable<number>, choose: (a: number, b: number) => number, start: number): number {
  let chosen = start;
  for (const each of numbers) chosen = choose(chosen, each);
  return chosen;
}
