import { describe, expect, test } from "vitest";
import type { Origin, Question } from "../core/events.ts";
import { calls } from "../dialects/operations/calls.ts";
import { errorBody } from "../dialects/operations/errors.ts";
import { operationsNodes, stepwise, think } from "../testing/operations-node.ts";
import { readAll } from "../testing/read-all.ts";
import { until } from "../testing/scripted.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const node = operationsNodes();
const outside = temporaryFolder();
const confirm: Question = { kind: "confirm", title: "Go on?", message: "It is safe" };
const elsewhere: Origin = { dialect: "ui", client: "terminal" };
const nowhere = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";

type Node = Awaited<ReturnType<typeof node>>;

const made = async ({ rest }: Node, body: object = {}) =>
  calls["POST /sessions"].result.parse((await rest("POST /sessions", body)).json);

async function prompted({ rest }: Node, sessionId: string, body: object = { prompt: "go" }, by?: string) {
  const { status, json } = await rest(`POST /sessions/${sessionId}/prompt`, body, by);
  expect([status, json.error]).toEqual([202, undefined]);
  return calls["POST /sessions/{id}/prompt"].result.parse(json);
}

async function statusBecomes({ rest }: Node, operationId: string, wanted: string) {
  const status = async () => (await rest(`GET /operations/${operationId}`)).json.status;
  await until(async () => (await status()) === wanted, `${wanted} of the operation`);
}

describe("a session", () => {
  test("that is made is told of with all that there is, and found again", async () => {
    const here = await node(async () => "");
    const created = await here.rest("POST /sessions", { title: "My \u001b[31mwork", model: "script-1" });
    const { session_id: id } = created.json;
    expect([created.status, created.headers.location]).toEqual([201, `/api/v1/sessions/${id}`]);
    expect(created.json).toEqual({
      session_id: id,
      workspace: here.workspace,
      engine: "scripted",
      model: "script-1",
      title: "My work",
      status: "idle",
      updated_at: expect.any(String),
      last_seq: 1,
      pending: 0,
      addresses: {
        ui: `/ui?session=${id}`,
        studio: `/studio?session=${id}`,
        sidecar: `/stream/${id}`,
        live: `/live?session=${id}`,
      },
    });
    expect((await here.rest(`GET /sessions/${id}`)).json).toEqual(created.json);
    expect((await here.rest("GET /sessions")).json).toEqual({ sessions: [created.json] });
    expect((await readAll(here.store, id))[0]).toMatchObject({
      by: { dialect: "operations", client: "prompt approve" },
    });
  });

  test("is prompted and watched, and the run is an operation like any other", async () => {
    const here = await node(async ({ input }, io) => {
      await think(io, "hm");
      return `${input.text}!`;
    });
    const { session_id } = await made(here);
    const begun = await prompted(here, session_id, { prompt: "hello", model: "script-1" });
    expect(begun).toEqual({
      operation_id: begun.operation_id,
      session_id,
      status: "running",
      websocket_url: `${here.world.url.replace("http", "ws")}/ws?operation_id=${begun.operation_id}`,
      estimated_duration_seconds: 60,
    });
    const client = await here.watch(`operation_id=${begun.operation_id}`);
    await client.hears(({ type }) => type === "complete");
    expect(client.own().map(({ type, content, log_seq }) => [type, content, log_seq])).toEqual([
      ["thinking", "hm", 3],
      ["execution", "hello!", 4],
      ["complete", "Operation complete.", 4],
    ]);
    expect((await here.rest(`GET /sessions/${session_id}`)).json).toMatchObject({
      status: "idle",
      operation_id: begun.operation_id,
      last_prompt: "hello",
      last_seq: 4,
      addresses: { operations: `/ws?operation_id=${begun.operation_id}` },
    });
    expect((await here.rest(`GET /operations/${begun.operation_id}`)).json).toMatchObject({
      ...{ kind: "prompt", status: "completed", report: "hello!" },
    });
    expect((await readAll(here.store, session_id))[1]).toMatchObject({
      ...{ type: "run.started", kind: "prompt", model: "script-1", by: { client: "prompt approve" } },
    });
  });

  test("that runs something takes the next prompt into its queue, which is watched before it starts", async () => {
    const { script, running, end, speak } = stepwise();
    const here = await node((turn, io, signal) =>
      turn.input.text === "go" ? script(turn, io, signal) : think(io, "mine").then(() => ""),
    );
    const { session_id } = await made(here);
    const first = await prompted(here, session_id);
    await running;
    const second = await prompted(here, session_id, { prompt: "next" });
    expect([first.status, second.status]).toEqual(["running", "queued"]);
    expect((await here.rest(`GET /operations/${second.operation_id}`)).json.status).toBe("queued");
    const byLogSeq = await here.watch(`operation_id=${second.operation_id}&after_log_seq=0`);
    const client = await here.watch(`operation_id=${second.operation_id}`);
    await speak("not for them");
    await end();
    for (const each of [client, byLogSeq]) {
      await each.hears(({ type }) => type === "complete");
      expect(each.own()).toEqual(await here.said(second.operation_id));
      expect(each.own().map(({ content }) => content)).toEqual(["mine", "Operation complete."]);
    }
  });

  test("has its state in the list: running, waiting with the number of questions, idle, closed", async () => {
    const here = await node(async (_, io) => JSON.stringify(await io.ask(confirm)));
    const { session_id } = await made(here);
    const state = async () => {
      const { status, pending } = (await here.rest(`GET /sessions/${session_id}`)).json;
      return [status, pending];
    };
    const { operation_id } = await prompted(here, session_id);
    await statusBecomes(here, operation_id, "waiting");
    expect(await state()).toEqual(["waiting", 1]);
    const [{ ask_id }] = (await here.rest(`GET /operations/${operation_id}`)).json.questions;
    await here.rest(`POST /operations/${operation_id}/answer`, { ask_id, answer: "yes" });
    await statusBecomes(here, operation_id, "completed");
    expect(await state()).toEqual(["idle", 0]);
    await (await here.runtime.open(session_id)).close();
    expect(await state()).toEqual(["closed", 0]);
    const late = await here.rest(`POST /sessions/${session_id}/prompt`, { prompt: "more" });
    expect([late.status, errorBody.parse(late.json).error.code]).toEqual([410, "SESSION_CLOSED"]);
  });

  test("is listed after those that changed since, and no more are than are wanted", async () => {
    const here = await node(async () => "");
    const ids: string[] = [];
    for (const title of ["a", "b", "c"]) {
      ids.push((await made(here, { title })).session_id);
      here.clock.advance(10);
    }
    const listed = async (query: string) =>
      (await here.rest(`GET /sessions${query}`)).json.sessions.map((one: { session_id: string }) => one.session_id);
    expect([await listed(""), await listed("?limit=2")]).toEqual([ids.toReversed(), ids.toReversed().slice(0, 2)]);
    for (const query of ["?limit=0", "?limit=1001", "?limit=x"]) {
      expect((await here.rest(`GET /sessions${query}`)).status).toBe(400);
    }
  });

  test("shows nothing of what looks like a secret in its last prompt", async () => {
    const here = await node(async () => "");
    const { session_id } = await made(here);
    const secret = `ghp_${"a".repeat(36)}`;
    await prompted(here, session_id, { prompt: `use \u001b[31m${secret} here` });
    expect((await here.rest(`GET /sessions/${session_id}`)).json.last_prompt).toBe("use [redacted] here");
  });
});

