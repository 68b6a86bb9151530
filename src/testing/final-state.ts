import { connectLive, type LiveMessage } from "../clients/live/index.ts";
import { OperationsClient } from "../clients/operations/index.ts";
import { SidecarClient } from "../clients/sidecar/index.ts";
import { connectStudio } from "../clients/studio/index.ts";
import { UiClient } from "../clients/ui/index.ts";
import { until } from "./scripted.ts";

// What is left of the runs of a session when it is over, as the client library of each protocol has it.

export interface Final {
  end?: string;
  /** The letters of what was said; what stands between them is each protocol's own. */
  text: string;
  /** How the calls of tools ended. */
  tools: Record<string, string>;
  /** The asks that are not open any more. */
  asks: Record<string, "closed">;
}
export type Finals = Record<string, Final>;

export interface Place {
  url: string;
  token: string;
  sessionId: string;
  /** The runs that were started. */
  runIds: string[];
  /** Questions to people; what a client is asked to run is not told by every protocol. */
  askIds: string[];
  /** The calls of tools that came to their own end; what becomes of the others is told by some. */
  callIds: string[];
}

/** The reason for which runs of an arbitrary log are cancelled in the queue. */
const NEVER_BEGUN = "not wanted";

export const letters = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, "");

export class Collected {
  readonly finals: Finals = {};

  /** Of a run that the log says was started; others have nothing to show. */
  of(runId: string): Final {
    this.finals[runId] ??= { text: "", tools: {}, asks: {} };
    return this.finals[runId];
  }

  only({ runIds, askIds, callIds }: Pick<Place, "runIds" | "askIds" | "callIds">): Finals {
    const finals = runIds.map((runId): [string, Final] => {
      const { end, text, asks, tools } = this.of(runId);
      return [runId, { end, text: letters(text), asks: among(askIds, asks), tools: among(callIds, tools) }];
    });
    return Object.fromEntries(finals);
  }
}

function among<Value>(ids: string[], all: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).filter(([id]) => ids.includes(id)));
}

export async function finalOnLive(place: Place): Promise<Finals> {
  const { url, token, sessionId, runIds } = place;
  const client = await connectLive({ url, token });
  const collected = new Collected();
  try {
    const session = await client.attach(sessionId, { after: { seq: 0 } });
    let current = "";
    for await (const message of session) {
      if (message.type === "user_input") current = message.data.run_id;
      takeLive(collected, message, current);
    }
    // The view is built of the same messages, or of the state that came first: it has to say the same.
    const { messages } = session.view;
    for (const runId of runIds) {
      const said = messages.filter(({ role, run_id }) => role === "assistant" && run_id === runId);
      collected.of(runId).text = said.map(({ content }) => content).join("");
    }
    return collected.only(place);
  } finally {
    await client.close();
  }
}

/** A call's response comes before the end of its run. */
function takeLive(collected: Collected, { type, data }: LiveMessage, runId: string): void {
  if (type === "tool_call_response") collected.of(runId).tools[data.call_id] = data.error ? "failed" : "done";
  if (type !== "status_update") return;
  if (data.kind === "ask") collected.of(data.run_id).asks[data.ask_id] = "closed";
  if (data.kind !== "run" || data.status === "queued" || data.status === "cancelling") return;
  collected.of(data.run_id).end = data.status;
}

export async function finalOnSidecar(place: Place): Promise<Finals> {
  const { url, token, sessionId } = place;
  const client = new SidecarClient({ url, token });
  const collected = new Collected();
  let current = "";
  for await (const { event, data } of client.stream(sessionId)) {
    if (event === "timeline.message" && data.role === "user") current = data.messageId;
    const final = collected.of(current);
    const isCancelled = event === "timeline.message" && data.done && data.content.startsWith("Cancelled: ");
    // That of a run which was never begun comes while another one is under way, and names neither.
    if (isCancelled && data.content === `Cancelled: ${NEVER_BEGUN}`) continue;
    if (isCancelled) final.end = "cancelled";
    else if (event === "timeline.message" && data.role === "assistant") final.text += data.content;
    if (event === "timeline.toolCall" && data.status !== "running") {
      final.tools[data.callId] = data.status === "done" ? "done" : "failed";
    }
    if (event === "tool.approval" && data.outcome) final.asks[data.askId] = "closed";
    if (event === "error") final.end = "failed";
    if (event === "timeline.message" && data.done) final.end ??= "completed";
  }
  return collected.only(place);
}

