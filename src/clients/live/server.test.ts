import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { liveListenings } from "../../testing/live-listening.ts";
import { confirm, type Script, untilAborted } from "../../testing/one-session.ts";
import { randomOf } from "../../testing/random-of.ts";
import { until } from "../../testing/scripted.ts";
import { connectLive, type LiveTarget } from "./connect-live.ts";
import type { LiveClient, LiveOptions } from "./live-client.ts";
import type { LiveError } from "./live-error.ts";
import type { LiveMessage } from "./protocol.ts";

// The client and the real listener, over real sockets.

const listening = liveListenings();
const clients: LiveClient[] = [];
const ends: (() => void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

const quick: LiveOptions = { reconnect: { delaysMs: [20] } };

async function connected(target: LiveTarget, options: LiveOptions = quick): Promise<LiveClient> {
  const client = await connectLive(target, options);
  clients.push(client);
  return client;
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: LiveError) => error,
  );
const placeOf = ({ seq, k = 0 }: LiveMessage) => `${seq}.${k}`;

const talk: Script = async ({ input }, io) => {
  for (let line = 0; line < 40; line++) await io.emit({ type: "text.delta", of: "answer", text: `line ${line}\n` });
  return `You said ${input.text}`;
};

/** Between client and server; the first twenty connections are cut when they have carried so much, unless it is told to be calm. */
async function cuttingProxy(port: number, maxBytes: number) {
  const random = randomOf(11);
  const open = new Set<Socket>();
  const done = { cuts: 0, calm: false };
  const proxy = createServer((client) => {
    const server = connect(port, "127.0.0.1");
    let left = Math.ceil(random() * maxBytes);
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on("error", end).on("close", end);
    }
    client.pipe(server);
    server.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left > 0 || done.calm || done.cuts >= 20) return void client.write(chunk);
      done.cuts++;
      client.write(chunk.subarray(0, chunk.length + left), end);
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  ends.push(() => {
    proxy.close();
    for (const socket of open) socket.destroy();
  });
  return { port: (proxy.address() as AddressInfo).port, done };
}