describe("what cannot be", () => {
  test.each<[what: string, request: string, body: object | undefined, status: number, code: string]>([
    ["a session that there is not", `GET /sessions/${nowhere}`, undefined, 404, "SESSION_NOT_FOUND"],
    ["a prompt to none", `POST /sessions/${nowhere}/prompt`, { prompt: "go" }, 404, "SESSION_NOT_FOUND"],
    ["a prompt of nothing", `POST /sessions/${nowhere}/prompt`, { prompt: " \n" }, 400, "INVALID_PARAMETERS"],
    ["no prompt", `POST /sessions/${nowhere}/prompt`, {}, 400, "INVALID_PARAMETERS"],
    [
      "too long a prompt",
      `POST /sessions/${nowhere}/prompt`,
      { prompt: "x".repeat(1_000_001) },
      400,
      "INVALID_PARAMETERS",
    ],
    ["an engine that there is not", "POST /sessions", { engine: "none" }, 400, "INVALID_PARAMETERS"],
    ["a model that there is not", "POST /sessions", { model: "none" }, 400, "INVALID_PARAMETERS"],
    ["a title that is none", "POST /sessions", { title: 1 }, 400, "INVALID_PARAMETERS"],
  ])("%s is refused, and nothing is made", async (_, request, body, status, code) => {
    const { rest } = await node(async () => "");
    const { json, ...answered } = await rest(request, body);
    expect([answered.status, errorBody.parse(json).error.code]).toEqual([status, code]);
    expect((await rest("GET /sessions")).json).toEqual({ sessions: [] });
  });

  test("a model that the session's engine does not have is refused before anything runs", async () => {
    const here = await node(async () => "");
    const { session_id } = await made(here);
    const { status, json } = await here.rest(`POST /sessions/${session_id}/prompt`, { prompt: "go", model: "none" });
    expect([status, json.error.details]).toEqual([400, [{ models: ["script-1"] }]]);
    expect((await readAll(here.store, session_id)).length).toBe(1);
  });

  test("a session of another folder is there for an admin, and for all others as if there were none", async () => {
    const here = await node(async () => "");
    const { id } = await here.runtime.create({ workspace: outside.path, engine: "scripted" });
    const admin = here.world.admin;
    expect((await here.rest("GET /sessions")).json).toEqual({ sessions: [] });
    expect((await here.rest(`GET /sessions/${id}`)).status).toBe(404);
    expect((await here.rest(`POST /sessions/${id}/prompt`, { prompt: "go" })).status).toBe(404);
    expect((await here.rest(`PATCH /sessions/${id}`, { title: "Mine" })).status).toBe(404);
    const { sessions } = (await here.rest("GET /sessions", undefined, admin)).json;
    expect(sessions).toEqual([(await here.rest(`GET /sessions/${id}`, undefined, admin)).json]);
    await prompted(here, id, { prompt: "go" }, admin);
  });
});

