import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Question } from "../core/events.ts";
import { calls } from "../dialects/operations/calls.ts";
import { errorBody } from "../dialects/operations/errors.ts";
import { roles } from "../dialects/operations/server/roles.ts";
import { etagOf } from "../operations/features/index.ts";
import { FEATURE, operationsNodes, SPEC, stepwise } from "../testing/operations-node.ts";
import { until } from "../testing/scripted.ts";

const node = operationsNodes();
const UNKNOWN = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";

const pick: Question = {
  kind: "pick",
  title: "Which one?",
  message: "It matters.",
  items: [
    { id: "a1", label: "The first" },
    { id: "b2", label: "The \u001b[31msecond" },
  ],
  source: { path: `specs/${FEATURE}/spec.md`, line: 3, quote: "Users sign in." },
};

describe("documents", () => {
  test("are read with their etag, and not again by who has them", async () => {
    const { rest } = await node(async () => "");
    const { status, json, headers } = await rest(`GET /features/${FEATURE}/spec`);
    expect([status, json]).toEqual([
      200,
      { name: "spec", path: `specs/${FEATURE}/spec.md`, content: SPEC, etag: etagOf(SPEC) },
    ]);
    expect(headers.etag).toBe(`"${etagOf(SPEC)}"`);
    const again = await rest(`GET /features/${FEATURE}/spec`, undefined, undefined, {
      "If-None-Match": headers.etag ?? "",
    });
    expect([again.status, again.body]).toEqual([304, ""]);
  });

  test("are written for who has read what is there, by the header or by the body", async () => {
    const { rest, workspace } = await node(async () => "");
    const file = join(workspace, "specs", FEATURE, "spec.md");
    const first = await rest(`PUT /features/${FEATURE}/spec`, { content: "# Übersicht\n", if_match: etagOf(SPEC) });
    expect([first.status, calls["PUT /features/{id}/spec"].result.parse(first.json).etag]).toEqual([
      200,
      etagOf("# Übersicht\n"),
    ]);
    expect(readFileSync(file, "utf8")).toBe("# Übersicht\n");
    const ifMatch = { "If-Match": first.headers.etag ?? "" };
    const second = await rest(`PUT /features/${FEATURE}/spec`, { content: "# Two\n" }, undefined, ifMatch);
    expect([second.status, readFileSync(file, "utf8")]).toEqual([200, "# Two\n"]);
    const stale = await rest(`PUT /features/${FEATURE}/spec`, { content: "# Three\n" }, undefined, ifMatch);
    expect([stale.status, errorBody.parse(stale.json).error.code]).toEqual([412, "PRECONDITION_FAILED"]);
    expect(readFileSync(file, "utf8")).toBe("# Two\n");
  });

  test("are made where there are none, and only then, by who says so", async () => {
    const { rest } = await node(async () => "");
    const isNew = { "If-None-Match": "*" };
    const first = await rest(`PUT /features/${FEATURE}/plan`, { content: "# Plan\n" }, undefined, isNew);
    const second = await rest(`PUT /features/${FEATURE}/plan`, { content: "# Other\n" }, undefined, isNew);
    const any = await rest(`PUT /features/${FEATURE}/plan`, { content: "# Other\n" }, undefined, { "If-Match": "*" });
    const none = await rest(`PUT /features/${FEATURE}/task`, { content: "# T\n" }, undefined, { "If-Match": "*" });
    expect([first.status, second.status, any.status, none.status]).toEqual([200, 412, 200, 412]);
  });

  test.each<
    [what: string, request: string, body: unknown, headers: Record<string, string>, status: number, code: string]
  >([
    ["a spec over 100 KB", "PUT /features/f/spec", { content: "x".repeat(100_001) }, {}, 413, "TOO_LARGE"],
    ["a task over 200 KB", "PUT /features/f/task", { content: "x".repeat(200_001) }, {}, 413, "TOO_LARGE"],
    ["more than any document", "PUT /features/f/spec", { content: "x".repeat(2_000_000) }, {}, 413, "TOO_LARGE"],
    ["no content", "PUT /features/f/spec", {}, {}, 400, "INVALID_PARAMETERS"],
    ["no object", "PUT /features/f/spec", ["x"], {}, 400, "INVALID_REQUEST"],
    ["a name that is none", "PUT /features/..%2fetc/spec", { content: "x" }, {}, 400, "INVALID_REQUEST"],
    ["a name with dots", "PUT /features/a..b/spec", { content: "x" }, {}, 400, "INVALID_PARAMETERS"],
    [
      "two etags that differ",
      "PUT /features/f/spec",
      { content: "x", if_match: "a" },
      { "If-Match": '"b"' },
      400,
      "INVALID_REQUEST",
    ],
    ["a document that there is not", `GET /features/${FEATURE}/plan`, undefined, {}, 404, "DOCUMENT_NOT_FOUND"],
    ["a feature that there is not", "GET /features/none/spec", undefined, {}, 404, "DOCUMENT_NOT_FOUND"],
    ["a path that there is not", `GET /features/${FEATURE}/notes`, undefined, {}, 404, "NOT_FOUND"],
    ["a method that there is not", `POST /features/${FEATURE}/spec`, {}, {}, 405, "NOT_FOUND"],
    [
      "another type than JSON",
      `PUT /features/${FEATURE}/spec`,
      {},
      { "Content-Type": "text/plain" },
      415,
      "INVALID_REQUEST",
    ],
  ])("%s is refused in the form of the document", async (_, request, body, headers, status, code) => {
    const { rest } = await node(async () => "");
    const answered = await rest(request, body, undefined, headers);
    const { error } = errorBody.parse(answered.json);
    expect([answered.status, error.code]).toEqual([status, code]);
    expect(error.request_id).toBe(answered.headers["x-request-id"]);
    expect(error.message).not.toBe("");
  });
});