describe("over a Unix socket and a port", () => {
  test("one starts a session, the other attaches to it, and both see the same", async () => {
    const at = await listening(talk);
    const mine = await connected({ socketPath: at.path });
    const session = await mine.open({ title: "Shared", purpose: "planning" });
    const theirs = await (await connected({ port: at.port, token: at.admin })).attach(session.id);
    const told: string[] = [];
    theirs.onMessage((message) => told.push(placeOf(message)));
    const seen: string[] = [];
    session.onMessage((message) => seen.push(placeOf(message)));
    const { runId, ended } = await session.prompt("hello");
    expect(await ended).toEqual({
      ...{ runId, status: "completed", text: "You said hello", result: { text: "You said hello" } },
    });
    await until(() => told.at(-1) === seen.at(-1));
    expect([seen[0], told]).toEqual(["1.0", seen.slice(1)]);
    expect(theirs.view).toEqual(session.view);
    const { addresses: _, ...state } = await theirs.state();
    expect(state).toEqual(session.view);
    expect(await mine.sessions()).toMatchObject([{ session_id: session.id, title: "Shared", status: "idle" }]);
    expect(at.faults).toEqual([]);
  });

  test("what is asked is answered by one, closed for all, and too late for the other", async () => {
    const at = await listening(async (_, io) => JSON.stringify(await io.ask(confirm)));
    const first = await (await connected({ socketPath: at.path })).open();
    const second = await (await connected({ socketPath: at.path })).attach(first.id);
    const closed = new Promise<string>((resolve) => {
      second.onConfirmation(({ ask_id }, { signal }) => signal.addEventListener("abort", () => resolve(ask_id)));
    });
    const asked = new Promise<string>((resolve) => first.onConfirmation(({ ask_id }) => resolve(ask_id)));
    const { ended } = await first.prompt("ask me");
    const askId = await asked;
    await first.approve(askId);
    expect([await closed, (await ended).text]).toEqual([askId, '{"outcome":"answered","answer":{"ok":true}}']);
    const late = await failure(second.deny(askId));
    expect(late).toMatchObject({ code: "INVALID_INPUT_FORMAT", details: { code: "ask_closed" } });
  });

  test("texts and choices are answered, too", async () => {
    const items = [
      { id: "a", label: "A" },
      { id: "b", label: "B" },
    ];
    const at = await listening(async (_, io) => {
      const text = await io.ask({ kind: "prompt", title: "Name?", message: "" });
      const pick = await io.ask({ kind: "pick", title: "Which?", message: "", items });
      return JSON.stringify([text, pick].map((reply) => "answer" in reply && reply.answer));
    });
    const session = await (await connected({ socketPath: at.path })).open();
    session.onConfirmation(({ ask_id, kind }) => {
      void session.answer(ask_id, kind === "prompt" ? "Ada" : { ids: ["b"] });
    });
    const { ended } = await session.prompt("ask me");
    expect(JSON.parse((await ended).text)).toEqual([{ value: "Ada" }, { ids: ["b"] }]);
  });

  test("a run is interrupted, one that waits comes next, and a session is left and ended", async () => {
    const at = await listening(async ({ input }, _, signal) => {
      if (input.text === "wait") await untilAborted(signal);
      return input.text;
    });
    const session = await (await connected({ socketPath: at.path })).open();
    const [first, second] = [await session.prompt("wait"), await session.prompt("next")];
    expect([session.view.run_id, session.view.queued_runs]).toEqual([first.runId, [second.runId]]);
    await session.interrupt(undefined, { reason: "enough" });
    expect([(await first.ended).status, (await second.ended).text]).toEqual(["cancelled", "next"]);
    expect(await failure(session.interrupt())).toMatchObject({ code: "INTERRUPT_PROCESSING_FAILED" });
    const other = await (await connected({ socketPath: at.path })).attach(session.id);
    await other.leave();
    expect((await failure(other.prompt("x")))?.code).toBe("CLOSED");
    await session.end("finished");
    const types: string[] = [];
    for await (const { type } of session) types.push(type);
    expect([types.at(-1), session.view.status]).toEqual(["session_end", "closed"]);
  });

  test("an agent is called by its command, and what it said is the result", async () => {
    const at = await listening(talk);
    const session = await (await connected({ socketPath: at.path })).open();
    const response = await session.call("copilot_suggest", { problem: "slow" });
    expect(response).toMatchObject({ result: { status: "completed", result: expect.stringContaining("slow") } });
    expect(await failure(session.call("nothing_such"))).toMatchObject({ code: "UNSUPPORTED_TOOL" });
  });

  test("someone who iterates slowly makes the server wait, and gets everything", async () => {
    const at = await listening(talk);
    const client = await connected({ socketPath: at.path }, { ...quick, credit: 8, buffer: 8 });
    const alerts: string[] = [];
    client.onMessage(({ type }) => alerts.push(type));
    const session = await client.open();
    const iterator = session[Symbol.asyncIterator]();
    await iterator.next();
    const { ended } = await session.prompt("hello");
    await until(() => alerts.includes("backpressure_alert"));
    const lines: string[] = [];
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      const { value } = next;
      if (value.type === "content_block_delta") lines.push(value.data.delta.text);
      if (value.type === "status_update" && value.data.kind === "run") break;
    }
    expect(lines.join("")).toContain(Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join(""));
    expect((await ended).status).toBe("completed");
  });

  test("nobody comes in without a token that is good, and nobody is there to be tried again", async () => {
    const at = await listening(talk);
    const refused = await failure(connectLive({ port: at.port, token: "drg_wrong" }));
    expect(refused).toMatchObject({ code: "PERMISSION_DENIED", severity: "fatal" });
    expect(await failure(connectLive({ socketPath: `${at.path}.none` }))).toMatchObject({
      code: "CONNECTION_LOST",
      message: expect.stringContaining("ENOENT"),
    });
  });
});

describe("over a proxy that cuts", () => {
  test("every message comes once and in order, every run ends, and every prompt is carried out once", async () => {
    const at = await listening(talk);
    const { port, done } = await cuttingProxy(at.port, 12_000);
    const client = await connected({ port, token: at.admin });
    const session = await await untilDone(() => client.open());
    const seen: LiveMessage[] = [];
    session.onMessage((message) => seen.push(message));
    const texts: string[] = [];
    for (let prompt = 0; prompt < 6; prompt++) {
      const { ended } = await untilDone(() => session.prompt(`prompt ${prompt}`));
      texts.push((await ended).text);
    }
    done.calm = true;
    const whole = await (await connected({ port: at.port, token: at.admin })).attach(session.id, { after: 0 });
    const all: LiveMessage[] = [];
    whole.onMessage((message) => all.push(message));
    const isLast = ({ type, seq }: LiveMessage) => type === "status_update" && seq === whole.view.last_seq;
    await until(() => all.some(isLast) && seen.some(isLast));
    const numbered = seen.filter(({ seq }) => seq !== undefined);
    expect(numbered.map(placeOf)).toEqual(all.map(placeOf));
    expect(texts).toEqual(Array.from({ length: 6 }, (_, prompt) => `You said prompt ${prompt}`));
    expect(session.view).toEqual(whole.view);
    expect(done.cuts).toBeGreaterThan(3);
    const prompts = all.filter(({ type }) => type === "user_input").length;
    expect(prompts).toBe(6);
  });
});

/** What was lost for certain, or never sent, is tried again. */
async function untilDone<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if ((error as LiveError).code !== "CONNECTION_LOST") throw error;
    }
  }
}
