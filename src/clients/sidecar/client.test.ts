import { describe, expect, test } from "vitest";
import { type Answer, answeringServers, type HeardRequest, json } from "../../testing/answering-server.ts";
import { SidecarClient, SidecarError } from "./index.ts";

const serve = answeringServers();
const token = `drg_${"t".repeat(43)}`;

/** Answers each call with what the function gives for it. */
const answering =
  (result: (call: { method: string; params: Record<string, unknown> }) => object): Answer =>
  (request, response) => {
    const reply = (call: { id: number; method: string; params: Record<string, unknown> }) => ({
      jsonrpc: "2.0",
      id: call.id,
      ...result(call),
    });
    const body = JSON.parse(request.body);
    json(response, Array.isArray(body) ? body.map(reply).reverse() : reply(body));
  };

const echo = answering(({ method, params }) => ({ result: { method, params } }));
const models = answering(() => ({ result: { models: [] } }));
const cut: Answer = (_, response) => void response.socket?.destroy();

/** Each request gets the next of the answers, and those after them the last one. */
const inTurn = (...answers: Answer[]): Answer => {
  let turn = 0;
  return (request, response) => answers[Math.min(turn++, answers.length - 1)]?.(request, response);
};

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it was not rejected"),
    (error: SidecarError) => error,
  );
const told = async (promise: Promise<unknown>) => {
  const { code, message, reason } = await failure(promise);
  return { code, message, reason };
};
const sentTo = ({ requests }: { requests: HeardRequest[] }) => requests.map(({ body }) => JSON.parse(body));

