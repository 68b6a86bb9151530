import type { MessageType } from "./messages.ts";

/** 0 and 1 need no credit; without credit 2 waits, and of 3 the thinking may be dropped. */
export type Priority = 0 | 1 | 2 | 3;

const priorities: Record<MessageType, Priority> = {
  error: 0,
  interrupt: 0,
  session_end: 0,
  // Credit is made of these, so they cannot wait for any.
  flow_control: 0,
  ack: 0,
  backpressure_alert: 0,
  heartbeat: 0,
  tool_call_confirmation: 1,
  user_input: 1,
  session_start: 2,
  session_state: 2,
  session_list: 2,
  engine_list: 2,
  model_list: 2,
  status_update: 2,
  tool_call_request: 2,
  tool_call_response: 2,
  tool_execution_status: 2,
  message_start: 3,
  content_block_start: 3,
  content_block_delta: 3,
  content_block_stop: 3,
  message_stop: 3,
};

/** P0 to P3: higher bypasses lower, but never inside a run. */
export function priorityOf(message: { type: MessageType }): Priority {
  return priorities[message.type];
}
