import { describe, expect, test } from "vitest";
import type { Question } from "../../../core/events.ts";
import { caller, sidecarNode } from "../../../testing/sidecar-node.ts";

const confirm: Question = { kind: "confirm", title: "Go on?", message: "", callId: "call-1", allowRemember: true };
const items = [
  { id: "a", label: "A" },
  { id: "b", label: "B" },
];

/** A session in which something was asked. */
async function asked(...questions: [Question, ...Question[]]) {
  const node = sidecarNode(async (_, io) => JSON.stringify(await Promise.all(questions.map((each) => io.ask(each)))));
  const sessionId = await node.create();
  await node.send(sessionId, "ask");
  await node.event(sessionId, "ask.opened", questions.length);
  const askIds = (await node.events(sessionId, "ask.opened")).map(({ askId }) => askId);
  const approve = (params: object, by?: Parameters<typeof node.call>[2]) =>
    node.call("session.approve", { sessionId, ...params }, by);
  const replies = async () => JSON.parse((await node.event(sessionId, "run.completed")).result.text);
  return { ...node, sessionId, askIds, askId: askIds[0] ?? "", approve, replies };
}

const accepted = { result: { accepted: true } };
const answered = (answer: unknown) => ({ outcome: "answered", answer });
const invalid = (message: string) => ({
  error: { code: -32602, message: "Invalid params", data: { code: "invalid_params", message } },
});

test("an ask is answered by its id, with the name of whoever did", async () => {
  const { approve, askId, replies, sessionId, event } = await asked(confirm);
  expect(await approve({ askId, approved: true, remember: true, reason: "fine" })).toEqual(accepted);
  expect(await replies()).toEqual([answered({ ok: true, remember: true, reason: "fine" })]);
  expect(await event(sessionId, "ask.closed")).toMatchObject({
    outcome: "answered",
    by: { dialect: "sidecar", client: "prompt approve", requestId: "r1" },
  });
});

test("it is answered by the id of its call, with a no as well", async () => {
  const { approve, replies } = await asked({ ...confirm, callId: "call-0" }, confirm);
  expect(await approve({ callId: "call-1", approved: false, reason: "not now" })).toEqual(accepted);
  expect(await approve({ callId: "call-0", approved: true })).toEqual(accepted);
  expect(await replies()).toEqual([answered({ ok: true }), answered({ ok: false, reason: "not now" })]);
});

test("one that is about no call is known by its own id where a call's is asked for, as in its tool.approval", async () => {
  const { approve, askId } = await asked({ kind: "confirm", title: "Go on?", message: "" });
  expect(await approve({ callId: askId, approved: true })).toEqual(accepted);
});

test("both ids must be of the same ask", async () => {
  const { approve, askIds } = await asked({ ...confirm, callId: "call-0" }, confirm);
  expect(await approve({ askId: askIds[0], callId: "call-1", approved: true })).toMatchObject({
    error: { code: -32602, message: "Invalid params", data: { code: "ask_not_found" } },
  });
  expect(await approve({ askId: askIds[1], callId: "call-1", approved: true })).toEqual(accepted);
});

