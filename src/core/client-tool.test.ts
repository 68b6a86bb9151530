import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import * as z from "zod";
import { memoryStore } from "../stores/memory.ts";
import { me, ofType, prompt } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, until } from "../testing/scripted.ts";
import { ManualClock } from "./clock.ts";
import type { ToolAnswer } from "./engine.ts";
import { noRules, type RuleBook } from "./rules.ts";
import { Runtime } from "./runtime.ts";
import type { Tool, ToolReply } from "./tool.ts";

type Change = Partial<Tool<{ text: string }>>;
interface Setting {
  tools?: string[];
  change?: Change;
  name?: string;
  ruleBook?: RuleBook;
  attached?: boolean;
}

/** A run that calls one tool, which the client of the session runs. */
async function calling({ tools = ["note"], change, name = "note", ruleBook = noRules, attached = true }: Setting = {}) {
  const clock = new ManualClock();
  const store = memoryStore({ clock });
  const done: string[] = [];
  const note: Tool<{ text: string }> = {
    name: "note",
    description: "",
    kind: "edit",
    risk: "edit",
    args: z.object({ text: z.string() }),
    intent: async () => ({ title: "Note it", detail: "in a book", targets: [], diff: "+a" }),
    run: async ({ text }) => {
      done.push(text);
      return { result: { noted: text } };
    },
    ...change,
  };
  let reply: ToolReply | undefined;
  const engine = scripted(async (_, io) => {
    reply = await io.tool(name, { text: "a" });
    return "";
  });
  const runtime = new Runtime({ store, engines: [engine], tools: [note], ruleBook, clock });
  const clientTools = { tools, timeoutMs: 60_000 };
  const session = await runtime.create({ workspace: tmpdir(), engine: "scripted", clientTools });
  if (attached) session.attach(["tool"]);
  const { runId } = await prompt(session, "go");
  const log = () => readAll(store, session.id);
  const asked = async () => {
    await until(async () => ofType(await log(), "ask.opened").length > 0, "an ask");
    const [ask] = ofType(await log(), "ask.opened");
    if (!ask) throw new Error();
    return ask;
  };
  const ended = async () => {
    await session.settled();
    return reply;
  };
  const answered = async (answer: ToolAnswer) => {
    await session.answer((await asked()).askId, answer, me);
    return ended();
  };
  return { session, clock, done, runId, log, asked, ended, answered };
}

const allowing: RuleBook = { ...noRules, read: async () => ({ trusted: false, deny: [], allow: [{ tool: "note" }] }) };
const denying: RuleBook = { ...noRules, read: async () => ({ trusted: false, allow: [], deny: [{ tool: "note" }] }) };

