import { describe, expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import type { AskReply } from "../core/engine.ts";
import type { Origin } from "../core/events.ts";
import type { Runtime } from "../core/runtime.ts";
import { Listeners } from "../dialects/listeners.ts";
import { ui } from "../dialects/ui/index.ts";
import { memoryStore } from "../stores/memory.ts";
import { confirm, type Script, untilAborted } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, settle } from "../testing/scripted.ts";
import { uiWire, type WireMessage } from "../testing/ui-wire.ts";

// A UI that follows sessions in which others work, whichever protocol they speak.

const studio: Origin = { dialect: "studio", client: "editor" };
const greeting = {
  protocol_version: "0",
  client: { name: "test-ui", version: "1" },
  ui_capabilities: { supports_confirm: true },
};
const asking: Script = async (_, io) => JSON.stringify(await io.ask(confirm));
const echo: Script = async (turn) => turn.input.text;
const endless: Script = async (_, __, signal) => {
  await untilAborted(signal);
  return "";
};

/** A UI that has said hello, and what someone else does on the same node. */
async function watching(script: Script, more = {}) {
  const wire = uiWire({ engines: [scripted(script)], ...more });
  await wire.result("initialize", greeting);
  const begin = (): ReturnType<Runtime["create"]> =>
    wire.runtime.create({ workspace: "/w", engine: "scripted", by: studio });
  const work = async (session: Awaited<ReturnType<typeof begin>>, text: string) =>
    (await session.prompt({ kind: "prompt", input: { text }, by: studio, whenBusy: "queue" })).runId;
  const head = async (sessionId: string) => (await wire.store.session(sessionId))?.lastSeq ?? 0;
  wire.messages.length = 0;
  return { ...wire, begin, work, head };
}

