import { describe, expect, test, vi } from "vitest";
import { type Answer, answeringServers, json } from "../../testing/answering-server.ts";
import { cuttingProxies } from "../../testing/cutting-proxy.ts";
import { EventSource } from "../../testing/event-source.ts";
import { encodeEvent } from "../../transports/sse.ts";
import { type Reconnect, SidecarClient, type SidecarError, type SidecarEvent } from "./index.ts";

const serve = answeringServers();
const proxied = cuttingProxies();
const soon = { baseMs: 1, maxMs: 2 };

async function all(events: AsyncIterable<SidecarEvent>): Promise<SidecarEvent[]> {
  const found: SidecarEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it was not rejected"),
    ({ code, message }: SidecarError) => ({ code, message }),
  );

const says = (content: string, id?: string) => ({
  ...(id === undefined ? {} : { id }),
  event: "timeline.message",
  data: { messageId: "m", role: "assistant", content },
});

/** The bytes of such events. */
const bytesOf = (...events: ReturnType<typeof says>[]) =>
  events.map(({ data, ...rest }) => encodeEvent({ ...rest, data: JSON.stringify(data) })).join("");

const streaming =
  (text: string, end = true): Answer =>
  (_, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" }).write(text);
    if (end) response.end();
  };
const closed: Answer = (_, response) => void response.writeHead(204).end();
const refusing =
  (status: number, code: string, headers = {}): Answer =>
  (_, response) =>
    json(response, { error: { code, message: `It is ${code}` } }, status, headers);

/** Each connection gets the next of the answers, and those after them the last one. */
async function streamOf(answers: Answer[], options: Parameters<SidecarClient["stream"]>[1] = {}) {
  let turn = 0;
  const server = await serve((request, response) => answers[Math.min(turn++, answers.length - 1)]?.(request, response));
  const client = new SidecarClient({ url: server.url, token: "t" });
  return { server, stream: client.stream("s/1", { reconnect: soon, ...options }) };
}

const cursors = ({ requests }: { requests: { headers: Record<string, unknown> }[] }) =>
  requests.map(({ headers }) => headers["last-event-id"]);