test("a tool of the client is put to it as an ask with its arguments, and its answer is the result", async () => {
  const { asked, answered, done, log } = await calling();
  expect(await asked()).toMatchObject({
    kind: "tool",
    title: "Note it?",
    message: "in a book",
    tool: "note",
    args: { text: "a" },
    diff: "+a",
    needsApproval: true,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const { callId, expiresAt, at } = await asked();
  expect(expiresAt - at).toBe(60_000);
  expect(await answered({ success: true, result: { sha: "1" } })).toEqual({
    outcome: "done",
    callId,
    result: { sha: "1" },
    diff: "+a",
  });
  expect(done).toEqual([]);
  const types = (await log()).map(({ type }) => type);
  expect(types.slice(2, -1)).toEqual(["tool.requested", "ask.opened", "ask.closed", "tool.finished"]);
});

test("what is allowed is put to the client without a word about approval", async () => {
  const { asked } = await calling({ ruleBook: allowing });
  expect(await asked()).toMatchObject({ kind: "tool", title: "Note it", needsApproval: false });
});

test("what is denied is never put to the client", async () => {
  const { ended, log } = await calling({ ruleBook: denying });
  expect(await ended()).toMatchObject({ outcome: "denied", message: "A rule denies every note.", goOn: true });
  expect(ofType(await log(), "ask.opened")).toEqual([]);
});

test.each<[string, ToolAnswer, Partial<ToolReply>]>([
  [
    "in the document's words, with what the user said",
    { success: false, error: "User denied tool execution", userMessage: "not on a Friday" },
    { outcome: "denied", message: "not on a Friday", goOn: true },
  ],
  [
    "without a word, which stops the turn",
    { success: false, error: "User denied tool execution" },
    { outcome: "denied", message: "User denied tool execution", goOn: false },
  ],
  [
    "by saying so outright",
    { success: false, denied: true, error: "nope" },
    { outcome: "denied", message: "nope", goOn: false },
  ],
])("a client denies it %s", async (_, answer, expected) => {
  const { answered } = await calling();
  expect(await answered(answer)).toMatchObject(expected);
});

test.each<[ToolAnswer, string]>([
  [{ success: false, error: "nothing to commit" }, "nothing to commit"],
  [{ success: false, denied: false, error: "permission denied (publickey)" }, "permission denied (publickey)"],
  [{ success: false }, "The client could not do it, and did not say why."],
])("a client fails with %j", async (answer, message) => {
  const { answered } = await calling();
  expect(await answered(answer)).toMatchObject({ outcome: "failed", code: "tool_failed", message });
});

test("an approval that nobody gives in time is a no, and a tool that takes too long has failed", async () => {
  const late = async (ruleBook: RuleBook) => {
    const { asked, ended, clock } = await calling({ ruleBook });
    await asked();
    clock.advance(60_000);
    return ended();
  };
  expect(await late(noRules)).toMatchObject({ outcome: "denied", message: "Nobody answered in time.", goOn: true });
  expect(await late(allowing)).toMatchObject({ outcome: "failed", code: "tool_timeout" });
});

test("a client that is not there fails the call and says so", async () => {
  const { ended } = await calling({ attached: false });
  expect(await ended()).toMatchObject({
    outcome: "failed",
    code: "no_one_to_ask",
    message: "The client that runs note for this session is not there. Connect it, and ask again.",
  });
});

test("a cancelled run takes the call back from the client", async () => {
  const { session, runId, asked, ended, log } = await calling();
  await asked();
  await session.cancel(runId, "enough", me);
  expect(await ended()).toMatchObject({ outcome: "failed", code: "cancelled" });
  expect(ofType(await log(), "ask.closed")).toMatchObject([{ outcome: "withdrawn" }]);
});

test("a tool that only the client knows is asked about and run by it", async () => {
  const { asked, answered } = await calling({ tools: ["ide.open"], name: "ide.open" });
  expect(await asked()).toMatchObject({ kind: "tool", tool: "ide.open", title: "Run ide.open?", needsApproval: true });
  expect(await answered({ success: true })).toMatchObject({ outcome: "done", result: null });
});

test("a tool that nobody knows is still none", async () => {
  const { ended } = await calling({ tools: ["ide.open"], name: "other" });
  expect(await ended()).toMatchObject({ outcome: "failed", code: "unknown_tool" });
});

test("the client may be asked another call, and its answer is put into the tool's own form", async () => {
  const client: Change["client"] = async ({ text }) => ({
    tool: "write",
    args: { path: "book", content: text },
    result: () => ({ noted: "by the client" }),
  });
  const { asked, answered } = await calling({ change: { client } });
  expect(await asked()).toMatchObject({ tool: "write", args: { path: "book", content: "a" } });
  expect(await answered({ success: true, result: 1 })).toMatchObject({ result: { noted: "by the client" } });
});

const looking: Change = { risk: "read", kind: "read" };

test.each<[string, ToolAnswer, Change]>([
  ["does not have it", { success: false, error: "unknown tool" }, looking],
  [
    "answers in another form",
    { success: true, result: 7 },
    { ...looking, client: async () => ({ result: () => undefined }) },
  ],
])("what only looks is done here when the client %s", async (_, answer, change) => {
  const { answered, done, log } = await calling({ change });
  expect(await answered(answer)).toMatchObject({ outcome: "done", result: { noted: "a" } });
  expect(done).toEqual(["a"]);
  expect(ofType(await log(), "note")).toMatchObject([{ level: "info", source: "core" }]);
});

test("what only looks is not done here when someone said no, or would have to be asked", async () => {
  const denied = await calling({ change: looking });
  expect(await denied.answered({ success: false, denied: true })).toMatchObject({ outcome: "denied" });
  const outside = { path: "b", real: "/b", outside: true, control: false, writes: false };
  const intent = async () => ({ title: "Look", targets: [outside] });
  const asked = await calling({ change: { ...looking, intent } });
  expect(await asked.answered({ success: false, error: "broken" })).toMatchObject({ outcome: "failed" });
  expect([...denied.done, ...asked.done]).toEqual([]);
});