const kindOf = (m: WireMessage) => {
  if (m.method === undefined) return m.error ? "error" : "response";
  return m.method === "run.status" ? m.params.status : m.method;
};
describe("a session that is watched", () => {
  test("is followed from now on, also while nothing happens in it, through every run of whoever works there", async () => {
    const { begin, work, result, status, messages, store, head } = await watching(echo);
    const session = await begin();
    const before = await work(session, "before");
    await expect.poll(async () => (await store.session(session.id))?.run?.status).toBe("completed");
    const last_seq = await head(session.id);
    expect(await result("session.watch", { session_id: session.id })).toEqual({
      session_id: session.id,
      last_seq,
      engine: "scripted",
    });
    for (const text of ["one", "two"]) await status(await work(session, text), "completed");
    expect(messages.map(kindOf)).toEqual([
      ...["response", "running", "agent.event", "completed"],
      ...["running", "agent.event", "completed"],
    ]);
    expect(messages.some((m) => m.params?.run_id === before)).toBe(false);
  });

  test("stays that when the UI turns to others, until it says that it is enough", async () => {
    const { begin, work, result, status, messages, head } = await watching(echo);
    const [watched, other] = [await begin(), await begin()];
    await result("session.watch", { session_id: watched.id });
    for (const session_id of [other.id, undefined]) {
      const input = { type: "text", text: "mine" };
      const { run_id } = await result("run.start", { session_id, input, meta: { new_session: true } });
      await status(run_id, "completed");
    }
    await status(await work(watched, "theirs"), "completed");
    expect(await result("session.unwatch", { session_id: watched.id })).toEqual({ ok: true });
    expect(await result("session.unwatch", { session_id: watched.id })).toEqual({ ok: false });
    const told = messages.length;
    const at = await head(watched.id);
    await work(watched, "unseen");
    await expect.poll(() => head(watched.id)).toBe(at + 2);
    await settle();
    expect(messages.slice(told)).toEqual([]);
  });

  test("is told after any event of its log, each message with its place, and from the same place the same", async () => {
    const { begin, work, result, status, messages, head } = await watching(echo);
    const session = await begin();
    await result("session.watch", { session_id: session.id });
    for (const text of ["one", "two"]) await status(await work(session, text), "completed");
    const whole = messages.slice(1);
    const last_seq = await head(session.id);
    for (const after of Array.from({ length: last_seq + 1 }, (_, at) => at)) {
      messages.length = 0;
      const wanted = whole.filter((m) => m.params.log_seq > after);
      expect(await result("session.watch", { session_id: session.id, after })).toEqual({
        session_id: session.id,
        last_seq,
        engine: "scripted",
      });
      await expect.poll(() => messages.slice(1)).toEqual(wanted);
    }
  });

  test("has the numbers that its history has", async () => {
    const { begin, work, result, status, messages } = await watching(echo);
    const session = await begin();
    await result("session.watch", { session_id: session.id, after: 0 });
    await status(await work(session, "one"), "completed");
    const live = messages.filter((m) => m.method === "agent.event");
    messages.length = 0;
    await result("session.history", { session_id: session.id });
    const [prompt, ...rest] = messages.filter((m) => m.method === "agent.event");
    expect(prompt.params).toMatchObject({ session_id: session.id, log_seq: 2, seq: -1 });
    expect(rest).toEqual(live);
  });

  test("puts its open question at once, behind how the run is doing, and takes the answer", async () => {
    const { begin, work, result, message, status, send, messages, store } = await watching(asking);
    const session = await begin();
    session.attach(["confirm"]);
    const run_id = await work(session, "go");
    await expect.poll(async () => (await store.session(session.id))?.asks.length).toBe(1);
    await result("session.watch", { session_id: session.id });
    const { id } = await message((m) => m.method === "ui.confirm.request");
    expect(messages.map(kindOf)).toEqual(["response", "awaiting_ui", "ui.confirm.request"]);
    send({ jsonrpc: "2.0", id, result: { ok: true } });
    await status(run_id, "completed");
  });

  test("tells how the run under way is doing, and its model, whatever the session has by then and who left the queue", async () => {
    const { begin, result, messages, message } = await watching(endless);
    const session = await begin();
    const asked = { kind: "prompt" as const, input: { text: "go" }, by: studio, whenBusy: "queue" as const };
    const { runId } = await session.prompt({ ...asked, model: "o3" });
    const waiting = await session.prompt(asked);
    await session.update({ model: "gpt-5" });
    await session.cancel(waiting.runId, "not wanted", studio);
    expect((await result("session.watch", { session_id: session.id })).model).toBe("gpt-5");
    await message((m) => m.method === "run.status");
    expect(messages.slice(1).map((m) => m.params)).toEqual([
      { run_id: runId, session_id: session.id, log_seq: 2, status: "running", model: "o3" },
    ]);
  });

  test("tells who was faster when the answer comes too late", async () => {
    const { begin, work, result, message, status, send } = await watching(asking);
    const session = await begin();
    await result("session.watch", { session_id: session.id });
    const run_id = await work(session, "go");
    const { id } = await message((m) => m.method === "ui.confirm.request");
    await session.answer(id, { ok: true }, { dialect: "live", user: "Ada" });
    await status(run_id, "completed");
    send({ jsonrpc: "2.0", id, result: { ok: false } });
    const { error } = await message((m) => m.id === null);
    const details = { askId: id, outcome: "answered", by: { dialect: "live", user: "Ada" } };
    const told = {
      code: -32000,
      message: "The ask was already answered by Ada.",
      data: { code: "ask_closed", details },
    };
    expect(error).toEqual(told);
  });

  test("can be cancelled and prompted by the UI as its own, and is its current one if it has none", async () => {
    const { begin, work, result, status, store } = await watching(endless);
    const [session, other] = [await begin(), await begin()];
    for (const { id: session_id } of [session, other]) await result("session.watch", { session_id });
    const run_id = await work(session, "go");
    await status(run_id, "running");
    expect(await result("run.cancel", { run_id })).toEqual({ ok: true, status: "running" });
    await status(run_id, "cancelled");
    const mine = await result("run.start", { input: { type: "text", text: "mine" } });
    expect(mine.session_id).toBe(session.id);
    const started = await store.read(session.id, { after: 0, limit: 100, type: "run.started" });
    expect(started).toMatchObject([{ by: studio }, { by: { dialect: "ui", client: "test-ui" } }]);
  });

  test("and watched no more, goes on to the end of a run that the UI started there", async () => {
    const { begin, result, status } = await watching(endless);
    const { id: session_id } = await begin();
    await result("session.watch", { session_id });
    const { run_id } = await result("run.start", { session_id, input: { type: "text", text: "mine" } });
    await result("session.unwatch", { session_id });
    await result("run.cancel", { run_id });
    await status(run_id, "cancelled");
  });

  test("and watched no more, is told no further than to the end of that run", async () => {
    let end = () => {};
    const wait = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { begin, work, result, status, messages, head } = await watching(async ({ input }) => {
      if (input.text === "mine") await wait;
      return input.text;
    });
    const session = await begin();
    await result("session.watch", { session_id: session.id });
    const { run_id } = await result("run.start", { session_id: session.id, input: { type: "text", text: "mine" } });
    await result("session.unwatch", { session_id: session.id });
    await work(session, "theirs"); // it waits for the other
    end();
    await status(run_id, "completed");
    const at = await head(session.id);
    await work(session, "and on");
    await expect.poll(() => head(session.id)).toBeGreaterThanOrEqual(at + 2);
    await settle();
    expect(messages.filter((m) => m.params && m.params.run_id !== run_id)).toEqual([]);
    expect(kindOf(messages.at(-1))).toBe("completed");
  });

  test("and watched no more, is not told to the end of a run that the UI only looked at", async () => {
    const { begin, work, result, messages } = await watching(endless);
    const session = await begin();
    const runId = await work(session, "theirs");
    await result("session.watch", { session_id: session.id });
    await result("session.history", { session_id: session.id, max_runs: 1, max_events: 10 });
    await result("session.unwatch", { session_id: session.id });
    const told = messages.length;
    await session.cancel(runId, "enough", studio);
    await settle();
    expect(messages.slice(told)).toEqual([]);
  });

  test("again, without saying after what, is told nothing again, in the middle of a run neither", async () => {
    const { begin, work, result, status, messages } = await watching(endless);
    const session = await begin();
    await result("session.watch", { session_id: session.id, after: 0 });
    const runId = await work(session, "one");
    await status(runId, "running");
    await result("session.watch", { session_id: session.id });
    await session.cancel(runId, "enough", studio);
    await status(runId, "cancelled");
    expect(messages.map(kindOf)).toEqual(["response", "running", "response", "running", "cancelled"]);
    expect(messages[3].params.message).toBe("Cancelling");
  });

  test("and closed leaves the desk when the next one is watched", async () => {
    const { begin, result, store } = await watching(echo);
    let followed = 0;
    const wake = store.wake.bind(store);
    store.wake = (sessionId, bell) => {
      followed++;
      const ignore = wake(sessionId, bell);
      return () => {
        followed--;
        ignore();
      };
    };
    for (let i = 0; i < 20; i++) {
      const session = await begin();
      await session.close();
      await result("session.watch", { session_id: session.id, after: 0 });
      await settle();
    }
    expect(followed).toBeLessThanOrEqual(2); // the current one and the last
  });

  test("takes no place any more once it is closed", async () => {
    const { begin, call, result } = await watching(echo);
    const sessions = await Promise.all(Array.from({ length: 17 }, begin));
    for (const { id } of sessions.slice(0, 16)) await result("session.watch", { session_id: id });
    const [first, last] = [sessions[0], sessions[16]];
    const watchLast = () => call("session.watch", { session_id: last?.id });
    expect((await watchLast()).error).toEqual({
      code: -32000,
      message: "16 sessions are watched already. Call session.unwatch for one of them first.",
      data: { code: "precondition_failed", details: { most: 16 } },
    });
    await result("session.watch", { session_id: sessions[15]?.id, after: 0 }); // again is no more than once
    await first?.close();
    await expect.poll(async () => (await watchLast()).error).toBeUndefined();
  });
});

