import type { WireEnd } from "../wire-end.ts";
import { type Begun, type Face, nothingSeen, type Seen, words } from "./face.ts";

const MUCH = 1_000_000;

export async function startOnLive(wire: WireEnd, content: string): Promise<Begun> {
  wire.send({ type: "flow_control", data: { available_capacity: MUCH } });
  wire.send({ type: "user_input", correlation_id: "begin", data: { content, input_type: "ai_prompt" } });
  const { session_id, data } = await wire.message((m) => m.type === "user_input", "the prompt");
  return { sessionId: session_id, runId: data.run_id };
}

export async function watchOnLive(wire: WireEnd, { sessionId: session_id }: Begun, after = 0): Promise<Face> {
  wire.send({ type: "flow_control", data: { available_capacity: MUCH } });
  wire.send({ type: "session_start", session_id, data: { after } });
  await wire.message((m) => m.type === "session_state", "the state");
  let sent = 0;
  const ask = async (message: object, ...answers: string[]) => {
    const correlation_id = `sent-${++sent}`;
    wire.send({ ...message, session_id, correlation_id, ack_required: true });
    const fits = (m: { correlation_id?: string; type: string }) =>
      m.correlation_id === correlation_id && ["error", ...answers].includes(m.type);
    return wire.message(fits, `the answer to ${JSON.stringify(message)}`);
  };
  const done = async (message: object, ...answers: string[]) => {
    const answer = await ask(message, ...answers);
    if (answer.type === "error") throw new Error(JSON.stringify(answer));
    return answer;
  };
  const answer = (call_id: string, content: "approve" | "deny") => ({
    type: "user_input",
    data: { input_type: "operation_confirmation", call_id, content },
  });
  return {
    dialect: "live",
    seen: () => seenOn(wire),
    prompt: async (content) => void (await done({ type: "user_input", data: { content } }, "ack")),
    approve: async (askId) => void (await done(answer(askId, "approve"), "ack")),
    lateAnswer: async (askId) => {
      const { data } = await ask(answer(askId, "deny"), "ack");
      return [data.error_code, data.details.code];
    },
    cancel: async () => void (await done({ type: "interrupt", data: {} }, "ack")),
    lastSeq: () => Math.max(...wire.messages.map((m) => m.seq ?? 0)),
    sessions: async () => {
      const { data } = await done({ type: "session_list", data: {} }, "session_list");
      return data.sessions.map((one: { session_id: string }) => one.session_id);
    },
    close: () => wire.close(),
  };
}

function seenOn({ messages }: WireEnd): Seen {
  const seen = nothingSeen();
  const numbered = messages.filter((m) => m.seq !== undefined);
  const begins = numbered.findLastIndex((m) => m.type === "user_input");
  for (const { type, data } of numbered.slice(Math.max(0, begins))) {
    if (type === "content_block_delta" && data.delta.type === "text_delta") seen.text += data.delta.text;
    if (type === "message_stop") seen.text += "\n";
    if (type === "tool_call_request") seen.tools[data.call_id] = "running";
    if (type === "tool_call_response") seen.tools[data.call_id] = data.error ? "failed" : "done";
    if (type === "tool_call_confirmation") seen.asks[data.ask_id] = "open";
    if (type === "status_update" && data.kind === "ask") seen.asks[data.ask_id] = "closed";
    const ended = type === "status_update" && data.kind === "run" && !["queued", "cancelling"].includes(data.status);
    if (ended) seen.end = data.status;
  }
  return { ...seen, text: words(seen.text) };
}
