import { describe, expect, test } from "vitest";
import { Runtime } from "../../core/runtime.ts";
import { specTools } from "../../operations/tools/index.ts";
import { memoryStore } from "../../stores/memory.ts";
import { answeringServers } from "../../testing/answering-server.ts";
import { lostProcess } from "../../testing/one-session.ts";
import { scripted } from "../../testing/scripted.ts";
import { temporaryWorkspaces } from "../../testing/workspace.ts";
import { tools } from "../../tools/index.ts";
import { withOperations } from "../operating.ts";
import { modelEngine } from "./index.ts";
import { modelSession, modelWorld, talkIn } from "./model-world.test.data.ts";

const world = modelWorld();
const newWorkspace = temporaryWorkspaces();
const server = answeringServers();

describe("a prompt", () => {
  test("is answered piece by piece, with what the model thinks, and what it has used", async () => {
    const { run } = await world.session({ contextWindow: 8000 });
    const told = await run("[[think They want a word.]] [[say Here is a word, and another one.]]");
    expect(told.text).toBe("Here is a word, and another one.");
    const said = told.of("text.delta");
    expect(said.length).toBeGreaterThan(1);
    expect(said.map(({ text }) => text).join("")).toBe(told.text);
    expect(said.every((event) => event.of === "answer")).toBe(true);
    const thought = told.of("thinking.delta").map(({ text }) => text);
    expect(thought.join("")).toBe("They want a word.");
    const [usage] = told.of("usage.updated");
    expect(usage).toMatchObject({ contextSize: 8000, input: expect.any(Number), output: 13 });
    expect(usage?.contextUsed).toBe((usage?.input ?? 0) + 13);
    expect(told.notes).toEqual([]);
  });

  test("is sent as it is, with what the user is looking at, and word of what the model cannot do", async () => {
    const { run } = await world.session();
    const context = [
      { path: "a.ts", startLine: 3, endLine: 5, content: "```\nx\n```" },
      { path: "b.ts", symbol: "f" },
    ];
    await run({ text: "What is this?", context });
    expect(world.lastMessages()).toEqual([
      { role: "system", content: expect.stringContaining("You have no tools here") },
      {
        role: "user",
        content: "The user is looking at:\n- a.ts, line 3-5\n````\n```\nx\n```\n````\n- b.ts, f\n\nWhat is this?",
      },
    ]);
  });

  test.each([
    [{ text: " " }, "invalid_params", "The prompt is empty. Say what to do."],
    [{ text: "make it", action: "generate" }, "engine_unavailable", 'A model alone has no action "generate".'],
  ])("that a model cannot answer is refused: %j", async (input, code, message) => {
    const { run } = await world.session();
    expect((await run(input)).failure).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test("carries the key, where there is one, and no other header of ours", async () => {
    const { run } = await world.session({ apiKey: "key-canary" });
    await run("hello");
    expect(world.stub.requests.at(-1)?.headers.authorization).toBe("Bearer key-canary");
    const { run: runWithout } = await world.session();
    await runWithout("hello");
    expect(world.stub.requests.at(-1)?.headers).not.toHaveProperty("authorization");
  });
});

describe("the model", () => {
  const asked = () => world.stub.requests.at(-1)?.body;

  test("is that of the run, or else that of the configuration, or else the first that there is", async () => {
    const { run } = await world.session({ model: "mine" });
    await run("hello", "another");
    expect(asked()).toMatchObject({ model: "another" });
    await run("hello");
    expect(asked()).toMatchObject({ model: "mine" });
    await (await world.session({ model: undefined })).run("hello");
    expect(asked()).toMatchObject({ model: "stub-model" });
  });

  test("must be named where the endpoint does not say which it has", async () => {
    const { url } = await server((_, response) => response.writeHead(404).end());
    const { run } = await modelSession(modelEngine({ baseUrl: url, apiKeyVariable: "MY_KEY" }));
    expect((await run("hello")).failure).toEqual({
      code: "invalid_params",
      message: `Which model of ${url} is to answer? It did not say which it has. Choose one with --model, DRAGOMAN_MODEL_NAME or modelEndpoint.model.`,
    });
  });
});

describe("what was said before", () => {
  test("is sent along, the answers too", async () => {
    const { run } = await world.session();
    await run("My name is Ada.");
    expect((await run("[[recall]]")).text).toBe("You said before:\n1. My name is Ada.");
    expect(world.lastMessages().slice(1)).toEqual([
      { role: "user", content: "My name is Ada." },
      { role: "assistant", content: "You said: My name is Ada." },
      { role: "user", content: "[[recall]]" },
    ]);
  });

  test("outlives the process, and is known of other engines' runs", async () => {
    const store = memoryStore();
    const other = scripted(async () => "Forty-two.", "other");
    const first = new Runtime({ store, engines: [world.engine(), other], identity: lostProcess() });
    const { id } = await first.create({ workspace: process.cwd(), engine: "other" });
    await talkIn(first, id).run("What is the answer?");
    await (await first.open(id)).update({ engine: "model" });
    await talkIn(first, id).run("Thank you.");
    const second = new Runtime({ store, engines: [world.engine()] });
    await second.own(id);
    await talkIn(second, id).run("[[recall]]");
    expect(world.lastMessages().map(({ content }) => content)).toEqual([
      expect.any(String),
      "What is the answer?",
      "Forty-two.",
      "Thank you.",
      "You said: Thank you.",
      "[[recall]]",
    ]);
  });

  test("is without what was cancelled or has failed", async () => {
    const { run, start, see, cancel, ended } = await world.session();
    await run("[[fail 400 no]]");
    const runId = await start("[[say Wait.]] [[wait 600000]]");
    await see("text.delta");
    await cancel(runId);
    await ended(runId);
    expect((await run("[[recall]]")).text).toBe("You said nothing before.");
  });

  test("goes back as far as it fits", async () => {
    const { run } = await world.session({ contextWindow: 1000 });
    for (const word of ["one", "two", "three"]) await run(`[[say ${word}]] ${"-".repeat(900)}`);
    await run("[[recall]]");
    expect(world.lastMessages().map(({ content }) => content.slice(0, 11))).toEqual([
      "You answer ",
      "[[say two]]",
      "two",
      "[[say three",
      "three",
      "[[recall]]",
    ]);
  });

  test("is halved where it is more than the model takes after all", async () => {
    const { url, requests } = await server((request, response) => {
      const { messages = [] } = request.method === "POST" ? JSON.parse(request.body) : {};
      if (messages.length > 4) {
        response.writeHead(400, { "content-type": "application/json" });
        return response.end('{"error":{"message":"the request exceeds the available context size"}}');
      }
      return response.end(streamOf({ content: `${messages.length}` }));
    });
    const { run } = await modelSession(modelEngine({ baseUrl: url, apiKeyVariable: "MY_KEY", model: "m" }));
    for (const text of ["one", "two"]) expect((await run(text)).text).toBe(text === "one" ? "2" : "4");
    const told = await run("three");
    expect(told.text).toBe("4");
    expect(told.notes).toEqual([
      "The conversation is too long for the model. It is asked again with less of what was said before.",
    ]);
    expect(requests.length).toBe(4);
  });

  test("is no matter of an operation, for which the model is asked about documents alone", async () => {
    const workspace = newWorkspace().files({
      "specs/001-login/spec.md": "# Sign in\n\n- **FR-001**: Users sign in.\n",
    });
    const engine = withOperations(world.engine(), { advises: true });
    const { run } = await modelSession(engine, { tools: [...tools, ...specTools(() => ({}))] }, workspace.path);
    await run("Call me Ada.");
    const told = await run({ text: "analyze 001-login", action: "analyze", args: { feature: "001-login" } });
    expect(told.of("tool.requested").map(({ tool }) => tool)).toContain("advice");
    expect(world.lastMessages().map(({ role }) => role)).toEqual(["system", "user"]);
    expect(JSON.stringify(world.lastMessages())).toContain("Users sign in.");
  });
});

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const streamOf = (delta: object, finish = "stop") => `${chunk(delta)}${chunk({}, finish)}data: [DONE]\n\n`;

describe("an answer", () => {
  const answering = async (text: string) => {
    const { url } = await server((_, response) => response.end(text));
    return modelSession(modelEngine({ baseUrl: url, apiKeyVariable: "MY_KEY", model: "m" }));
  };

  test.each([
    ["length", "The answer is not whole: the model came to the most that it may say at once. Ask it to go on."],
    ["content_filter", "The answer is not whole: the model's server holds the rest back (content filter)."],
  ])("that was stopped by %s is told of as not whole", async (finish, text) => {
    const told = await (await answering(streamOf({ content: "half" }, finish))).run("go");
    expect(told.text).toBe("half");
    expect(told.of("note")).toMatchObject([{ level: "warning", text, source: "model" }]);
  });

  test("that has no words is a failure, whatever was thought", async () => {
    const told = await (await answering(streamOf({ reasoning: "hm" }))).run("go");
    expect(told.of("thinking.delta")).toMatchObject([{ text: "hm" }]);
    expect(told.failure).toMatchObject({ code: "engine_failed", message: expect.stringMatching(/without a word/) });
  });

  test("of a server that does not count tokens says nothing of usage", async () => {
    expect((await (await answering(streamOf({ content: "hi" }))).run("go")).of("usage.updated")).toEqual([]);
  });
});