test("the list of sessions tells the head of each log, and where it is found where it is served", async () => {
  const addresses = ({ sessionId }: { sessionId: string }) => ({ live: `/live?session=${sessionId}` });
  const served = await watching(echo, { services: { addresses } });
  const { id } = await served.begin();
  const listed = { session_id: id, last_seq: 1, addresses: { live: `/live?session=${id}` } };
  expect((await served.result("session.list")).sessions).toMatchObject([listed]);
  const unserved = await watching(echo, { store: served.store });
  expect((await unserved.result("session.list")).sessions[0]).not.toHaveProperty("addresses");
});

test("what a watch cannot be of is told precisely, and costs nothing", async () => {
  const { begin, result, call, messages } = await watching(echo);
  const session = await begin();
  const session_id = session.id;
  expect((await call("session.watch", { session_id, after: 2 })).error).toEqual({
    code: -32602,
    message: "The log has 1 events, and after is 2. Leave it out to be told what happens from now on.",
    data: { code: "invalid_params", details: { last_seq: 1 } },
  });
  for (const after of [-1, 1.5, "1"]) {
    const { error } = await call("session.watch", { session_id, after });
    expect([error.code, error.message]).toEqual([-32602, expect.stringContaining("after")]);
  }
  expect((await call("session.watch", { session_id: "nope" })).error).toMatchObject({ code: -32004 });
  expect((await call("session.watch", {})).error).toMatchObject({ code: -32602 });
  expect(await result("session.unwatch", { session_id })).toEqual({ ok: false });
  expect(messages.every((m) => m.method === undefined)).toBe(true);
});

