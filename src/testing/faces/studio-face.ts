import type { WireEnd } from "../wire-end.ts";
import { type Begun, type Face, nothingSeen, type Seen, words } from "./face.ts";

export const studioClient = {
  clientName: "studio-face",
  clientVersion: "1",
  capabilities: { streaming: true, asks: true },
};

/** The request is answered when the run ends, so nobody waits for it here. */
export async function startOnStudio(wire: WireEnd, text: string): Promise<Begun> {
  await wire.result("initialize", studioClient);
  wire.send({ jsonrpc: "2.0", id: 1000, method: "chat", params: { message: text } });
  const { params } = await wire.message((m) => m.params?.runId, "the run");
  const { sessions } = await wire.result("session/list", {});
  return { sessionId: sessions[0].sessionId, runId: params.runId };
}

export async function watchOnStudio(wire: WireEnd, { sessionId }: Begun, after = 0): Promise<Face> {
  await wire.result("initialize", studioClient);
  await wire.result("session/watch", { sessionId, after });
  const answered = (askId: string, ok: boolean) => wire.rpc("ask/answer", { askId, answer: { ok } });
  return {
    dialect: "studio",
    seen: () => seenOn(wire),
    prompt: async (text) => {
      const before = latestRun(wire);
      wire.send({ jsonrpc: "2.0", id: 2000, method: "chat", params: { message: text, context: { sessionId } } });
      const refusal = () => wire.messages.find((m) => m.id === 2000 && m.error)?.error;
      await wire.until(() => latestRun(wire) !== before || refusal(), "the run");
      if (refusal()) throw new Error(JSON.stringify(refusal()));
    },
    approve: async (askId) => {
      const { error } = await answered(askId, true);
      if (error) throw new Error(JSON.stringify(error));
    },
    lateAnswer: async (askId) => {
      const { error } = await answered(askId, false);
      return [error.code, error.data.code];
    },
    cancel: async () => void (await wire.result("cancel", { runId: latestRun(wire) })),
    lastSeq: () => Math.max(...wire.messages.map((m) => m.params?.logSeq ?? 0)),
    sessions: async () =>
      (await wire.result("session/list", {})).sessions.map((one: { sessionId: string }) => one.sessionId),
    close: () => wire.close(),
  };
}

const latestRun = ({ messages }: WireEnd) => messages.findLast((m) => m.params?.runId)?.params.runId;

function seenOn(wire: WireEnd): Seen {
  const seen = nothingSeen();
  const runId = latestRun(wire);
  for (const { method, params } of wire.messages) {
    if (params?.runId !== runId) continue;
    if (method === "ask/opened") seen.asks[params.askId] = "open";
    if (method === "ask/closed") seen.asks[params.askId] = "closed";
    if (method === "run/chunk") seen.text += params.chunk;
    if (method === "run/ended") seen.end = params.status;
    if (method === "progress" && params.callId) seen.tools[params.callId] = params.status;
  }
  return { ...seen, text: words(seen.text) };
}
