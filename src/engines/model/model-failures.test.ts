import type { ServerResponse } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import { type Answer, answeringServers, json } from "../../testing/answering-server.ts";
import { settle, until } from "../../testing/scripted.ts";
import { type ModelOptions, modelEngine } from "./index.ts";
import { modelSession, modelWorld } from "./model-world.test.data.ts";

const world = modelWorld();
const newServer = answeringServers();

/** A session with the model of a server that answers like that. */
async function against(answer: Answer, options: Partial<ModelOptions> = {}, secrets: string[] = []) {
  const server = await newServer(answer);
  const engine = modelEngine({ baseUrl: `${server.url}/v1`, apiKeyVariable: "MY_KEY", model: "m", ...options });
  return { ...(await modelSession(engine, { secrets })), server, at: `The model at ${server.url}/v1` };
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const said = (text: string) => `${chunk({ content: text })}${chunk({}, "stop")}data: [DONE]\n\n`;
const error = (message: string) => ({ error: { message, type: "x", code: null } });

describe("a server that says no", () => {
  test.each([
    [401, "engine_auth", "No — set MY_KEY to its key."],
    [403, "engine_auth", "No — set MY_KEY to its key."],
    [404, "engine_failed", "No — check the address, which mostly ends with /v1, and the name of the model."],
    [400, "engine_failed", "No — ask in another way, or choose another model."],
    [413, "context_too_large", "No — start a new session, or ask for less at once."],
    [500, "engine_unavailable", "No (500) — its server is in trouble; try again later, or look at what it logs."],
    [503, "engine_unavailable", "No (503) — its server is in trouble; try again later, or look at what it logs."],
  ])("with %i fails the run as what it is", async (status, code, message) => {
    const { run } = await world.session();
    const before = world.stub.requests.length;
    expect((await run(`[[fail ${status} No]]`)).failure).toEqual({
      code,
      message: `The model at ${world.stub.url}/v1: ${message}`,
      data: { status },
    });
    expect(world.stub.requests.length - before).toBe(1);
  });

  test("to a key says which variable has it", async () => {
    const { run } = await world.session({ apiKey: "wrong-canary" });
    expect((await run("[[fail 401 No]]")).failure?.message).toBe(
      `The model at ${world.stub.url}/v1: No — the key in MY_KEY is not the right one for it, or may not do this.`,
    );
  });

  test.each([
    "This model's maximum context length is 8192 tokens.",
    "the request exceeds the available context size, try increasing it",
    "prompt is too long: 250000 tokens > 200000 maximum",
  ])("since it is too much (%s) is told as that", async (message) => {
    const { run } = await against((_, response) => json(response, error(message), 400));
    expect((await run("go")).failure).toMatchObject({ code: "context_too_large", data: { status: 400 } });
  });

  test.each<[string, string, string]>([
    ["a text", '{"error":"model not loaded"}', "model not loaded"],
    ["anything else", '{"detail":"not here"}', '{"detail":"not here"}'],
    ["a page", "<html>Bad Gateway</html>", "Bad Gateway"],
    ["nothing", "", "Bad Gateway"],
  ])("as %s is quoted as far as that helps", async (_, body, words) => {
    const { run, at } = await against((_, response) => response.writeHead(502).end(body));
    expect((await run("go")).failure?.message).toMatch(`${at}: ${words} (502)`);
  });

  test("in a stream that has not begun is told as what it says", async () => {
    const { run, at } = await against((_, response) =>
      response.end(`data: ${JSON.stringify(error("This model's maximum context length is 10 tokens."))}\n\n`),
    );
    expect((await run("go")).failure).toMatchObject({
      code: "context_too_large",
      message: expect.stringContaining(`${at}: This model's maximum context length`),
    });
  });
});

describe("a server that is not there", () => {
  test("is told of with what to check", async () => {
    const { server, run, at } = await against((_, response) => response.end());
    await server.close();
    expect((await run("go")).failure).toEqual({
      code: "engine_unavailable",
      message: `${at} cannot be reached (connect ECONNREFUSED 127.0.0.1:${server.port}) — check that it is running, and that DRAGOMAN_MODEL_BASE_URL or modelEndpoint.baseUrl is its address.`,
    });
  });

  test("and points to another one is not followed: the key is not for that", async () => {
    const other = await newServer((_, response) => response.end(said("caught")));
    const { run } = await against(
      (_, response) => response.writeHead(307, { location: `${other.url}/v1/chat/completions` }).end(),
      { apiKey: "secret-canary" },
    );
    expect((await run("go")).failure).toMatchObject({
      code: "engine_unavailable",
      message: expect.stringContaining("(unexpected redirect)"),
    });
    expect(other.requests).toEqual([]);
  });

  test.each([
    ["a page", "<html>Welcome</html>"],
    ["a whole completion", JSON.stringify({ choices: [{ message: { content: "hi" } }] })],
    ["nothing", ""],
  ])("but one that says %s, is told as no model", async (_, body) => {
    const { run, at } = await against((_, response) => response.end(body));
    expect((await run("go")).failure).toMatchObject({
      code: "engine_failed",
      message: expect.stringMatching(
        new RegExp(`^${at} gave no answer that could be read .* chat completions are served at this address\\.$`),
      ),
    });
  });
});

describe("a server that is asked too often", () => {
  /** Says no so many times, and then answers. */
  const busy = (times: number, headers: Record<string, string> = {}): Answer => {
    let left = times;
    return (_, response) =>
      left-- > 0 ? json(response, error("Slow down."), 429, headers) : void response.end(said("Here I am."));
  };

  const asked = (count: number, { requests }: { requests: unknown[] }) =>
    until(() => requests.length === count, `request ${count}`);

  test("is asked again after a while, twice, and the user is told", async () => {
    const clock = new ManualClock();
    const { start, ended, server, at } = await against(busy(2), { clock });
    const runId = await start("go");
    await asked(1, server);
    await settle();
    clock.advance(999);
    await settle();
    expect(server.requests.length).toBe(1);
    clock.advance(1);
    await asked(2, server);
    await settle();
    clock.advance(4000);
    const told = await ended(runId);
    expect(told.text).toBe("Here I am.");
    expect(told.of("note")).toMatchObject([
      { level: "info", text: `${at} is asked too often (429). It is asked again in 1 s.`, source: "model" },
      { level: "info", text: `${at} is asked too often (429). It is asked again in 4 s.`, source: "model" },
    ]);
  });

  test("is asked again when it says, and no sooner", async () => {
    const clock = new ManualClock();
    const { start, ended, server } = await against(busy(1, { "retry-after": "7" }), { clock });
    const runId = await start("go");
    await asked(1, server);
    await settle();
    clock.advance(6999);
    await settle();
    expect(server.requests.length).toBe(1);
    clock.advance(1);
    expect((await ended(runId)).text).toBe("Here I am.");
  });

  test("and says so for the third time fails the run", async () => {
    const { run, server, at } = await against(busy(9, { "retry-after-ms": "0" }));
    const told = await run("go");
    expect(told.failure).toEqual({
      code: "rate_limited",
      message: `${at}: Slow down. — try again in 1 s, or choose another model.`,
      data: { status: 429, retryAfterMs: 0 },
    });
    expect(server.requests.length).toBe(3);
  });

  test("and wants to be left alone for long is", async () => {
    const { run, server, at } = await against(busy(9, { "retry-after": "3600" }));
    expect((await run("go")).failure).toMatchObject({
      code: "rate_limited",
      message: `${at}: Slow down. — try again in 3600 s, or choose another model.`,
    });
    expect(server.requests.length).toBe(1);
  });

  test("is not asked again once the run is cancelled", async () => {
    const clock = new ManualClock();
    const { start, see, cancel, ended, server } = await against(busy(1), { clock });
    const runId = await start("go");
    await see("note");
    await cancel(runId);
    expect((await ended(runId)).end).toMatchObject({ type: "run.cancelled" });
    clock.advance(60_000);
    await settle();
    expect(server.requests.length).toBe(1);
  });
});

describe("an answer that breaks off", () => {
  const broken = (why: string) => ({
    code: "engine_failed",
    message: expect.stringMatching(
      new RegExp(`broke off in the middle of its answer \\(${why}\\)\\. What it said until then is not all of it\\.`),
    ),
  });

  test("with the connection is a failure of the run, and is not asked for again", async () => {
    const { run } = await world.session();
    const before = world.stub.requests.length;
    const told = await run("[[say This is the beginning of it]] [[cut]]");
    expect(told.of("text.delta").length).toBeGreaterThan(0);
    expect(told.failure).toMatchObject(broken("other side closed"));
    expect(told.of("run.completed")).toEqual([]);
    expect(world.stub.requests.length - before).toBe(1);
  });

  test.each([
    ["without an end", chunk({ content: "Half" }), "Response stream ended without a finish reason."],
    ["in what is no JSON", `${chunk({ content: "Half" })}data: {"cho\n\n`, "Unexpected end.*|Unterminated.*"],
    [
      "with an error",
      `${chunk({ content: "Half" })}data: ${JSON.stringify(error("too many tokens"))}\n\n`,
      "too many tokens",
    ],
  ])("%s is one, too", async (_, body, why) => {
    const { run, server } = await against((_, response) => response.end(body));
    const told = await run("go");
    expect(told.of("text.delta")).toMatchObject([{ text: "Half" }]);
    expect(told.failure).toMatchObject(broken(why));
    expect(server.requests.length).toBe(1);
  });
});

describe("a server that is silent", () => {
  test("for a minute before it answers is given up", async () => {
    const clock = new ManualClock();
    const { start, ended, server, at } = await against(() => {}, { clock });
    const runId = await start("go");
    await until(() => server.requests.length === 1, "the request");
    clock.advance(60_000);
    expect((await ended(runId)).failure).toEqual({
      code: "timeout",
      message: `${at} did not begin to answer within 60 s. Ask again.`,
    });
  });

  test("for two minutes in its answer is given up, and each sign of life gives it time", async () => {
    const clock = new ManualClock();
    const open: ServerResponse[] = [];
    const answer: Answer = (_, response) => {
      response.write(chunk({ content: "One." }));
      open.push(response);
    };
    const { start, ended, see, log, at } = await against(answer, { clock });
    const runId = await start("go");
    await see("text.delta");
    clock.advance(119_000);
    open[0]?.write(`: still here\n\n${chunk({ content: "Two." })}`);
    await until(async () => (await log()).filter(({ type }) => type === "text.delta").length === 2, "two");
    clock.advance(119_000);
    open[0]?.write(chunk({ content: "Three." }));
    await until(async () => (await log()).filter(({ type }) => type === "text.delta").length === 3, "three");
    await collectGarbage();
    clock.advance(120_000);
    expect((await ended(runId)).failure).toEqual({
      code: "timeout",
      message: `${at} fell silent in the middle of its answer, and said nothing more within 120 s. Ask again.`,
    });
  });
});

describe("a cancel", () => {
  test.each([
    ["before the first word", () => {}],
    [
      "in the middle of the answer",
      (_: unknown, response: ServerResponse) => void response.write(chunk({ content: "One." })),
    ],
  ])("%s closes the connection at once", async (when, answer) => {
    let closed = false;
    const { start, see, cancel, ended, server } = await against((request, response) => {
      response.on("close", () => {
        closed = true;
      });
      answer(request, response);
    });
    const runId = await start("go");
    await until(() => server.requests.length === 1, "the request");
    if (when.startsWith("in")) await see("text.delta");
    await collectGarbage();
    await cancel(runId);
    const { end, events } = await ended(runId);
    expect(end).toMatchObject({ type: "run.cancelled", reason: "enough" });
    expect((end?.at ?? 0) - (events.find(({ type }) => type === "run.cancelling")?.at ?? 0)).toBeLessThan(1000);
    await until(() => closed, "the end of the connection");
  });
});

/** With it goes what Node's fetch would hear of an abort by, once there is an answer. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  for (let round = 0; round < 3; round++) {
    await settle();
    collect();
  }
}

test("a key that a server says back is not in the log", async () => {
  const key = "sk-very-secret-canary";
  const echo: Answer = ({ headers }, response) =>
    json(response, error(`Incorrect API key provided: ${headers.authorization}`), 401);
  const { run, log } = await against(echo, { apiKey: key }, [key]);
  expect((await run("go")).failure?.code).toBe("engine_auth");
  expect(JSON.stringify(await log())).not.toContain(key);
  const said = await against(
    ({ headers }, response) => response.end(spelled(`${headers.authorization}`)),
    { apiKey: key },
    [key],
  );
  expect((await said.run("go")).end).toMatchObject({ type: "run.completed" });
  expect(JSON.stringify(await said.log())).not.toMatch(/canary|very-secret/);
});

/** A letter at a time. */
const spelled = (text: string) => [...text].map((content) => chunk({ content })).join("") + chunk({}, "stop");