test("sessions that are watched together come in full to a UI that reads slowly, and little of them waits for it", async () => {
  const store = memoryStore();
  const { begin, work, send, output, messages } = await watching(
    async (_, io) => {
      const text = "x".repeat(60_000);
      for (let at = 0; at < 20; at++) await io.emit({ type: "text.delta", text, of: "answer" });
      return "done";
    },
    { store },
  );
  const sessions = await Promise.all(Array.from({ length: 16 }, begin));
  for (const session of sessions) await work(session, "go");
  for (const { id } of sessions) {
    await expect.poll(async () => (await store.session(id))?.run?.status).toBe("completed");
  }
  output.pause();
  for (const { id } of sessions) {
    send({ jsonrpc: "2.0", id, method: "session.watch", params: { session_id: id, after: 0 } });
  }
  await settle(500);
  const buffered = output.readableLength + output.writableLength;
  output.resume();
  for (const { id } of sessions) {
    const fold = ui.fold(id, greeting.ui_capabilities);
    const wanted = (await readAll(store, id)).flatMap((event) => fold.push(event)).map(({ text }) => JSON.parse(text));
    await expect.poll(() => messages.filter((m) => m.params?.session_id === id)).toEqual(wanted);
  }
  expect(buffered).toBeLessThan(2 * 1024 * 1024);
});

test("a UI that comes over the network is there to be asked for half a minute after its connection was lost", async () => {
  const clock = new ManualClock();
  let ask = () => {};
  const replies: AskReply[] = [];
  const script: Script = async (_, io, signal) => {
    ask = () => void io.ask(confirm).then((reply) => replies.push(reply));
    await untilAborted(signal);
    return "";
  };
  const { result, connection, store } = await watching(script, { services: { listeners: new Listeners(clock) } });
  const { session_id } = await result("run.start", { input: { type: "text", text: "go" } });
  connection.detach();
  ask();
  await settle();
  expect([(await store.session(session_id))?.asks.length, replies]).toEqual([1, []]);
  clock.advance(30_000);
  ask();
  await expect.poll(() => replies).toEqual([{ outcome: "denied", reason: "no_one_to_ask" }]);
});