describe("a call", () => {
  test("is one request of JSON-RPC with the token in its header, and nowhere else", async () => {
    const server = await serve(echo);
    const client = new SidecarClient({ url: server.url, token });
    const params = { sessionId: "s", approved: true, askId: "a" };
    expect(await client.approve(params)).toEqual({ method: "session.approve", params });
    expect(server.requests).toEqual([
      {
        method: "POST",
        url: "/rpc",
        headers: expect.objectContaining({ authorization: `Bearer ${token}`, "content-type": "application/json" }),
        body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "session.approve", params }),
      },
    ]);
  });

  test("has a name for each of the protocol's methods", async () => {
    const server = await serve(
      answering(({ method }) => ({ result: { method, sessions: [{ sessionId: "s" }], models: [{ id: "m" }] } })),
    );
    const client = new SidecarClient({ url: server.url, token });
    await client.createSession();
    await client.closeSession("s");
    await client.approve({ sessionId: "s", callId: "c", approved: false });
    await client.cancel({ sessionId: "s" });
    await client.updateSession({ sessionId: "s", title: "T" });
    expect(await client.sessions({ limit: 1 })).toEqual([{ sessionId: "s" }]);
    expect(await client.models()).toEqual([{ id: "m" }]);
    expect(sentTo(server).map(({ method, params }) => [method, params])).toEqual([
      ["session.create", {}],
      ["session.close", { sessionId: "s" }],
      ["session.approve", { sessionId: "s", callId: "c", approved: false }],
      ["session.cancel", { sessionId: "s" }],
      ["session.update", { sessionId: "s", title: "T" }],
      ["session.list", { limit: 1 }],
      ["models.list", {}],
    ]);
  });

  test("fails with the wire's number, and with the server's own words for it", async () => {
    const data = { code: "session_not_found", message: 'There is no session "x"', details: { sessionId: "x" } };
    const server = await serve(answering(() => ({ error: { code: -32000, message: "Session not found", data } })));
    const error = await failure(new SidecarClient(server).closeSession("x"));
    expect(error).toBeInstanceOf(SidecarError);
    expect({ ...error, message: error.message, reason: error.reason }).toEqual({
      name: "SidecarError",
      code: -32000,
      message: 'There is no session "x"',
      reason: "session_not_found",
      data,
    });
  });

  test("fails with the words of a server that follows the document to the letter", async () => {
    const server = await serve(answering(() => ({ error: { code: -32603, message: "Internal error", data: "x" } })));
    expect(await told(new SidecarClient(server).models())).toEqual({
      code: -32603,
      message: "Internal error",
      reason: undefined,
    });
  });

  test.each<[what: string, answer: Answer, error: object]>([
    [
      "the token",
      (_, response) => json(response, { error: { code: "unauthorized", message: "Who are you?" } }, 401),
      { code: "unauthorized", message: "Who are you?", reason: "unauthorized" },
    ],
    [
      "what the token is for",
      (_, response) => json(response, { error: { code: "forbidden", message: "Not you" } }, 403),
      { code: "refused", message: "Not you", reason: "forbidden" },
    ],
    [
      "with no words of its own",
      (_, response) => void response.writeHead(502).end("<html>"),
      { code: "refused", message: expect.stringContaining("answered with status 502") },
    ],
    [
      "by sending it elsewhere",
      (_, response) => void response.writeHead(307, { Location: "http://127.0.0.1:1/" }).end(),
      { code: "refused", message: expect.stringContaining("answered with status 307") },
    ],
    [
      "with what is no JSON",
      (_, response) => void response.end("hello"),
      { code: "protocol", message: expect.stringContaining("no JSON that can be used") },
    ],
    ["with no response", (_, response) => json(response, [1]), { code: "protocol" }],
    ["with nothing in it", (_, response) => json(response, { jsonrpc: "2.0", id: 0 }), { code: "protocol" }],
    [
      "with another call's answer",
      (_, response) => json(response, { jsonrpc: "2.0", id: 7, result: {} }),
      { code: "protocol", message: "The answer to models.list is for another call" },
    ],
    [
      "with more than may be held",
      (_, response) => void response.end(Buffer.alloc(17 * 1024 * 1024, " ")),
      { code: "overflow" },
    ],
    [
      "with JSON that is too deep",
      (_, response) => void response.end("[".repeat(5000) + "]".repeat(5000)),
      { code: "protocol" },
    ],
  ])("says so when it is refused: %s", async (_, answer, error) => {
    expect(await told(new SidecarClient({ url: (await serve(answer)).url, token }).models())).toMatchObject(error);
  });

  test("ends by its time-out and by its signal, and not later", async () => {
    const server = await serve(() => {});
    const client = new SidecarClient({ url: server.url, timeoutMs: 50 });
    expect(await told(client.models())).toMatchObject({
      code: "timeout",
      message: "models.list was not answered within 50 ms",
    });
    const stop = new AbortController();
    const call = client.models({ timeoutMs: Number.POSITIVE_INFINITY, signal: stop.signal });
    stop.abort();
    expect(await told(call)).toMatchObject({ code: "aborted", message: "models.list was aborted" });
    expect(await told(client.models({ signal: AbortSignal.abort() }))).toMatchObject({ code: "aborted" });
  });

  test("ends by its time-out also when half of the answer is there", async () => {
    const server = await serve((_, response) => void response.writeHead(200).write('{"json'));
    expect(await told(new SidecarClient({ ...server, timeoutMs: 50 }).models())).toMatchObject({ code: "timeout" });
  });

  test("says that nobody is there", async () => {
    const server = await serve(echo);
    await server.close();
    expect(await told(new SidecarClient(server).models())).toEqual({
      code: "unreachable",
      message: `The server at ${server.url} does not answer (ECONNREFUSED). Is it running? "dragoman serve" starts one.`,
      reason: undefined,
    });
  });

  test("is not sent when it cannot be JSON", async () => {
    const server = await serve(echo);
    const permissions = { size: 1n } as unknown as Record<string, "ask">;
    expect(await told(new SidecarClient(server).createSession({ permissions }))).toMatchObject({ code: "invalid" });
    expect(server.requests).toEqual([]);
  });

  test.each(["localhost:8137", "ftp://127.0.0.1", "http://me:secret@127.0.0.1", "http://127.0.0.1/?token=drg_x", ""])(
    "is not made to %j",
    (url) => {
      expect(() => new SidecarClient({ url })).toThrow("is no address of a server");
    },
  );

  test("is not made with a token that would be another header", () => {
    expect(() => new SidecarClient({ url: "http://127.0.0.1", token: "a\r\nX: y" })).toThrow(
      "The token is empty or has",
    );
  });
});