describe("a stream", () => {
  test("tells what was said and what is being said, and ends when the session is closed", async () => {
    const source = new EventSource();
    source.say("before");
    const server = await serve(source.answer);
    const stream = new SidecarClient({ url: server.url, token: "t" }).stream("s/1");
    const first = await stream.next();
    source.say("after", "and after");
    source.close();
    expect([first.value, ...(await all(stream))]).toEqual(source.told);
    expect(server.requests.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ["GET", "/stream/s%2F1", "Bearer t"],
      ["GET", "/stream/s%2F1", "Bearer t"],
    ]);
    expect([stream.lastEventId, cursors(server)]).toEqual(["2.0", [undefined, "2.0"]]);
  });

  test("goes on after the event that it is told, in another process even", async () => {
    const source = new EventSource();
    source.say("a", "b", "c", "d");
    source.close();
    const server = await serve(source.answer);
    const client = new SidecarClient({ url: server.url });
    for await (const { id } of client.stream("s")) if (id === "1.1") break;
    expect(await all(client.stream("s", { after: "1.1", reconnect: soon }))).toEqual(source.told.slice(2));
    expect(() => client.stream("s", { after: "7." })).toThrow('"7." is no id of an event');
    expect(() => client.stream("s", { after: -1 })).toThrow('"-1" is no id of an event');
  });

  test("goes on after a number of the log, as another protocol tells it", async () => {
    const [a, b, c] = [says("a", "9.0"), says("b", "9.1"), says("c", "10.0")];
    const { server, stream } = await streamOf([streaming(bytesOf(a, b, c)), closed], { after: 9 });
    expect(await all(stream)).toEqual([c]);
    expect(cursors(server)).toEqual(["9", "10.0"]);
  });

  test("tells nothing twice, also when a server begins too early", async () => {
    const [a, b, c] = [says("a", "9.0"), says("b", "10.0"), says("c", "10.1")];
    const { stream } = await streamOf([streaming(bytesOf(a, b)), streaming(bytesOf(a, b, c)), closed]);
    expect(await all(stream)).toEqual([a, b, c]);
  });

  test("tells a notice, which has no id and moves no cursor", async () => {
    const [a, b, notice] = [says("a", "1.0"), says("b", "2.0"), says("left out")];
    const { server, stream } = await streamOf([
      streaming(bytesOf(notice, a, notice, notice)),
      streaming(bytesOf(notice, b)),
      closed,
    ]);
    expect(await all(stream)).toEqual([notice, a, notice, notice, notice, b]);
    expect(cursors(server)).toEqual([undefined, "1.0", "2.0"]);
  });

  test("is cut a hundred times at random moments, and every event comes once and in order", async () => {
    const source = new EventSource();
    const { port } = await serve(source.answer);
    const proxy = await proxied({ port, cuts: 100, maxBytes: 3000, seed: 7 });
    const stream = new SidecarClient({ url: proxy.url }).stream("s", { reconnect: soon });
    const found: SidecarEvent[] = [];
    source.say("the first");
    for await (const event of stream) {
      found.push(event);
      // Some is there before it is asked for, and some comes while the stream is open.
      if (found.length === source.told.length && proxy.cuts < 100) source.say(...Array(20).fill("word ".repeat(20)));
      else if (proxy.cuts >= 100) source.close();
    }
    expect(proxy.cuts).toBe(100);
    expect(found).toEqual(source.told);
    expect(found.length).toBeGreaterThan(500);
  }, 120_000);

  test("goes on with the same session when the server is killed and comes back elsewhere", async () => {
    const source = new EventSource();
    source.say("a", "b");
    const old = await serve(source.answer);
    let now = old;
    const client = new SidecarClient({ url: old.url, relocate: async () => ({ url: now.url }) });
    const stream = client.stream("s", { reconnect: soon });
    const found = [(await stream.next()).value, (await stream.next()).value];
    await old.close();
    source.say("c");
    const rest = all(stream);
    now = await serve(source.answer);
    source.close();
    expect([...found, ...(await rest)]).toEqual(source.told);
    expect(cursors(now)).toEqual(["1.1", "2.0"]);
  });

  test("goes on when the server is killed and comes back at the same port", async () => {
    const source = new EventSource();
    source.say("a");
    const old = await serve(source.answer);
    const waits: Reconnect[] = [];
    const stream = new SidecarClient(old).stream("s", { reconnect: soon, onReconnect: (about) => waits.push(about) });
    const first = (await stream.next()).value;
    await old.close();
    const rest = all(stream);
    await vi.waitFor(() => expect(waits.length).toBeGreaterThan(2));
    source.say("b");
    source.close();
    await serve(source.answer, old.port);
    expect([first, ...(await rest)]).toEqual(source.told);
    expect(waits.slice(0, 3).map(({ attempt, error }) => [attempt, error?.code])).toEqual([
      [1, "unreachable"],
      [2, "unreachable"],
      [3, "unreachable"],
    ]);
  });

  test("whose token is revoked ends with that, after everything that was told before", async () => {
    const { server, stream } = await streamOf([streaming(bytesOf(says("a", "1.0"))), refusing(401, "unauthorized")]);
    expect((await stream.next()).value).toEqual(says("a", "1.0"));
    expect(await failure(stream.next())).toEqual({ code: "unauthorized", message: "It is unauthorized" });
    expect([await stream.next(), server.requests.length]).toEqual([{ done: true, value: undefined }, 2]);
  });

  test("whose token is rotated goes on with the new one", async () => {
    const source = new EventSource();
    source.say("a");
    source.close();
    const server = await serve((request, response) =>
      request.headers.authorization === "Bearer new"
        ? source.answer(request, response)
        : refusing(401, "unauthorized")(request, response),
    );
    const relocate = () => ({ url: server.url, token: "new" });
    const client = new SidecarClient({ url: server.url, token: "old", relocate });
    expect(await all(client.stream("s", { reconnect: soon }))).toEqual(source.told);
  });

  test.each<[what: string, answer: Answer, error: object]>([
    ["is not there", refusing(404, "session_not_found"), { code: "refused", message: "It is session_not_found" }],
    ["has no such event", refusing(400, "invalid_request"), { code: "refused", message: "It is invalid_request" }],
    [
      "is answered with a page",
      (_, response) => void response.writeHead(200, { "Content-Type": "text/html" }).end("<html>"),
      { code: "protocol", message: "The stream was answered with text/html and not with text/event-stream" },
    ],
    [
      "tells what is no JSON",
      streaming("event: x\ndata: {\n\n"),
      { code: "protocol", message: expect.stringContaining('The data of an event "x" is no JSON') },
    ],
    [
      "tells what is no object",
      streaming("event: x\ndata: 7\n\n"),
      { code: "protocol", message: 'The data of an event "x" is no object' },
    ],
    [
      "is numbered otherwise",
      streaming("id: seven\ndata: {}\n\n"),
      { code: "protocol", message: 'The server numbers an event "seven"' },
    ],
    [
      "tells more at once than may be held",
      streaming(`data: ${"x".repeat(17 * 1024 * 1024)}`),
      { code: "overflow", message: expect.stringContaining("An event is larger than") },
    ],
  ])("of a session that %s fails at once, and asks no second time", async (_, answer, error) => {
    const { server, stream } = await streamOf([answer]);
    expect(await failure(all(stream))).toEqual(error);
    expect(server.requests).toHaveLength(1);
  });
});

