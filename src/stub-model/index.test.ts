import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { DragomanError } from "../core/errors.ts";
import { type StubModel, type StubModelOptions, startStubModel } from "./index.ts";

const open: StubModel[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((model) => model.close()));
});

async function start(options: StubModelOptions = { pieceMs: 0 }): Promise<StubModel> {
  const model = await startStubModel(options);
  open.push(model);
  return model;
}

const CHAT = "/v1/chat/completions";
const bodyOf = (content: string, stream = true) => JSON.stringify({ stream, messages: [{ role: "user", content }] });
const ask = (
  model: StubModel,
  content: string,
  { stream = true, signal }: { stream?: boolean; signal?: AbortSignal } = {},
) => fetch(model.url + CHAT, { method: "POST", body: bodyOf(content, stream), signal });

describe("the server", () => {
  test("says what came", async () => {
    const model = await start();
    await (await ask(model, "hello")).text();
    await (await fetch(`${model.url}/nowhere?a=b`, { headers: { "x-mine": "1" } })).text();
    expect(model.requests).toMatchObject([
      { method: "POST", path: CHAT, body: { messages: [{ content: "hello" }] } },
      { method: "GET", path: "/nowhere?a=b", headers: { "x-mine": "1" }, body: "" },
    ]);
  });

  test("lists its models for every kind of client", async () => {
    const model = await start();
    for (const path of ["/v1/models", "/v1beta/models", "/openai/v1/models"]) {
      expect(await (await fetch(model.url + path)).json()).toMatchObject({
        object: "list",
        data: [{ id: "stub-model" }, { id: "stub-model-2" }],
        models: [{ name: "models/stub-model" }, { name: "models/stub-model-2" }],
      });
    }
  });

  test("says what there is where there is nothing", async () => {
    const model = await start();
    for (const [path, method] of [
      ["/v1/embeddings", "POST"],
      [CHAT, "GET"],
    ]) {
      const answer = await fetch(`${model.url}${path}`, { method });
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain(`nothing at ${method} ${path}. It has: POST /v1/chat/completions, POST`);
    }
  });

  test("refuses a body of more than 20 MB, announced or not, without reading it to its end", async () => {
    const model = await start();
    const announced = connect(model.port, "127.0.0.1");
    announced.write(`POST ${CHAT} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999\r\n\r\n{`);
    expect(await readText(announced)).toMatch(/^HTTP\/1.1 413 .*larger than 20 MB/s);
    const endless = connect(model.port, "127.0.0.1");
    endless.on("error", () => {}); // it is cut off while it still sends
    endless.write(`POST ${CHAT} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n`);
    for (let i = 0; i < 21; i++) endless.write(`100000\r\n${"x".repeat(0x100000)}\r\n`);
    expect(await readText(endless)).toMatch(/^HTTP\/1.1 413 /);
    expect(model.requests).toEqual([]);
  });

  test("answers no web page, wherever that says it is, and reads nothing of what it sends", async () => {
    const model = await start();
    const lines = { [`127.0.0.1:${model.port}`]: 200, localhost: 200, "[::1]:80": 200, "evil.example": 403 };
    const statusOf = async (headers: string) => {
      const socket = connect(model.port, "127.0.0.1");
      socket.write(`GET /v1/models HTTP/1.1\r\nconnection: close\r\n${headers}\r\n\r\n`);
      return Number(/^HTTP\/1.1 (\d+)/.exec(await readText(socket))?.[1]);
    };
    for (const [host, status] of Object.entries(lines)) expect(await statusOf(`host: ${host}`), host).toBe(status);
    expect(await statusOf(`host: localhost\r\norigin: http://localhost:3000`)).toBe(403);
    const endless = connect(model.port, "127.0.0.1");
    endless.write(
      `POST ${CHAT} HTTP/1.1\r\nhost: localhost\r\norigin: https://evil.example\r\ncontent-length: 9\r\n\r\n`,
    );
    expect(await readText(endless)).toMatch(/^HTTP\/1.1 403 .*not for web pages/s);
    expect(model.requests.map(({ path }) => path)).toEqual(Array(3).fill("/v1/models"));
  });

  test("listens on this machine only", async () => {
    const refusal = expect.objectContaining({ code: "invalid_params" });
    for (const host of ["0.0.0.0", "::", "192.168.0.1", "example.com", ""]) {
      await expect(startStubModel({ host })).rejects.toEqual(refusal);
    }
    const { url, port } = await start({ host: "localhost" });
    expect(url).toBe(`http://localhost:${port}`);
  });

  test("says so when its port is taken", async () => {
    const { port } = await start();
    const problem = await startStubModel({ port }).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(DragomanError);
    expect(problem).toMatchObject({ code: "conflict", message: expect.stringContaining("Give another port") });
  });

  test("closes at once with an answer under way, and twice", async () => {
    const model = await start();
    const answer = await ask(model, "[[wait 600000]]");
    await model.close();
    await expect(answer.text()).rejects.toThrow();
    await model.close();
  });
});

