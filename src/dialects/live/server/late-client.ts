import { DragomanError } from "../../../core/errors.ts";
import { type ErrorData, errorData, type WireCode } from "../errors.ts";

// What is said to a client that keeps us waiting. Over a socket that is the end of the connection, and it can connect again. Over a pipe it
// cannot, and its run would end with it: so there it is told what to send, and everything goes on.

type Over = "pipe" | "socket";

export const silent = () => late("CONNECTION_LOST", SILENT, "fatal");

export function withoutGrant(over: Over): ErrorData {
  return over === "pipe" ? late(FLOW, GRANT, "warning") : late(FLOW, NO_GRANT, "fatal");
}

export function withoutAck(over: Over, sessionId: string, seq: number): ErrorData {
  if (over === "socket") return late("CONNECTION_LOST", NO_ACK, "fatal");
  const ack = JSON.stringify({ type: "ack", session_id: sessionId, data: { seq } });
  const message = `The message with the seq ${seq} asks for an ack, was sent four times and got none; it is not sent again. Send ${ack} when you have it.`;
  return late("CONNECTION_LOST", message, "warning");
}

/** Nothing is lost by it, over a pipe or a socket. */
export function tooFast(): ErrorData {
  const error = new DragomanError("rate_limited", TOO_FAST, { error_code: "INPUT_BUFFER_OVERFLOW" });
  return { ...errorData(error), severity: "warning" };
}

export const WAITING_FOR_CREDIT = "Messages wait for credit. Grant some with flow_control and its available_capacity.";

function late(error_code: WireCode, message: string, severity: ErrorData["severity"]): ErrorData {
  return { ...errorData(new DragomanError("timeout", message, { error_code })), severity };
}

const FLOW = "FLOW_CONTROL_TIMEOUT";
const GRANT =
  'Messages wait, and no credit was granted for 60 s. Send {"type":"flow_control","data":{"available_capacity":100}}, and again as you read.';
const NO_GRANT =
  "Messages waited for 60 s and no credit was granted. Connect again, and send flow_control as you read; session_start with `after` goes on where you were.";
const NO_ACK =
  "A message that asks for an ack was sent four times and got none. Connect again, and send an ack with its seq.";
const TOO_FAST =
  "More than 1000 messages a second came. None is lost, but they are read more slowly: send fewer, or wait for an ack.";
const SILENT = "Nothing came from you for 90 s. Connect again, and send a heartbeat every 30 s.";
