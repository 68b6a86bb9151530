import { SseListener } from "../sse-listener.ts";
import type { WireMessage } from "../ui-wire.ts";
import { type Begun, type Door, type Face, nothingSeen, type Seen, words } from "./face.ts";

async function rpc(door: Door, method: string, params: unknown = {}): Promise<WireMessage> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const headers = { "content-type": "application/json" };
  return (await door.fetch("/rpc", { method: "POST", headers, body })).json();
}

async function result(door: Door, method: string, params?: unknown): Promise<WireMessage> {
  const answer = await rpc(door, method, params);
  if (answer.error) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
  return answer.result;
}

export async function startOnSidecar(door: Door, prompt: string): Promise<Begun> {
  const { sessionId } = await result(door, "session.create");
  const { messageId: runId } = await result(door, "session.send", { sessionId, prompt });
  return { sessionId, runId };
}

export async function watchOnSidecar(door: Door, { sessionId }: Begun, after = 0): Promise<Face> {
  const cursor: Record<string, string> = after === 0 ? {} : { "last-event-id": String(after) };
  const listener = await SseListener.open(door, sessionId, cursor);
  const answered = (askId: string, approved: boolean) => rpc(door, "session.approve", { sessionId, askId, approved });
  return {
    dialect: "sidecar",
    seen: () => seenOn(listener),
    prompt: async (prompt) => void (await result(door, "session.send", { sessionId, prompt })),
    approve: async (askId) => {
      const { error } = await answered(askId, true);
      if (error) throw new Error(JSON.stringify(error));
    },
    lateAnswer: async (askId) => {
      const { error } = await answered(askId, false);
      return [error.code, error.data.code];
    },
    cancel: async () => void (await result(door, "session.cancel", { sessionId })),
    lastSeq: () => Math.max(0, ...listener.heard.map(({ id }) => Number.parseInt(id, 10))),
    sessions: async () =>
      (await result(door, "session.list")).sessions.map((one: { sessionId: string }) => one.sessionId),
    close: () => listener.close(),
  };
}

const states = { running: "running", done: "done", failed: "failed", cancelled: "failed" } as const;

function seenOn({ heard }: SseListener): Seen {
  const seen = nothingSeen();
  const isPrompt = (one: (typeof heard)[number]) => one.event === "timeline.message" && one.data.role === "user";
  for (const { event, data } of heard.slice(Math.max(0, heard.findLastIndex(isPrompt)))) {
    if (event === "tool.approval") seen.asks[data.askId] = data.outcome ? "closed" : "open";
    if (event === "timeline.toolCall") seen.tools[data.callId] = states[data.status as keyof typeof states];
    if (event === "error") seen.end = data.data?.code === "cancelled" ? "cancelled" : "failed";
    if (event !== "timeline.message") continue;
    const isCancelled = data.done && data.content.startsWith("Cancelled: ");
    if (data.role === "assistant" && !isCancelled) seen.text += data.content;
    if (data.done) seen.end ??= isCancelled ? "cancelled" : "completed";
  }
  return { ...seen, text: words(seen.text) };
}