describe("a wait", () => {
  test("is as long as it says, where it stands", async () => {
    const model = await start();
    const begun = performance.now();
    const answer = await ask(model, "[[say before]] [[wait 300]] [[say after]]");
    const times: Record<string, number> = {};
    const decoder = new TextDecoder();
    for await (const bytes of answer.body ?? []) {
      const text = decoder.decode(bytes, { stream: true });
      for (const word of ["before", "after"]) if (text.includes(word)) times[word] = performance.now() - begun;
    }
    expect((times.after ?? 0) - (times.before ?? 0)).toBeGreaterThan(250);
  });

  test("holds up an answer in one piece, too", async () => {
    const model = await start();
    const begun = performance.now();
    await (await ask(model, "[[say a]] [[wait 200]]", { stream: false })).text();
    expect(performance.now() - begun).toBeGreaterThan(150);
  });

  test.each([true, false])("ends when the client goes (streamed: %s)", async (stream) => {
    const model = await start();
    const started = vi.spyOn(globalThis, "setTimeout");
    const ended = vi.spyOn(globalThis, "clearTimeout");
    const timer = () => started.mock.results[started.mock.calls.findIndex(([, ms]) => ms === 600_000)]?.value;
    const gone = new AbortController();
    const answer = ask(model, "[[wait 600000]]", { stream, signal: gone.signal }).catch(() => {});
    await expect.poll(timer).toBeDefined();
    gone.abort();
    await answer;
    await expect.poll(() => ended.mock.calls.some(([each]) => each === timer())).toBe(true);
    vi.restoreAllMocks();
    expect(await (await ask(model, "[[say still here]]")).text()).toContain("still he");
  });
});

describe("a cut", () => {
  test("drops the connection behind what was said", async () => {
    const model = await start();
    const answer = await ask(model, "[[say half]] [[cut]] [[say never]]");
    let heard = "";
    const reading = (async () => {
      for await (const bytes of answer.body ?? []) heard += new TextDecoder().decode(bytes);
    })();
    await expect(reading).rejects.toThrow();
    expect(heard).toContain('"content":"half"');
    expect(heard).not.toMatch(/never|finish_reason":"stop|DONE/);
  });

  test("tears an answer in one piece", async () => {
    const model = await start();
    const answer = await ask(model, "[[say half]] [[cut]]", { stream: false });
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });
});

test("fails as often as the script says, over HTTP as well, and then goes on", async () => {
  const model = await start();
  const script = "[[fail 503 Busy x2]] [[say there]]";
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await ask(model, script)).status);
  expect(statuses).toEqual([503, 503, 200]);
});

test("a large file comes in larger pieces, not in more of them", async () => {
  const model = await start();
  const events = (await (await ask(model, `[[say ${"x".repeat(100_000)}]]`)).text()).split("\n\n");
  expect(events.length).toBeLessThan(210);
});