describe("features", () => {
  test("are listed, made, and looked at", async () => {
    const { rest } = await node(async () => "");
    const made = await rest("POST /features", { id: "002-logout", title: "Sign out" });
    expect([made.status, made.headers.location]).toEqual([201, "/api/v1/features/002-logout"]);
    expect(calls["POST /features"].result.parse(made.json).content).toMatch(/^# Feature Specification: Sign out\n/);
    const again = await rest("POST /features", { id: "002-logout" });
    expect([again.status, again.json.error.code]).toEqual([409, "CONFLICT"]);
    const { json } = await rest("GET /features");
    expect(calls["GET /features"].result.parse(json).features.map(({ id, title }) => [id, title])).toEqual([
      [FEATURE, "Login"],
      ["002-logout", "Sign out"],
    ]);
    const one = await rest(`GET /features/${FEATURE}`);
    expect(calls["GET /features/{id}"].result.parse(one.json)).toEqual({
      id: FEATURE,
      title: "Login",
      documents: [{ name: "spec", path: `specs/${FEATURE}/spec.md`, etag: etagOf(SPEC), bytes: SPEC.length }],
    });
  });
});

describe("an operation", () => {
  test("is started with 202 and where to watch it, without a secret in the address", async () => {
    const { rest, world, log } = await node(async () => "");
    const { status, json, headers } = await rest(`POST /features/${FEATURE}/plan`, { replace: true, push: false });
    const { operation_id } = json;
    expect([status, calls["POST /features/{id}/plan"].result.parse(json)]).toEqual([
      202,
      {
        operation_id,
        status: "running",
        websocket_url: `ws://127.0.0.1:${world.port}/ws?operation_id=${operation_id}`,
        estimated_duration_seconds: expect.any(Number),
      },
    ]);
    expect(headers.location).toBe(`/api/v1/operations/${operation_id}`);
    expect((await log()).find(({ type }) => type === "run.started")).toMatchObject({
      runId: operation_id,
      kind: "operation",
      input: { action: "plan", args: { feature: FEATURE, replace: true, push: false } },
      by: { dialect: "operations", client: "prompt approve" },
      rules: { deny: [], ask: [], allow: [{ tool: "spec_save" }] },
    });
  });

  test("is refused while another one runs on the feature, which is named", async () => {
    const { script, end, running } = stepwise();
    const { rest, start, said } = await node(script);
    const operation_id = await start();
    await running;
    const answers = await Promise.all(
      ["clarify", "analyze"].map((action) => rest(`POST /features/${FEATURE}/${action}`)),
    );
    for (const { status, json } of answers) {
      expect([status, json.error.code, json.error.details]).toEqual([409, "OPERATION_RUNNING", [{ operation_id }]]);
    }
    await end();
    await until(async () => (await said(operation_id)).at(-1)?.type === "complete", "the end");
    expect((await rest(`POST /features/${FEATURE}/analyze`)).status).toBe(202);
  });

  test("that is asked for twice at once is started once", async () => {
    const { script } = stepwise();
    const { rest, log } = await node(script);
    const answers = await Promise.all(Array.from({ length: 5 }, () => rest(`POST /features/${FEATURE}/clarify`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409]);
    expect((await log()).filter(({ type }) => type === "run.started")).toHaveLength(1);
    const started = answers.find(({ status }) => status === 202)?.json.operation_id;
    const refused = answers.filter(({ status }) => status === 409).map(({ json }) => json.error.details);
    expect(refused).toEqual(Array(4).fill([{ operation_id: started }]));
  });

  test.each<[what: string, path: string, body: unknown, status: number, code: string]>([
    ["on a feature without a document", "/features/none/analyze", undefined, 404, "DOCUMENT_NOT_FOUND"],
    ["by a model that there is not", `/features/${FEATURE}/plan`, { model: "gpt-0" }, 400, "INVALID_PARAMETERS"],
    ["by an engine that there is not", `/features/${FEATURE}/plan`, { engine: "none" }, 400, "INVALID_PARAMETERS"],
    ["with what is no option", `/features/${FEATURE}/plan`, { push: "yes" }, 400, "INVALID_PARAMETERS"],
  ])("is not started %s", async (_, path, body, status, code) => {
    const { rest, log } = await node(async () => "");
    const answered = await rest(`POST ${path}`, body);
    expect([answered.status, errorBody.parse(answered.json).error.code]).toEqual([status, code]);
    expect(await log()).toEqual([]);
  });

  test("that needs a spec is not started where there is only a plan, and analyze is", async () => {
    const { rest } = await node(async () => "", { withoutSpec: true });
    await rest("PUT /features/003-x/plan", { content: "# Plan\n" });
    const statuses = [];
    for (const action of ["clarify", "plan", "analyze"])
      statuses.push((await rest(`POST /features/003-x/${action}`)).status);
    expect(statuses).toEqual([404, 404, 202]);
  });

  test("is told with its questions, what was answered, and what came of it", async () => {
    const { rest, start, clock } = await node(async (_, io) => {
      const [first] = await Promise.all([io.ask(pick), io.ask({ kind: "prompt", title: "How long?", message: "" })]);
      return { text: "# Report", description: "All done.", data: { answer: first, score: 85 } } as unknown as string;
    });
    const operationId = await start();
    const state = async () =>
      calls["GET /operations/{id}"].result.parse((await rest(`GET /operations/${operationId}`)).json);
    await until(async () => (await state()).questions.length === 2, "both questions");
    const waiting = await state();
    const [q1, q2] = waiting.questions;
    const expires_at = new Date(clock.now() + 60 * 60_000).toISOString();
    expect(waiting).toEqual({
      operation_id: operationId,
      feature: FEATURE,
      kind: "clarify",
      status: "waiting",
      engine: "scripted",
      started_at: "2026-01-01T00:00:00.000Z",
      ended_at: null,
      questions: [
        {
          ask_id: q1?.ask_id,
          name: "Q1",
          kind: "pick",
          question: "Which one?",
          context: "It matters.",
          options: [
            { letter: "A", id: "a1", label: "The first" },
            { letter: "B", id: "b2", label: "The second" },
          ],
          source: pick.source,
          status: "pending",
          expires_at,
        },
        {
          ask_id: q2?.ask_id,
          name: "Q2",
          kind: "prompt",
          question: "How long?",
          options: [],
          status: "pending",
          expires_at,
        },
      ],
      result: null,
      report: null,
      message: "Waiting for 2 answers.",
    });
    const answer = (ask_id: string | undefined, given: unknown) =>
      rest(`POST /operations/${operationId}/answer`, { ask_id, answer: given });
    const wrong = await answer(q1?.ask_id, "C");
    expect([wrong.status, wrong.json.error]).toEqual([
      400,
      {
        code: "INVALID_PARAMETERS",
        message: "This is no answer to the question. Answer with one of A, B, its id or its words.",
        details: [{ ask_id: q1?.ask_id, kind: "pick", multi: false, options: q1?.options }],
        request_id: wrong.headers["x-request-id"],
      },
    ]);
    expect((await answer(q1?.ask_id, "the second")).json).toEqual({ ok: true, ask_id: q1?.ask_id, pending: 1 });
    expect((await answer(q2?.ask_id, "a week")).status).toBe(200);
    await until(async () => (await state()).status === "completed", "the end");
    expect(await state()).toMatchObject({
      status: "completed",
      ended_at: "2026-01-01T00:00:00.000Z",
      questions: [
        { status: "answered", answer: "The second", answered_by: "prompt approve" },
        { status: "answered", answer: "a week" },
      ],
      result: { answer: { outcome: "answered", answer: { ids: ["b2"] } }, score: 85 },
      report: "# Report",
      message: "All done.",
    });
    const late = await answer(q1?.ask_id, "A");
    expect([late.status, late.json.error.code, late.json.error.details]).toEqual([
      409,
      "QUESTION_CLOSED",
      [{ ask_id: q1?.ask_id, outcome: "answered", by: "prompt approve" }],
    ]);
    const { json } = await rest(`GET /operations?feature=${FEATURE}`);
    expect(json.operations).toEqual([await state()]);
    expect((await rest(`GET /features/${FEATURE}`)).json.operation).toEqual(await state());
  });

  test("that failed says why, and one that was cancelled that it was", async () => {
    const { script, running } = stepwise();
    const { rest, start } = await node(async (turn, io, signal) => {
      if (turn.input.action === "analyze") throw new Error("no \u001b[31mluck");
      return script(turn, io, signal);
    });
    const state = async (id: string) => (await rest(`GET /operations/${id}`)).json;
    const failed = await start("analyze");
    await until(async () => (await state(failed)).status === "failed", "the failure");
    expect((await state(failed)).message).toBe("scripted: no luck");
    const cancelled = await start("plan");
    await running;
    const { json } = await rest(`POST /operations/${cancelled}/cancel`, { reason: "enough" });
    expect(json).toEqual({ ok: true, status: "cancelling" });
    await until(async () => (await state(cancelled)).status === "cancelled", "the cancel");
    const again = await rest(`POST /operations/${cancelled}/cancel`);
    expect([again.status, again.json]).toEqual([200, { ok: false, status: "cancelled" }]);
    const { operations } = (await rest(`GET /operations?feature=${FEATURE}&limit=1`)).json;
    expect(operations.map((one: { operation_id: string }) => one.operation_id)).toEqual([cancelled]);
  });

  test("is told of as the latest, though something else ran in its session since", async () => {
    const { rest, start, runtime, sessionId, store } = await node(async () => "done");
    const ended = () => until(async () => (await store.session(sessionId))?.run?.status === "completed", "the end");
    const first = await start();
    await ended();
    const second = await start();
    await ended();
    const session = await runtime.open(sessionId);
    for (let number = 0; number < 210; number++) {
      await session.prompt({ kind: "prompt", input: { text: "go" }, by: { dialect: "ui" }, whenBusy: "queue" });
    }
    await session.settled();
    const latest = async (limit: number) => {
      const { json } = await rest(`GET /operations?feature=${FEATURE}&limit=${limit}`);
      return json.operations.map((one: { operation_id: string }) => one.operation_id);
    };
    expect([await latest(1), await latest(2), await latest(3)]).toEqual([[second], [second, first], [second, first]]);
    expect((await rest(`GET /features/${FEATURE}`)).json.operation).toMatchObject({ operation_id: second });
  });

  test("has a history that is read in pages, the same to the byte", async () => {
    const { script, speak, end } = stepwise();
    const { rest, start, watch } = await node(script);
    const operationId = await start();
    const client = await watch(`operation_id=${operationId}`);
    await speak(...Array.from({ length: 10 }, (_, line) => `thought ${line} é`));
    await end();
    await client.hears(({ type }) => type === "complete");
    const sent = client.received.slice(1);
    const page = async (query: string) => {
      const { body } = await rest(`GET /operations/${operationId}/messages${query}`);
      return Buffer.from(body, "latin1").toString();
    };
    const whole = (messages: string[], more: boolean) =>
      `{"operation_id":"${operationId}","messages":[${messages.join(",")}],"more":${more}}`;
    expect(await page("")).toBe(whole(sent, false));
    expect(await page("?limit=4")).toBe(whole(sent.slice(0, 4), true));
    expect(await page("?after=3&limit=7")).toBe(whole(sent.slice(4), false));
    expect(await page("?after=99")).toBe(whole([], false));
    for (const query of ["?after=x", "?limit=0", "?limit=1001", "?after=-2"]) {
      expect((await rest(`GET /operations/${operationId}/messages${query}`)).status).toBe(400);
    }
  });

  test("has a history of which no page is larger than can be sent at once", async () => {
    const { script, running, end } = stepwise();
    const { rest, start, watch } = await node(script);
    const operationId = await start();
    const client = await watch(`operation_id=${operationId}`);
    const io = await running;
    for (let number = 0; number < 250; number++) {
      await io.emit({ type: "text.delta", of: "answer", text: `${"x".repeat(9900)}\n` });
    }
    await end();
    await client.hears(({ type }) => type === "complete");
    const page = async (after: number) =>
      calls["GET /operations/{id}/messages"].result.parse(
        (await rest(`GET /operations/${operationId}/messages?after=${after}&limit=1000`)).json,
      );
    const first = await page(-1);
    const length = first.messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
    expect(length).toBeGreaterThan(1_900_000);
    expect(length).toBeLessThanOrEqual(2_000_000);
    const last = await page(first.messages.length - 1);
    expect([first.more, last.more, first.messages.length + last.messages.length]).toEqual([true, false, 251]);
  });

  test.each(["", "/messages"])("that there is not is not found%s", async (path) => {
    const { rest } = await node(async () => "");
    for (const id of [UNKNOWN, "op_abc123"]) {
      const { status, json } = await rest(`GET /operations/${id}${path}`);
      expect([status, errorBody.parse(json).error.code]).toEqual([404, "OPERATION_NOT_FOUND"]);
    }
  });
});

describe("roles", () => {
  test("each call takes the one that it says, and no other is let through", async () => {
    const { rest, token } = await node(async () => "");
    const tokens = { observe: await token("observe"), prompt: await token("prompt"), approve: await token("approve") };
    for (const [call, role] of Object.entries(roles)) {
      const request = call.replace("{id}", UNKNOWN);
      for (const [held, by] of Object.entries(tokens)) {
        const { status } = await rest(request, call.startsWith("GET") ? undefined : {}, by);
        const isLetIn = held === role || role === "observe";
        expect([call, held, status === 403]).toEqual([call, held, !isLetIn]);
      }
    }
  });

  test("without a token nothing is told but that one is needed, in the form of the document", async () => {
    const { world } = await node(async () => "");
    const answered = await world.ask({ path: `/api/v1/features/${FEATURE}/spec` });
    const { error } = errorBody.parse(JSON.parse(answered.body));
    expect([answered.status, error.code]).toEqual([401, "UNAUTHORIZED"]);
  });

  test("an operation that someone starts who may only prompt can be answered by someone who may approve", async () => {
    const { start, rest, token } = await node(async (_, io) => JSON.stringify(await io.ask(pick)));
    const operationId = await start("clarify", undefined, await token("prompt"));
    const state = async () => (await rest(`GET /operations/${operationId}`)).json;
    await until(async () => (await state()).status === "waiting", "the question");
    const [{ ask_id }] = (await state()).questions;
    const body = { ask_id, answer: { ids: ["a1"] } };
    expect((await rest(`POST /operations/${operationId}/answer`, body, await token("prompt"))).status).toBe(403);
    expect((await rest(`POST /operations/${operationId}/answer`, body, await token("approve"))).status).toBe(200);
    await until(async () => (await state()).status === "completed", "the end");
  });
});
