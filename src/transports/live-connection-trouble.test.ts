import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import { DragomanError } from "../core/errors.ts";
import { Runtime } from "../core/runtime.ts";
import type { Store } from "../core/store.ts";
import { memoryStore } from "../stores/memory.ts";
import { liveClient, liveNode } from "../testing/live-wire.ts";
import { confirm, type Script, untilAborted } from "../testing/one-session.ts";
import { scripted, settle, until } from "../testing/scripted.ts";

const working: Script = async (_, __, signal) => {
  await untilAborted(signal);
  return "";
};
const asking: Script = async (_, io) => JSON.stringify(await io.ask(confirm));

/** A store that can be made to stand still, to fail or to have lost a session; and a node and a client on it. */
function troubled(script: Script, options = {}) {
  const clock = new ManualClock();
  const inner = memoryStore({ clock });
  const trouble = { held: "", unread: "", gone: "", empty: "", error: new Error("busy") as Error };
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const store: Store = {
    ...inner,
    append: async (...args) => {
      if (args[0] === trouble.held) await gate;
      return inner.append(...args);
    },
    read: async (id, range) => {
      if (id === trouble.unread) throw trouble.error;
      return id === trouble.empty ? [] : inner.read(id, range);
    },
    session: async (id) => (id === trouble.gone ? undefined : inner.session(id)),
  };
  const node = liveNode({ engines: [scripted(script)], clock, store, workspace: tmpdir() });
  const client = liveClient(node, options);
  client.grant(10_000);
  const elsewhere = new Runtime({ store: inner, engines: [scripted(script)], clock });
  const another = () => elsewhere.create({ workspace: tmpdir(), engine: "scripted" });
  return { node, clock, trouble, release: () => release(), another, ...client };
}

describe("while we do not read what a client sends", () => {
  /** So many prompts wait for the store that no more is read. */
  async function holding(script: Script) {
    const troubles = troubled(script, { over: "socket" });
    const held = await troubles.begin();
    const other = await troubles.begin();
    troubles.send("user_input", { content: "go" }, { session_id: other });
    await troubles.message((m) => m.session_id === other && m.type === "user_input");
    const said = async (type: string) => troubles.message((m) => m.type === type);
    const hold = async (prompts = 70) => {
      troubles.trouble.held = held;
      for (let i = 0; i < prompts; i++) troubles.send("user_input", { content: `${i}` }, { session_id: held });
      await until(() => troubles.input.isPaused(), "the pause");
    };
    const pass = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 5000) {
        troubles.clock.advance(5000);
        await settle(2);
      }
    };
    const released = async () => {
      troubles.release();
      await until(() => !troubles.input.isPaused(), "the end of the pause");
      await settle();
      return [troubles.of("error").map((m) => m.data.error_code), troubles.ends.closed];
    };
    return { ...troubles, said, hold, pass, released };
  }

  test("it is not silent", async () => {
    const { hold, pass, released } = await holding(working);
    await hold();
    await pass(100_000);
    expect(await released()).toEqual([[], false]);
  });

  test("it is not silent, and has its 90 s from then on", async () => {
    const { hold, pass, released, clock, of, ends } = await holding(working);
    await hold(64); // nothing is left unread that would tell that it is there
    await pass(85_000);
    expect(await released()).toEqual([[], false]);
    clock.advance(89_999);
    await settle();
    expect([of("error"), ends.closed]).toEqual([[], false]);
  });

  test("its acks are not missing", async () => {
    const { hold, pass, released, said, send, of } = await holding(asking);
    const { seq, session_id } = await said("tool_call_confirmation");
    await hold();
    send("ack", { seq }, { session_id });
    await pass(40_000);
    expect(await released()).toEqual([[], false]);
    expect(of("tool_call_confirmation").filter((m) => m.session_id === session_id).length).toBe(1);
  });

  test("its grants are not missing", async () => {
    const { hold, pass, released, said, send, grant } = await holding(working);
    grant(0);
    send("session_list");
    await said("backpressure_alert");
    await hold();
    grant(100);
    await pass(70_000);
    expect(await released()).toEqual([[], false]);
    await said("session_list");
  });
});