describe("a batch", () => {
  test("is one request, and gives each call its own answer or error, in whatever order they come", async () => {
    const server = await serve(
      answering(({ method }) =>
        method === "session.close"
          ? { error: { code: -32000, message: "Session not found" } }
          : { result: { models: [], sessionId: method } },
      ),
    );
    const [created, closed, listed] = await new SidecarClient(server).batch([
      ["session.create", {}],
      ["session.close", { sessionId: "x" }],
      ["models.list", {}],
    ]);
    expect(created).toEqual({ models: [], sessionId: "session.create" });
    expect(closed).toEqual(new SidecarError(-32000, "Session not found"));
    expect(listed instanceof SidecarError ? listed : listed.models).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test("of nothing asks nothing", async () => {
    const server = await serve(echo);
    expect(await new SidecarClient(server).batch([])).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  test("that is refused as a whole fails as a whole, and one that is answered in part says of what", async () => {
    const error = { code: -32600, message: "Invalid Request", data: { code: "too_large", message: "At most 100" } };
    const answers: Answer[] = [
      (_, response) => json(response, { jsonrpc: "2.0", id: null, error }),
      (_, response) => json(response, { jsonrpc: "2.0", id: null, result: 1 }),
      (_, response) => json(response, []),
    ];
    const client = new SidecarClient(await serve(inTurn(...answers)));
    expect(await told(client.batch([["models.list", {}]]))).toMatchObject({ code: -32600, message: "At most 100" });
    expect(await told(client.batch([["models.list", {}]]))).toMatchObject({ code: "protocol" });
    expect(await client.batch([["models.list", {}]])).toEqual([
      new SidecarError("protocol", "The batch was answered, but not its call of models.list"),
    ]);
  });
});

describe("a call whose connection breaks", () => {
  test("is made once more, if that does no more than to make it once", async () => {
    const server = await serve(inTurn(cut, models));
    expect(await new SidecarClient(server).models()).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });

  test("is made once more under the same name, so that it is one prompt", async () => {
    const server = await serve(inTurn(cut, echo));
    await new SidecarClient(server).send({ sessionId: "s", prompt: "go" });
    const [first, second] = sentTo(server);
    expect(first).toEqual(second);
    expect(first.params).toEqual({
      sessionId: "s",
      prompt: "go",
      messageId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    });
  });

  test("keeps the name that it was given", async () => {
    const server = await serve(echo);
    const messageId = "11111111-1111-4111-8111-111111111111";
    await new SidecarClient(server).send({ sessionId: "s", prompt: "go", messageId });
    expect(sentTo(server)[0].params.messageId).toBe(messageId);
  });

  test("is not made a second time where that would do it twice, nor a third time anywhere", async () => {
    const server = await serve(cut);
    const client = new SidecarClient(server);
    expect(await told(client.createSession())).toMatchObject({ code: "unreachable" });
    expect(await told(client.batch([["session.create", {}]]))).toMatchObject({ code: "unreachable" });
    expect(server.requests).toHaveLength(2);
    expect(await told(client.models())).toMatchObject({ code: "unreachable" });
    expect(server.requests).toHaveLength(4);
  });

  test("in the middle of its answer is one of those", async () => {
    const half: Answer = (_, response) => {
      response.writeHead(200, { "Content-Length": 100 }).write("{");
      setImmediate(() => response.socket?.destroy());
    };
    const server = await serve(inTurn(half, models));
    expect(await new SidecarClient(server).models()).toEqual([]);
  });
});

describe("a server that moves", () => {
  test("is found again by everyone who calls, and asked for once", async () => {
    const [old, next] = [await serve(echo), await serve(echo)];
    await old.close();
    let asked = 0;
    const relocate = async () => {
      asked++;
      return { url: next.url, token: "new" };
    };
    const client = new SidecarClient({ url: old.url, token: "old", relocate });
    await Promise.all([client.createSession(), client.createSession(), client.createSession()]);
    expect([asked, client.address]).toEqual([1, { url: `${next.url}/`, token: "new" }]);
    expect(next.requests.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill("Bearer new"));
  });

  test("or has a new token is tried with that", async () => {
    const server = await serve((request, response) =>
      request.headers.authorization === "Bearer new"
        ? models(request, response)
        : json(response, { error: { code: "unauthorized", message: "No" } }, 401),
    );
    const relocate = () => ({ url: server.url, token: "new" });
    expect(await new SidecarClient({ url: server.url, token: "old", relocate }).models()).toEqual([]);
    expect(await told(new SidecarClient({ url: server.url, token: "old" }).models())).toMatchObject({
      code: "unauthorized",
    });
  });

  test.each<[string, () => undefined]>([
    ["that nobody finds", () => undefined],
    [
      "that cannot be looked for",
      () => {
        throw new Error("no disk");
      },
    ],
  ])("%s is not there", async (_, relocate) => {
    const server = await serve(echo);
    await server.close();
    expect(await told(new SidecarClient({ url: server.url, relocate }).models())).toMatchObject({
      code: "unreachable",
    });
  });

  test("is looked for no longer than the call may take", async () => {
    const server = await serve(echo);
    await server.close();
    const client = new SidecarClient({ url: server.url, relocate: () => new Promise(() => {}), timeoutMs: 50 });
    expect(await told(client.models())).toMatchObject({ code: "timeout" });
  });
});