export async function finalOnOperations(place: Place): Promise<Finals> {
  const { url, token, runIds } = place;
  const client = new OperationsClient({ url, token });
  const collected = new Collected();
  for (const runId of runIds) {
    const final = collected.of(runId);
    for await (const { sequence, type, content, sender, metadata = {} } of client.watch(runId)) {
      if (sequence < 0) continue;
      if (metadata.ask_id && !metadata.ask_kind) final.asks[metadata.ask_id] = "closed";
      if (metadata.subsection && /: done in \d+ ms$/.test(content)) final.tools[metadata.subsection] = "done";
      if (metadata.subsection && /: failed/.test(content)) final.tools[metadata.subsection] = "failed";
      const isAbout = metadata.subsection ?? metadata.ask_id ?? metadata.artifact_id;
      const isPlan = content === "Plan:"; // nothing else tells it from what is said
      if (type === "execution" && sender === "copilot" && !isAbout && !isPlan) final.text += content;
    }
    final.end = (await client.operation(runId)).status;
  }
  client.close();
  return collected.only(place);
}

export async function finalOnStudio(place: Place): Promise<Finals> {
  const { url, token, sessionId, runIds } = place;
  const capabilities = { streaming: true, asks: true };
  const client = await connectStudio({ clientName: "test", clientVersion: "1", capabilities }, { url, token });
  const collected = new Collected();
  const strange: unknown[] = [];
  client.on("error", (error) => void strange.push(error));
  client.on("run/chunk", ({ runId, chunk }) => {
    collected.of(runId).text += chunk;
  });
  client.on("run/ended", ({ runId, status }) => {
    collected.of(runId).end = status;
  });
  client.on("ask/closed", ({ runId, askId }) => {
    collected.of(runId).asks[askId] = "closed";
  });
  client.on("progress", ({ runId, callId, status }) => {
    if (runId && callId && status && status !== "running") collected.of(runId).tools[callId] = status;
  });
  await client.watch(sessionId, { after: 0 });
  await until(() => runIds.every((runId) => collected.of(runId).end), "the end of all runs on studio");
  await client.close();
  if (strange.length > 0) throw strange[0];
  return collected.only(place);
}

export async function finalOnUi(place: Place): Promise<Finals> {
  const { url, token, sessionId, runIds } = place;
  const about = { client: { name: "test", version: "1" }, restart: false as const };
  const client = new UiClient({ url, token, session: sessionId, after: 0, ...about });
  const collected = new Collected();
  const ends = { completed: "completed", error: "failed", cancelled: "cancelled" } as const;
  const strange: unknown[] = [];
  client.on("error", (error) => void strange.push(error));
  client.on("gap", (gap) => void strange.push(gap));
  client.on("status", ({ run_id, status, closed_ask_id }) => {
    if (closed_ask_id) collected.of(run_id).asks[closed_ask_id] = "closed";
    if (status in ends) collected.of(run_id).end = ends[status as keyof typeof ends];
  });
  client.on("event", ({ run_id, event }) => {
    const final = collected.of(run_id);
    if (event.type === "text") final.text += event.content;
    if (event.type === "tool_result") final.tools[event.tool_call_id] = event.is_error ? "failed" : "done";
  });
  await client.start();
  await until(() => runIds.every((runId) => collected.of(runId).end), "the end of all runs on ui");
  await client.close();
  if (strange.length > 0) throw new Error(`ui: ${JSON.stringify(strange[0])}`);
  return collected.only(place);
}
