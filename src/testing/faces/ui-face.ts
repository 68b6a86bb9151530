import type { WireEnd } from "../wire-end.ts";
import { type Begun, type Face, nothingSeen, type Seen, words } from "./face.ts";

export const uiClient = {
  protocol_version: "0",
  client: { name: "ui-face", version: "1" },
  ui_capabilities: { supports_confirm: true, supports_prompt: true, supports_pick: true },
};
const ends = { completed: "completed", error: "failed", cancelled: "cancelled" } as const;

export async function startOnUi(wire: WireEnd, text: string): Promise<Begun> {
  await wire.result("initialize", uiClient);
  const { session_id: sessionId, run_id: runId } = await wire.result("run.start", { input: { type: "text", text } });
  return { sessionId, runId };
}

export async function watchOnUi(wire: WireEnd, { sessionId }: Begun, after = 0): Promise<Face> {
  await wire.result("initialize", uiClient);
  await wire.result("session.watch", { session_id: sessionId, after });
  return {
    dialect: "ui",
    seen: () => seenOn(wire),
    prompt: async (text) => {
      await wire.result("run.start", { session_id: sessionId, input: { type: "text", text } });
    },
    approve: async (askId) => {
      wire.send({ jsonrpc: "2.0", id: askId, result: { ok: true } });
      await wire.until(() => seenOn(wire).asks[askId] === "closed", "the end of the ask");
    },
    lateAnswer: async (askId) => {
      wire.send({ jsonrpc: "2.0", id: askId, result: { ok: false } });
      const { error } = await wire.message((m) => m.id === null && m.error, "the error");
      return [error.code, error.data.code];
    },
    cancel: async () => void (await wire.result("run.cancel", { run_id: latestRun(wire) })),
    lastSeq: () => Math.max(...wire.messages.map((m) => m.params?.log_seq ?? 0)),
    sessions: async () =>
      (await wire.result("session.list", {})).sessions.map((one: { session_id: string }) => one.session_id),
    close: () => wire.close(),
  };
}

const latestRun = ({ messages }: WireEnd) => messages.findLast((m) => m.params?.run_id)?.params.run_id;

function seenOn(wire: WireEnd): Seen {
  const seen = nothingSeen();
  const runId = latestRun(wire);
  for (const { id, method, params } of wire.messages) {
    if (params?.run_id !== runId) continue;
    if (method === "ui.confirm.request") seen.asks[id] = "open";
    if (method === "run.status") {
      if (params.closed_ask_id) seen.asks[params.closed_ask_id] = "closed";
      if (params.status in ends) seen.end = ends[params.status as keyof typeof ends];
    }
    const event = method === "agent.event" ? params.event : {};
    if (event.type === "text") seen.text += event.content;
    if (event.type === "tool_call") seen.tools[event.tool_call_id] = "running";
    if (event.type === "tool_result") seen.tools[event.tool_call_id] = event.is_error ? "failed" : "done";
  }
  return { ...seen, text: words(seen.text) };
}
