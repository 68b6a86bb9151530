import type { EventOf, Origin } from "../../core/events.ts";
import { BoundedMap } from "../bounded-map.ts";
import { envelope, type Place } from "./envelope.ts";
import { type ErrorData, loggedError } from "./errors.ts";
import type { DataOf, Message } from "./messages.ts";
import { namedFile, touchedFiles } from "./touched-files.ts";

type Response = DataOf<"tool_call_response">;
export type CallEnd = "completed" | "failed" | "cancelled";

/** A call as the wire knows it: by the client's own ids where the client asked for it. */
export interface WireCall {
  callId: string;
  correlationId: string;
}

interface OpenCall extends WireCall {
  since: number;
  /** The file that it changes, as far as its arguments tell. */
  file?: string;
  /** It is the one that the client asked for. */
  isClients: boolean;
}

/** The call of a client that the run is the answer to. */
interface ClientCall extends WireCall {
  since: number;
  /** It is a call of a tool, and not of an agent: the run does that one call, and its response is the response. */
  ofTool: boolean;
  /** That one call was told. */
  begun: boolean;
  answered: boolean;
}

export interface ToolCalls {
  sessionId: string;
  open: BoundedMap<OpenCall>;
  ofClient?: ClientCall;
}

export function noToolCalls(sessionId: string): ToolCalls {
  return { sessionId, open: new BoundedMap() };
}

/** So that a client knows its own again; ids of other dialects mean nothing here. */
export function correlationOf(by: Origin): string | undefined {
  return by.dialect === "live" && by.requestId !== undefined ? String(by.requestId) : undefined;
}

/** The run is the answer to a client's `tool_call_request`, if it is one: that is told to all who watch. */
export function beginRun(calls: ToolCalls, event: EventOf<"run.started">): Message[] {
  const { by, runId: run_id, kind, input, at } = event;
  if (by.dialect !== "live" || !by.call) return [];
  const { id: call_id, name } = by.call;
  const correlationId = correlationOf(by) ?? call_id;
  const ofTool = kind === "tool";
  calls.ofClient = { callId: call_id, correlationId, since: at, ofTool, begun: false, answered: false };
  const args = input.args?.arguments ?? (input.artifactId === undefined ? {} : { artifactId: input.artifactId });
  const data = { call_id, name, args, run_id, is_client_initiated: true };
  return [envelope(calls.sessionId, event, "tool_call_request", data, correlationId)];
}

export function beginCall(calls: ToolCalls, event: EventOf<"tool.requested">): Message[] {
  const { callId, tool: name, args, title, kind, runId: run_id, at: since } = event;
  const { ofClient } = calls;
  const isClients = ofClient?.ofTool === true && !ofClient.begun;
  const known = isClients ? ofClient : { callId, correlationId: callId };
  const file = kind === "edit" ? namedFile(args) : undefined;
  calls.open.set(callId, { callId: known.callId, correlationId: known.correlationId, since, file, isClients });
  if (isClients) {
    ofClient.begun = true;
    return []; // it was told with the run
  }
  const data = { call_id: callId, name, args: args ?? {}, run_id, is_client_initiated: false, kind, title };
  return [envelope(calls.sessionId, event, "tool_call_request", data, callId)];
}

/** The ids by which the wire knows a call. */
export function wireCall(calls: ToolCalls, callId: string): WireCall {
  return calls.open.get(callId) ?? { callId, correlationId: callId };
}

export function saidByTool(calls: ToolCalls, event: EventOf<"tool.output">): Message[] {
  const { callId, text: output, at } = event;
  const { callId: call_id, correlationId } = wireCall(calls, callId);
  const elapsed_ms = at - (calls.open.get(callId)?.since ?? at);
  const data = { call_id, status: "in_progress" as const, output, elapsed_ms };
  return [envelope(calls.sessionId, event, "tool_execution_status", data, correlationId)];
}

export function endCall(calls: ToolCalls, event: EventOf<"tool.finished">): Message[] {
  const { callId, error, result = null, durationMs: execution_time_ms, diff } = event;
  const { callId: call_id, correlationId } = wireCall(calls, callId);
  const call = calls.open.take(callId);
  if (call?.isClients && calls.ofClient) calls.ofClient.answered = true;
  if (!error) {
    const files = touchedFiles(diff, call?.file);
    return ended(calls, event, "completed", { call_id, result, execution_time_ms, diff, files }, correlationId);
  }
  const how = error.code === "cancelled" ? "cancelled" : "failed";
  const response = { call_id, error: loggedError(error), execution_time_ms, diff };
  return ended(calls, event, how, response, correlationId);
}

/** What the run leaves open ends with it; and the client that asked for the run gets its response. */
export function endCalls(
  calls: ToolCalls,
  event: Place,
  how: CallEnd,
  response: Pick<Response, "result" | "error">,
): Message[] {
  const { ofClient } = calls;
  const error = leftOpen(how);
  const to = how === "cancelled" ? how : "failed";
  const left = calls.open.takeAll().flatMap(([, { callId: call_id, correlationId, since, isClients }]) => {
    if (isClients && ofClient) ofClient.answered = true;
    const data = { call_id, error, execution_time_ms: event.at - since };
    return ended(calls, event, to, data, correlationId);
  });
  if (!ofClient || ofClient.answered) return left;
  ofClient.answered = true;
  const data = { call_id: ofClient.callId, ...response, execution_time_ms: event.at - ofClient.since };
  return [...left, ...ended(calls, event, how, data, ofClient.correlationId)];
}

/** A client's call that ended in the queue: no `run.started` told of it. */
export function neverBegun(calls: ToolCalls, { at }: Place, by: Origin): void {
  if (by.dialect !== "live" || !by.call) return;
  const { id: callId } = by.call;
  const correlationId = correlationOf(by) ?? callId;
  calls.ofClient = { callId, correlationId, since: at, ofTool: false, begun: false, answered: false };
}

/** Every request gets a response, whatever comes of it. */
function ended(calls: ToolCalls, event: Place, how: CallEnd, response: Response, correlationId: string): Message[] {
  const { call_id, execution_time_ms: elapsed_ms } = response;
  const { sessionId } = calls;
  return [
    envelope(sessionId, event, "tool_execution_status", { call_id, status: how, elapsed_ms }, correlationId),
    envelope(sessionId, event, "tool_call_response", response, correlationId),
  ];
}

function leftOpen(how: CallEnd): ErrorData {
  return how === "cancelled"
    ? loggedError({ code: "cancelled", message: "The run was cancelled" })
    : loggedError({ code: "tool_failed", message: "The run ended before the tool did" });
}
