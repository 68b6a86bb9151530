import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { Origin, Question, RunKind } from "../core/events.ts";
import type { RunRequest } from "../core/session.ts";
import type { Tool } from "../core/tool.ts";
import { toolRunInput } from "../core/tool-run.ts";
import { errorBody } from "../dialects/operations/errors.ts";
import { operationsNodes } from "../testing/operations-node.ts";
import { until } from "../testing/scripted.ts";

// Runs that other protocols began are operations here: watched, answered and cancelled by their ids.

const node = operationsNodes();
const confirm: Question = { kind: "confirm", title: "Go on?", message: "It is safe" };

const note: Tool<{ text: string }> = {
  name: "note",
  description: "Notes a text.",
  kind: "edit",
  risk: "edit",
  args: z.object({ text: z.string() }),
  intent: async () => ({ title: "Note it", detail: "in a book", targets: [] }),
  run: async ({ text }) => ({ result: { noted: text.length } }),
};

const request = (dialect: string, kind: RunKind, more: Partial<Origin> = {}): RunRequest => ({
  kind,
  input: kind === "tool" ? toolRunInput("note", { text: "milk" }) : { text: "go" },
  by: { dialect, client: "someone", ...more },
  whenBusy: "queue",
});

const begunBy: [string, RunRequest][] = [
  ["ui", request("ui", "prompt")],
  ["sidecar", request("sidecar", "prompt")],
  ["studio", request("studio", "generation", { connection: "c1", requestId: 1 })],
  ["live", request("live", "prompt", { call: { id: "mine-1", name: "copilot_suggest" } })],
  ["live, as a call of a tool", request("live", "tool", { call: { id: "mine-2", name: "note" } })],
];

/** A run that asks at once, begun elsewhere, by someone who can be asked. */
async function asking(wanted: RunRequest) {
  const here = await node(async (_, io) => JSON.stringify(await io.ask(confirm)), { runtime: { tools: [note] } });
  const session = await here.runtime.create({ workspace: here.workspace, engine: "scripted", by: wanted.by });
  session.attach(["confirm"]);
  const begin = async (more: Partial<RunRequest> = {}) => (await session.prompt({ ...wanted, ...more })).runId;
  const state = async (id: string) => (await here.rest(`GET /operations/${id}`)).json;
  const reaches = (id: string, status: string) => until(async () => (await state(id)).status === status, status);
  const asked = async (id: string): Promise<string> => {
    await reaches(id, "waiting");
    return (await state(id)).questions[0].ask_id;
  };
  return { ...here, session, begin, state, reaches, asked };
}

describe.each(begunBy)("a run that was begun by %s", (_, wanted) => {
  test("is watched and answered here, and its history is that of the wire", async () => {
    const { begin, asked, rest, watch, state, said } = await asking(wanted);
    const id = await begin();
    const client = await watch(`operation_id=${id}`);
    const ask_id = await asked(id);
    expect(await state(id)).toMatchObject({ operation_id: id, kind: wanted.kind, status: "waiting" });
    const { status, json } = await rest(`POST /operations/${id}/answer`, { ask_id, answer: "yes" });
    expect([status, json]).toEqual([200, { ok: true, ask_id, pending: 0 }]);
    await client.hears(({ type }) => type === "complete");
    expect(client.own()).toEqual(await said(id));
    expect((await rest(`GET /operations/${id}/messages`)).json.messages).toEqual(client.own());
    expect((await state(id)).status).toBe("completed");
  });

  test("is answered elsewhere first: the socket says so, and a late answer is told who was faster", async () => {
    const { begin, asked, rest, watch, session } = await asking(wanted);
    const id = await begin();
    const client = await watch(`operation_id=${id}`);
    const ask_id = await asked(id);
    await session.answer(ask_id, { ok: true }, { dialect: "live", client: "Ada" });
    await client.hears(({ metadata, content }) => metadata?.ask_id === ask_id && /^Q1 answered by Ada/.test(content));
    const late = await rest(`POST /operations/${id}/answer`, { ask_id, answer: "no" });
    const { code, details } = errorBody.parse(late.json).error;
    expect([late.status, code, details]).toEqual([
      409,
      "QUESTION_CLOSED",
      [{ ask_id, outcome: "answered", by: "Ada" }],
    ]);
    client.socket.send(JSON.stringify({ type: "answer", ask_id, answer: "no", request_id: "r1" }));
    const refusal = await client.hears(({ metadata }) => (metadata as { request_id?: string })?.request_id === "r1");
    expect(refusal).toMatchObject({ type: "error", sequence: -2, metadata: { code: "QUESTION_CLOSED" } });
  });

  test("is cancelled here, and also while it waits in the queue", async () => {
    const { begin, asked, rest, reaches, watch } = await asking(wanted);
    const first = await begin();
    await asked(first);
    const second = await begin();
    const client = await watch(`operation_id=${second}`);
    await reaches(second, "queued");
    expect((await rest(`POST /operations/${second}/cancel`)).json).toEqual({ ok: true, status: "cancelled" });
    await client.hears(({ type }) => type === "complete");
    expect(client.own().map(({ sequence, type }) => [sequence, type])).toEqual([
      [0, "error"],
      [1, "complete"],
    ]);
    expect((await rest(`POST /operations/${first}/cancel`)).json).toMatchObject({ ok: true });
    for (const id of [first, second]) await reaches(id, "cancelled");
  });
});