describe("a session that takes long", () => {
  test("does not hold up what is decided in another, but what is begun", async () => {
    const { begin, send, message, trouble, node, release, ended, of } = troubled(working);
    const [slow, quick] = [await begin(), await begin()];
    send("user_input", { content: "go" }, { session_id: quick });
    await message((m) => m.type === "user_input");
    trouble.held = slow;
    send("user_input", { content: "go" }, { session_id: slow });
    const list = send("session_list");
    send("interrupt", {}, { session_id: quick });
    await ended(quick);
    expect((await node.store.session(quick))?.run?.status).toBe("cancelled");
    expect(of("session_list")).toEqual([]);
    release();
    await message((m) => m.correlation_id === list);
  });

  test("is told in the order in which it was sent", async () => {
    const { begin, send, message, trouble, release, ended, messages } = troubled(working);
    const [slow, quick] = [await begin(), await begin()];
    trouble.held = slow;
    send("user_input", { content: "slow" }, { session_id: slow });
    send("user_input", { content: "quick" }, { session_id: quick });
    send("interrupt", {}, { session_id: quick }); // of the prompt before it
    await settle();
    expect(messages.filter((m) => m.type === "error")).toEqual([]);
    release();
    await message((m) => m.type === "user_input" && m.session_id === quick);
    await ended(quick);
    expect(messages.filter((m) => m.type === "error")).toEqual([]);
  });

  test("is waited for by an interrupt, when a prompt that named no session may have been for it", async () => {
    const { begin, send, trouble, release, ended, of } = troubled(working);
    const [slow, quick] = [await begin(), await begin()];
    trouble.held = slow;
    send("user_input", { content: "slow" }, { session_id: slow });
    send("session_start", {}, { session_id: quick });
    send("user_input", { content: "quick" });
    send("interrupt", {}, { session_id: quick });
    await settle();
    release();
    await ended(quick);
    expect(of("error")).toEqual([]);
  });
});

describe("a session whose log cannot be read", () => {
  test("is told, and the connection goes on with the others", async () => {
    const { begin, send, another, trouble, refused, ends, message, done } = troubled(working);
    const mine = await begin();
    send("user_input", { content: "work" });
    await message((m) => m.type === "user_input");
    trouble.unread = (await another()).id;
    trouble.error = new DragomanError("store_corrupt", "a page is damaged");
    expect(await refused("session_start", {}, { session_id: trouble.unread })).toMatchObject({
      ...{ error_code: "RESOURCE_EXHAUSTED", severity: "error", details: { code: "store_corrupt" } },
    });
    await done("interrupt", {}, { session_id: mine });
    expect(ends.closed).toBe(false);
  });

  test("is told when that comes to light while it is followed", async () => {
    const { another, trouble, message, done, ends } = troubled(working);
    const session = await another();
    await done("session_start", {}, { session_id: session.id });
    trouble.unread = session.id;
    await session.update({ title: "new" });
    expect(await message((m) => m.type === "error")).toMatchObject({
      session_id: session.id,
      data: { severity: "error", details: { code: "store_failed" } },
    });
    await done("session_list");
    expect(ends.closed).toBe(false);
  });

  test("stays followed, and the current one, when it is attached to anew in vain", async () => {
    const { another, trouble, message, done, refused, messages } = troubled(async () => "x");
    const session = await another();
    await done("session_start", { after: 0 }, { session_id: session.id });
    await message((m) => m.type === "session_start");
    await session.update({ title: "new" });
    await message((m) => m.data.title === "new");
    await settle();
    trouble.unread = session.id;
    expect(await refused("session_start", {}, { session_id: session.id })).toMatchObject({
      details: { code: "internal" },
    });
    trouble.unread = "";
    await done("user_input", { content: "still here" });
    await message((m) => m.session_id === session.id && m.data.content === "still here");
    expect(messages.filter((m) => m.type === "session_start").length).toBe(1);
  });
});

describe("a session that was removed", () => {
  test("between its summary and its state is told as such", async () => {
    const { another, trouble, refused } = troubled(working);
    trouble.empty = (await another()).id;
    expect(await refused("session_start", {}, { session_id: trouble.empty })).toMatchObject({
      error_code: "SESSION_TIMEOUT",
      details: { code: "session_not_found" },
    });
  });

  test("is in the way of no answer that did not name it", async () => {
    const { begin, send, trouble, message, done, refused } = troubled(asking);
    const [first, second] = [await begin(), await begin()];
    send("user_input", { content: "ask" }, { session_id: second });
    const { data } = await message((m) => m.type === "tool_call_confirmation");
    trouble.gone = first;
    const answer = { call_id: data.ask_id, approved: true };
    expect(await refused("tool_approval", answer, { session_id: first })).toMatchObject({
      details: { code: "session_not_found" },
    });
    await done("tool_approval", answer);
  });
});

test("an error gives back no id that is too long", async () => {
  const { write, message } = troubled(working);
  const long = "y".repeat(201);
  write({ type: "heartbeat", correlation_id: long, session_id: long });
  const { session_id, correlation_id, data } = await message((m) => m.type === "error");
  expect([session_id, correlation_id, data.error_code]).toEqual(["", undefined, "INVALID_MESSAGE_FORMAT"]);
});
