import { expect, test } from "vitest";
import type { Engine } from "../../../core/engine.ts";
import { resumeByReplay } from "../../../core/replayed-io.ts";
import { memoryStore } from "../../../stores/memory.ts";
import { lostProcess, type Script } from "../../../testing/one-session.ts";
import { operationsNodes, stepwise } from "../../../testing/operations-node.ts";
import { scripted, settle, until } from "../../../testing/scripted.ts";

const node = operationsNodes();

const question = { kind: "pick" as const, title: "Which?", message: "", items: [{ id: "a", label: "The first" }] };

const resumable = (script: Script): Engine => ({
  ...scripted(script),
  resume: (turn, log, io, signal) =>
    resumeByReplay(turn, log, io, async (replayed) => ({ text: await script(turn, replayed, signal) })),
});

test("an operation whose server was lost is brought to its end by someone who only looks", async () => {
  const { script, speak } = stepwise();
  const store = memoryStore();
  const lost = await node(script, { store, runtime: { identity: lostProcess() } });
  const operationId = await lost.start();
  await speak("half of it");
  const { workspace } = lost;
  const { watch, token, clock } = await node(async () => "", { store, workspace });
  const client = await watch(`operation_id=${operationId}&last_received_sequence=0`, await token("observe"));
  await until(async () => {
    clock.advance(1000);
    await settle(5);
    return client.own().some(({ type }) => type === "complete");
  }, "the end");
  expect(client.own().map(({ sequence, type, content }) => [sequence, type, content])).toEqual([
    [1, "error", expect.stringContaining("was lost before the end")],
    [2, "complete", "Operation failed. No changes persisted."],
  ]);
});

test("one that only waited for an answer goes on when it is given, after the server was lost", async () => {
  const store = memoryStore();
  const script: Script = async (_, io) => JSON.stringify(await io.ask(question));
  const engine = resumable(script);
  const lost = await node(script, { store, engine, runtime: { identity: lostProcess() } });
  const operationId = await lost.start();
  await until(async () => (await lost.said(operationId)).length === 1, "the question");
  const { workspace } = lost;
  const { watch, rest } = await node(script, { store, engine, workspace });
  const client = await watch(`operation_id=${operationId}&last_received_sequence=0`);
  const { json } = await rest(`GET /operations/${operationId}`);
  expect(json.status).toBe("waiting");
  const [{ ask_id }] = json.questions;
  const answered = await rest(`POST /operations/${operationId}/answer`, { ask_id, answer: "A" });
  expect([answered.status, answered.json]).toEqual([200, { ok: true, ask_id, pending: 0 }]);
  await client.hears(({ type }) => type === "complete");
  expect(client.own().map(({ content }) => content)).toEqual([
    "Q1 answered by prompt approve.",
    '{"outcome":"answered","answer":{"ids":["a"]}}',
    "Operation complete.",
  ]);
});

/** An operation that asks twice and works in between, whose server was lost at the first question; nobody watches the next one. */
async function answeredByRestAlone() {
  const works: (() => void)[] = [];
  const script: Script = async (_, io) => {
    const first = await io.ask(question);
    await new Promise<void>((resolve) => works.push(resolve));
    const second = await io.ask({ ...question, title: "And then?" });
    return `${first.outcome} ${second.outcome}`;
  };
  const store = memoryStore();
  const engine = resumable(script);
  const lost = await node(script, { store, engine, runtime: { identity: lostProcess() } });
  const operationId = await lost.start();
  const asks = async () => (await store.session(lost.sessionId))?.asks ?? [];
  await until(async () => (await asks()).length === 1, "the question");
  const next = await node(script, { store, engine, workspace: lost.workspace });
  const answer = async (given: string) =>
    (await next.rest(`POST /operations/${operationId}/answer`, { ask_id: (await asks())[0]?.askId, answer: given }))
      .status;
  /** Long after whoever looked in between is gone. */
  const goOn = async () => {
    await until(() => works.length > 0, "the work");
    next.clock.advance(10 * 60_000);
    await settle();
    for (const done of works) done();
  };
  const run = async () => (await store.session(lost.sessionId))?.run;
  return { ...next, asks, answer, goOn, run };
}

test("one that is answered by requests alone after that is asked its next question, and let go at its end", async () => {
  const { asks, answer, goOn, run, runtime, clock } = await answeredByRestAlone();
  expect(await answer("A")).toBe(200);
  await goOn();
  await until(async () => (await asks())[0]?.title === "And then?", "the next question");
  expect(await answer("A")).toBe(200);
  await until(async () => (await run())?.status === "completed", "the end");
  await until(async () => {
    clock.advance(1000);
    await settle(5);
    return runtime.load.sessions === 0;
  }, "that nobody has the session any more");
});

test("who gives no valid answer is there for some time only", async () => {
  const { answer, sessionId, store, clock } = await answeredByRestAlone();
  expect(await answer("Z")).toBe(400);
  const isThere = () => store.nodes.canAnswer(sessionId, "pick", "");
  await until(isThere, "that someone is there");
  clock.advance(60_000);
  await until(async () => !(await isThere()), "that nobody is there");
});

test("a question stays open without anyone who watches, and the server lets go when the operation has ended", async () => {
  const { start, rest, runtime, sessionId, clock, store } = await node(async (_, io) =>
    JSON.stringify(await io.ask(question)),
  );
  const operationId = await start();
  const state = async () => (await store.session(sessionId))?.asks ?? [];
  await until(async () => (await state()).length === 1, "the question");
  clock.advance(10 * 60_000);
  await settle();
  const [ask] = await state();
  expect((await rest(`POST /operations/${operationId}/answer`, { ask_id: ask?.askId, answer: "A" })).status).toBe(200);
  await until(async () => (await store.session(sessionId))?.run?.status === "completed", "the end");
  await until(async () => {
    clock.advance(1000);
    await settle(5);
    return runtime.load.sessions === 0;
  }, "that nobody has the session any more");
});
