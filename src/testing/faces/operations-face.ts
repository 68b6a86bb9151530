import type { WireMessage } from "../ui-wire.ts";
import type { WireEnd } from "../wire-end.ts";
import { type Begun, type Door, type Face, nothingSeen, type Seen, words } from "./face.ts";

async function rest(door: Door, method: string, path: string, body?: object): Promise<WireMessage> {
  const headers = { "content-type": "application/json" };
  const response = await door.fetch(`/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  return response.json();
}

async function done(...call: Parameters<typeof rest>): Promise<WireMessage> {
  const answer = await rest(...call);
  if (answer.error) throw new Error(JSON.stringify(answer.error));
  return answer;
}

export async function startOnOperations(door: Door, prompt: string): Promise<Begun> {
  const { session_id: sessionId } = await done(door, "POST", "/sessions", {});
  const { operation_id: runId } = await done(door, "POST", `/sessions/${sessionId}/prompt`, { prompt });
  return { sessionId, runId };
}

/** A socket is of one run: the face goes on to the next when it prompts. */
export async function watchOnOperations(door: Door, begun: Begun, after = 0): Promise<Face> {
  const { sessionId } = begun;
  let { runId } = begun;
  let wire: WireEnd;
  const follow = async (from: number) => {
    wire = await door.wire(`/ws?operation_id=${runId}&after_log_seq=${from}`);
  };
  await follow(after);
  const answered = (askId: string, answer: boolean) =>
    rest(door, "POST", `/operations/${runId}/answer`, { ask_id: askId, answer });
  return {
    dialect: "operations",
    seen: () => seenOn(wire),
    prompt: async (prompt) => {
      runId = (await done(door, "POST", `/sessions/${sessionId}/prompt`, { prompt })).operation_id;
      wire.close();
      await follow(0);
    },
    approve: async (askId) => {
      const { error } = await answered(askId, true);
      if (error) throw new Error(JSON.stringify(error));
    },
    lateAnswer: async (askId) => {
      const { error } = await answered(askId, false);
      return [error.code, error.details[0]?.outcome];
    },
    cancel: async () => void (await done(door, "POST", `/operations/${runId}/cancel`, {})),
    lastSeq: () => Math.max(...wire.messages.map((m) => m.log_seq ?? 0)),
    sessions: async () =>
      (await done(door, "GET", "/sessions")).sessions.map((one: { session_id: string }) => one.session_id),
    close: () => wire.close(),
  };
}

function seenOn(wire: WireEnd): Seen {
  const seen = nothingSeen();
  for (const { sequence, type, content, sender, metadata = {} } of wire.messages) {
    if (sequence < 0) continue;
    if (metadata.ask_kind) seen.asks[metadata.ask_id] = "open";
    else if (metadata.ask_id) seen.asks[metadata.ask_id] = "closed";
    else if (metadata.subsection) seen.tools[metadata.subsection] = toolState(content);
    else if (type === "execution" && sender === "copilot") seen.text += `${content}\n`;
    if (type === "error") seen.end = /cancel/i.test(content) ? "cancelled" : "failed";
    if (type === "complete") seen.end ??= "completed";
  }
  return { ...seen, text: words(seen.text) };
}

function toolState(content: string): Seen["tools"][string] {
  if (/: done in \d+ ms$/.test(content)) return "done";
  return /: failed/.test(content) ? "failed" : "running";
}