describe("a connection that gives nothing", () => {
  test("is given up after a silence, and the next one goes on", async () => {
    const [a, b] = [says("a", "1.0"), says("b", "2.0")];
    const waits: Reconnect[] = [];
    const { server, stream } = await streamOf([streaming(bytesOf(a), false), streaming(bytesOf(b)), closed], {
      silenceMs: 500,
      onReconnect: (about) => waits.push(about),
    });
    expect(await all(stream)).toEqual([a, b]);
    expect(waits.map(({ error }) => error?.code)).toEqual(["timeout", undefined]);
    expect(cursors(server)).toEqual([undefined, "1.0", "2.0"]);
  });

  test("is not silent while whoever iterates takes his time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const [a, b] = [says("a", "1.0"), says("b", "2.0")];
      const { server, stream } = await streamOf([streaming(bytesOf(a, b), false)]);
      const first = await stream.next();
      vi.advanceTimersByTime(600_000);
      expect([first.value, (await stream.next()).value, server.requests.length]).toEqual([a, b, 1]);
      await stream.return();
    } finally {
      vi.useRealTimers();
    }
  });

  test("is tried again when the server says that it has too much to do, and not before the time it names", async () => {
    const waits: Reconnect[] = [];
    const busy = refusing(503, "too_large", { "Retry-After": "0.02" });
    const { stream } = await streamOf([busy, refusing(500, "internal"), closed], {
      onReconnect: (about) => waits.push(about),
    });
    expect(await all(stream)).toEqual([]);
    expect(waits.map(({ error }) => error?.reason)).toEqual(["too_large", "internal"]);
    expect(waits[0]?.inMs).toBe(20);
  });

  test("is given up in the end, with what went wrong last", async () => {
    const waits: Reconnect[] = [];
    const { stream } = await streamOf([(_, response) => void response.socket?.destroy()], {
      reconnect: { ...soon, giveUpMs: 0 },
      onReconnect: (about) => waits.push(about),
    });
    expect(await failure(all(stream))).toMatchObject({ code: "unreachable" });
    expect(waits.map(({ attempt, error }) => [attempt, error?.code])).toEqual([[1, "unreachable"]]);
  });

  test("over and over ends the stream too, when nothing is ever told", async () => {
    const { stream } = await streamOf([streaming("")], { reconnect: { ...soon, giveUpMs: 0 } });
    expect(await failure(all(stream))).toEqual({
      code: "unreachable",
      message: "The stream ended again and again without an event",
    });
  });
});

describe("whoever listens", () => {
  test("leaves by a break, and the connection is closed", async () => {
    const source = new EventSource();
    source.say("a", "b");
    let gone = false;
    const server = await serve((request, response) => {
      response.on("close", () => (gone = true));
      source.answer(request, response);
    });
    for await (const _ of new SidecarClient(server).stream("s")) break;
    await vi.waitFor(() => expect(gone).toBe(true));
  });

  test("leaves while nothing is said", async () => {
    const { stream } = await streamOf([streaming("", false)]);
    const next = stream.next();
    expect(await stream.return()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test.each<[string, Answer]>([
    ["while nothing is said", streaming("", false)],
    ["between two attempts", refusing(503, "internal", { "Retry-After": "20" })],
    ["before there is an answer", () => {}],
  ])("is stopped by a signal %s", async (_, answer) => {
    const stop = new AbortController();
    const { server, stream } = await streamOf([answer], { signal: stop.signal });
    const next = failure(stream.next());
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    stop.abort();
    expect(await next).toEqual({ code: "aborted", message: "The stream was aborted" });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  test("is stopped by a signal while the server is looked for", async () => {
    const server = await serve(closed);
    await server.close();
    const stop = new AbortController();
    const relocate = () => {
      setImmediate(() => stop.abort());
      return new Promise<undefined>(() => {});
    };
    const stream = new SidecarClient({ url: server.url, relocate }).stream("s", { signal: stop.signal });
    expect(await failure(stream.next())).toMatchObject({ code: "aborted" });
  });

  test("may ask for several at once and gets them in order", async () => {
    const events = ["1.0", "1.1", "2.0"].map((id) => says(id, id));
    const { stream } = await streamOf([streaming(bytesOf(...events)), closed]);
    const asked = await Promise.all([stream.next(), stream.next(), stream.next(), stream.next()]);
    expect(asked.map(({ value }) => value)).toEqual([...events, undefined]);
  });

  test("slowly holds the server up, and not everything in memory", async () => {
    const event = bytesOf(says("x".repeat(1000), "1.0"));
    let written = 0;
    const { stream } = await streamOf([
      (_, response) => {
        response.writeHead(200, { "Content-Type": "text/event-stream" });
        response.write(event);
        const fill = () => {
          // An event without an id is always new.
          while (written < 64 * 1024 && response.write(event.replace(/^id.*\n/, ""))) written++;
        };
        response.on("drain", fill);
        fill();
      },
    ]);
    await stream.next();
    let before = -1;
    await vi.waitFor(
      () => {
        const last = before;
        before = written;
        expect(written).toBe(last);
      },
      { interval: 200, timeout: 10_000 },
    );
    expect(written).toBeLessThan(16 * 1024);
    await stream.return();
  });
});