describe("a question", () => {
  const prompt: Question = { kind: "prompt", title: "Which name?", message: "" };
  const pick: Question = { kind: "pick", title: "Which one?", message: "", items };
  const other = { id: "other", label: "Something else" };
  const open: Question = { ...pick, items: [...items, other], allowText: true };

  test.each<[Question, object, object]>([
    [prompt, { approved: true, value: "Ada" }, { value: "Ada" }],
    [prompt, { approved: true, value: "" }, { value: "" }],
    [prompt, { approved: false }, { value: null }],
    [prompt, { approved: false, value: "Ada" }, { value: null }],
    [pick, { approved: true, ids: ["b"] }, { ids: ["b"] }],
    [pick, { approved: false }, { ids: [] }],
    [pick, { approved: true, ids: ["b"], value: "B" }, { ids: ["b"] }],
    [open, { approved: true, value: "neither" }, { ids: [], text: "neither" }],
    [open, { approved: true, ids: ["other"], value: "neither" }, { ids: ["other"], text: "neither" }],
    [open, { approved: true, ids: ["other"], value: null }, { ids: ["other"] }],
    [open, { approved: false, value: "neither" }, { ids: [] }],
    [{ ...pick, multi: true }, { approved: true, ids: ["b", "a"] }, { ids: ["b", "a"] }],
  ])("%j is answered by %j", async (question, given, answer) => {
    const { approve, askId, replies } = await asked(question);
    expect(await approve({ askId, ...given })).toEqual(accepted);
    expect(await replies()).toEqual([answered(answer)]);
  });

  test.each<[Question, object, string]>([
    [prompt, { approved: true }, '"Which name?" asks for a text: give it as value.'],
    [prompt, { approved: true, value: null }, '"Which name?" asks for a text: give it as value.'],
    [pick, { approved: true }, '"Which one?" asks for a choice: give it as ids.'],
    [pick, { approved: true, value: "neither" }, '"Which one?" asks for a choice: give it as ids.'],
    [open, { approved: true }, '"Which one?" asks for a choice: give it as ids, or your own words as value.'],
    [
      open,
      { approved: true, ids: ["a"], value: "neither" },
      "Pick, or say it in your own words: both together are no answer.",
    ],
    [pick, { approved: true, ids: ["c"] }, "Not among the choices: c."],
    [pick, { approved: true, ids: ["a", "b"] }, "Only one can be picked."],
  ])("%j is not answered by %j, and stays open", async (question, given, message) => {
    const { approve, askId } = await asked(question);
    expect(await approve({ askId, ...given })).toEqual(invalid(message));
    expect(await approve({ askId, approved: false })).toEqual(accepted);
  });
});

test("who comes late is told who was faster", async () => {
  const { approve, askId, sessionId, runtime, replies } = await asked(confirm);
  const session = await runtime.open(sessionId);
  await session.answer(askId, { ok: true }, { dialect: "ui", user: "Ada" });
  const late = {
    error: {
      code: -32602,
      message: "Invalid params",
      data: {
        code: "ask_closed",
        message: "The ask was already answered by Ada.",
        details: { askId, outcome: "answered", by: { dialect: "ui", user: "Ada" } },
      },
    },
  };
  expect(await approve({ askId, approved: true })).toEqual(late);
  expect(await approve({ callId: "call-1", approved: false })).toEqual(late);
  await replies();
  expect(await approve({ askId, approved: true })).toEqual(late);
});

test.each([
  [{ askId: "gone" }, "There is no ask gone in this session. The session's stream names each in a tool.approval."],
  [
    { callId: "gone" },
    "There is no ask about the call gone in this session. The session's stream names each in a tool.approval.",
  ],
])("there is none for %j", async (which, message) => {
  const { approve } = await asked(confirm);
  expect(await approve({ ...which, approved: true })).toEqual({
    error: { code: -32602, message: "Invalid params", data: { code: "ask_not_found", message } },
  });
});

test("an ask of another session is none of this one", async () => {
  const { approve, askId, create } = await asked(confirm);
  expect(await approve({ sessionId: await create(), askId, approved: true })).toMatchObject({
    error: { data: { code: "ask_not_found" } },
  });
});

describe("a tool that the plugin executes", () => {
  const question: Question = {
    kind: "tool",
    title: "Commit",
    message: "",
    tool: "git_commit",
    args: {},
    callId: "call-1",
  };

  test("is never answered by session.approve, which would be a forged result", async () => {
    const node = sidecarNode(async (_, io) => JSON.stringify(await io.ask({ ...question, needsApproval: true })));
    const sessionId = await node.create();
    const session = await node.runtime.open(sessionId);
    session.attach(["tool"]);
    await node.send(sessionId, "commit");
    const { askId } = await node.event(sessionId, "ask.opened");
    const forged = { approved: true, success: true, result: { commitSha: "forged" }, ok: true };
    for (const which of [{ askId }, { callId: "call-1" }]) {
      for (const by of [undefined, caller("approve"), caller("admin")]) {
        expect(await node.call("session.approve", { sessionId, ...which, ...forged }, by)).toEqual({
          error: {
            code: -32600,
            message: "Invalid Request",
            data: {
              code: "forbidden",
              message: "Only the plugin that executes the tool answers this, by its reply to the callback.",
            },
          },
        });
      }
    }
    expect(await node.events(sessionId, "ask.closed")).toEqual([]);
  });
});