describe("who prompts", () => {
  // The store is asked how far it is: whoever calls and may approve would count as there.
  const asking = () => node(async (_, io) => JSON.stringify(await io.ask(confirm)));

  test("and may approve counts as there to answer as long as it runs, with nobody who watches", async () => {
    let ask: () => void = () => {};
    const isTime = new Promise<void>((resolve) => (ask = resolve));
    const here = await node(async (_, io) => isTime.then(async () => JSON.stringify(await io.ask(confirm))));
    const { session_id } = await made(here);
    const { operation_id } = await prompted(here, session_id);
    here.clock.advance(60_000);
    ask();
    const run = async () => (await here.store.session(session_id)) ?? { asks: [], run: undefined };
    await until(
      async () => (await run()).asks.length === 1 || (await run()).run?.status === "completed",
      "the question",
    );
    expect((await here.rest(`GET /operations/${operation_id}`)).json.status).toBe("waiting");
  });

  test("and may not approve is nobody to ask", async () => {
    const here = await asking();
    const { session_id } = await made(here);
    const { operation_id } = await prompted(here, session_id, { prompt: "go" }, await here.token("prompt"));
    await until(async () => (await here.store.session(session_id))?.run?.status === "completed", "the end");
    const denied = { outcome: "denied", reason: "no_one_to_ask" };
    expect((await here.rest(`GET /operations/${operation_id}`)).json.report).toBe(JSON.stringify(denied));
  });

  test("elsewhere and is only watched here, by who may not approve, has nobody to ask", async () => {
    const { script, running, end } = stepwise();
    const here = await node(script);
    const session = await here.runtime.create({ workspace: here.workspace, engine: "scripted" });
    const request = { kind: "prompt" as const, input: { text: "go" }, by: elsewhere, whenBusy: "refuse" as const };
    const { runId } = await session.prompt(request);
    const watcher = await here.watch(`operation_id=${runId}`, await here.token("observe"));
    await watcher.hears(({ sequence }) => sequence === -1, "the greeting");
    const replies: unknown[] = [];
    void (await running).ask(confirm).then((reply) => replies.push(reply));
    const open = async () => (await here.store.session(session.id))?.asks.length ?? 0;
    await until(async () => replies.length > 0 || (await open()) > 0, "the reply, or the question");
    expect(replies).toEqual([{ outcome: "denied", reason: "no_one_to_ask" }]);
    await end();
  });

  test("and is refused is not there any more", async () => {
    const here = await node(async () => "");
    const { session_id } = await made(here);
    const session = await here.runtime.open(session_id);
    await session.close();
    let there = 0;
    const attach = session.attach.bind(session);
    here.runtime.open = async () =>
      Object.assign(session, {
        attach: (kinds: Parameters<typeof attach>[0]) => {
          const detach = attach(kinds);
          there++;
          return () => {
            there--;
            detach();
          };
        },
      });
    expect((await here.rest(`POST /sessions/${session_id}/prompt`, { prompt: "go" })).status).toBe(410);
    expect(there).toBe(0);
  });

  test("with nothing but blanks is told what to do", async () => {
    const here = await node(async () => "");
    const { session_id } = await made(here);
    const { status, json } = await here.rest(`POST /sessions/${session_id}/prompt`, { prompt: " \n" });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining("say what to do")]);
  });

  test("and may not approve has no use of what others allowed in the session", async () => {
    const here = await node(async () => "");
    const rules = { deny: [{ tool: "shell" }], ask: [], allow: [{ tool: "note" }] };
    const { id } = await here.runtime.create({ workspace: here.workspace, engine: "scripted", rules });
    await prompted(here, id, { prompt: "theirs" }, await here.token("prompt"));
    await prompted(here, id, { prompt: "mine" });
    await (await here.runtime.open(id)).settled();
    const started = (await readAll(here.store, id)).filter((event) => event.type === "run.started");
    expect(started.map(({ input, rules: held }) => [input.text, held])).toEqual([
      ["theirs", { ...rules, allow: [] }],
      ["mine", rules],
    ]);
  });
});

describe("a session that was begun elsewhere", () => {
  test("is listed here, prompted here, and told of here", async () => {
    const here = await node(async () => "done");
    const session = await here.runtime.create({ workspace: here.workspace, engine: "scripted", by: elsewhere });
    await session.prompt({ kind: "prompt", input: { text: "theirs" }, by: elsewhere, whenBusy: "queue" });
    await session.settled();
    const { sessions } = (await here.rest("GET /sessions")).json;
    expect(sessions).toMatchObject([{ session_id: session.id, last_prompt: "theirs", status: "idle" }]);
    const { operation_id } = await prompted(here, session.id, { prompt: "ours" });
    await statusBecomes(here, operation_id, "completed");
    expect((await here.rest(`GET /sessions/${session.id}`)).json).toMatchObject({ operation_id, last_prompt: "ours" });
  });
});
