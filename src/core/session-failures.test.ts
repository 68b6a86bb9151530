import { expect, test } from "vitest";
import { memoryStore } from "../stores/memory.ts";
import { faultsOf } from "../testing/check-log.ts";
import {
  asking,
  confirm,
  holdingBack,
  lostProcess,
  me,
  ofType,
  prompt,
  start,
  takenOver,
  untilAborted,
} from "../testing/one-session.ts";
import { settle, until } from "../testing/scripted.ts";
import type { EngineIO } from "./engine.ts";
import { Runtime } from "./runtime.ts";
import type { Store } from "./store.ts";

test("what a lost owner left is ended by the next one, its asks withdrawn, and the lost one can write no more", async () => {
  const { session, runId, askId, store, engines, log } = await asking(async (_, io) => {
    await io.ask(confirm);
    return "";
  });
  const next = (await takenOver(store, engines, session.id)).session;
  const events = await log();
  expect(events.slice(-2)).toMatchObject([
    { type: "ask.closed", askId, outcome: "withdrawn" },
    { type: "run.failed", runId, error: { code: "owner_lost" } },
  ]);
  await expect(session.answer(askId, { ok: true }, me)).rejects.toMatchObject({ code: "ask_closed" });
  expect((await log()).length).toBe(events.length);
  await prompt(next, "go on");
  expect(faultsOf(await log(), { ended: false })).toEqual([]);
});

test("a large prompt that was queued comes back whole from the log", async () => {
  const prompts: string[] = [];
  const large = "please ".repeat(20_000);
  const { session, store, engines } = await start(async ({ input }, _, signal) => {
    prompts.push(input.text);
    if (input.text === "first") await untilAborted(signal);
    return "";
  });
  await prompt(session, "first");
  await prompt(session, large);
  const next = (await takenOver(store, engines, session.id)).session;
  await next.settled();
  expect(prompts).toEqual(["first", large]);
});

test("a result too large to be kept fails the run, and what was said before is kept", async () => {
  const { session, log } = await start(async (_, io) => {
    await io.emit({ type: "text.delta", text: "half \ud83e", of: "answer" });
    return "x".repeat(51 * 1024 * 1024);
  });
  await prompt(session, "go");
  await session.settled();
  const events = await log();
  expect(events.at(-1)).toMatchObject({ type: "run.failed", error: { code: "too_large" } });
  expect(ofType(events, "text.delta").map(({ text }) => text)).toEqual(["half ", "\ufffd"]);
});

test("what an engine says that cannot be logged fails its run and nothing else", async () => {
  const say: Record<string, (io: EngineIO) => unknown> = {
    bigint: (io) => io.emit({ type: "tool.requested", callId: "c", tool: "t", args: { n: 10n } }),
    large: (io) => io.emit({ type: "tool.finished", callId: "c", result: "x".repeat(51 * 1024 * 1024), durationMs: 1 }),
    cycle: (io) => {
      const args: Record<string, unknown> = {};
      args.self = args;
      return io.ask({ ...confirm, args });
    },
    nothing: () => {
      throw Object.create(null);
    },
  };
  const { session, log } = await start(async ({ input }, io) => {
    if (say[input.text] === say.nothing) say.nothing?.(io);
    await new Promise((resolve) => {
      setImmediate(() => {
        setImmediate(resolve);
        say[input.text]?.(io); // where nothing catches
      });
    });
    return "not seen";
  });
  session.attach(["confirm"]);
  for (const what of Object.keys(say)) await prompt(session, what);
  await session.settled();
  const events = await log();
  expect(ofType(events, "run.failed").map(({ error }) => error.code)).toEqual([
    "invalid_params",
    "too_large",
    "invalid_params",
    "engine_failed",
  ]);
  expect(faultsOf(events, { ended: true })).toEqual([]);
});

test("an engine that floods and does not wait is failed, not the process", async () => {
  const store = memoryStore();
  const stuck: Store = {
    ...store,
    append: async (...args) => (args[1].length > 1 ? new Promise(() => {}) : store.append(...args)),
  };
  let emitted = 0;
  const { session } = await start(async (_, io, signal) => {
    const text = "x".repeat(60_000);
    while (!signal.aborted && emitted < 10_000) {
      void io.emit({ type: "text.delta", text, of: "answer" });
      emitted++;
    }
    return "";
  }, stuck);
  await prompt(session, "flood");
  await until(() => emitted > 0);
  expect(emitted).toBeLessThan(1500);
});

test("an engine that waits for emit is slowed to what the store takes", async () => {
  const { store, release } = holdingBack("text.delta");
  let emitted = 0;
  const { session } = await start(async (_, io) => {
    for (; emitted < 1000; emitted++) await io.emit({ type: "text.delta", text: "x".repeat(1000), of: "answer" });
    return "";
  }, store);
  await prompt(session, "go");
  await settle();
  expect(emitted).toBeLessThan(600);
  release();
  await session.settled();
  expect(emitted).toBe(1000);
});

test("a store that fails ends the run without pretending, and the session refuses what follows", async () => {
  const store = memoryStore();
  const failing: Store = {
    ...store,
    append: async (...args) => {
      if (args[1].some((draft) => draft.type === "text.delta")) throw new Error("disk full");
      return store.append(...args);
    },
  };
  const seen: unknown[] = [];
  const { session, types } = await start(async (_, io, signal) => {
    signal.addEventListener("abort", () => seen.push("aborted"));
    io.onKill(() => void seen.push("killed"));
    const reply = io.ask(confirm);
    await io.emit({ type: "text.delta", text: "lost", of: "answer" });
    seen.push(await reply);
    return "";
  }, failing);
  session.attach(["confirm"]);
  await prompt(session, "go");
  await session.settled();
  await settle();
  expect(seen).toEqual(["aborted", "killed", { outcome: "withdrawn" }]);
  expect(await types()).toEqual(["session.created", "run.started"]);
  // Whoever comes next has it opened anew, and goes on from what the log has.
  await expect(session.answer("any", { ok: true }, me)).rejects.toMatchObject({ code: "ask_not_found" });
  expect(await types()).toEqual(["session.created", "run.started", "run.failed"]);
});

test("an idle session that nobody follows is given back, but none in which something happens", async () => {
  const { clock, runtime, session, store } = await start(async (_turn, _io, signal) => {
    await untilAborted(signal);
    return "";
  });
  await prompt(session, "work");
  const idle = await runtime.create({ workspace: "/w", engine: "scripted" });
  const watched = await runtime.create({ workspace: "/w", engine: "scripted" });
  watched.attach(["confirm"]);
  await until(async () => {
    clock.advance(1000);
    return (await store.nodes.owner(idle.id)) === undefined;
  });
  expect(await store.nodes.owner(session.id)).toMatchObject({ node: runtime.node });
  expect(await store.nodes.owner(watched.id)).toMatchObject({ node: runtime.node });
  await prompt(idle, "work");
  expect(await store.nodes.owner(idle.id)).toMatchObject({ node: runtime.node });
});

test("a queued run whose input was lost fails, and the others go on", async () => {
  const { session, store, engines, log } = await start(async ({ input }, _, signal) => {
    if (input.text === "first") await untilAborted(signal);
    return "fine";
  });
  await prompt(session, "first");
  await prompt(session, "please ".repeat(20_000));
  await prompt(session, "small");
  const lossy: Store = { ...store, artifact: async () => undefined };
  const next = (await takenOver(lossy, engines, session.id)).session;
  await next.settled();
  const ends = (await log()).filter((event) => event.type === "run.failed" || event.type === "run.completed");
  expect(ends).toMatchObject([
    { error: { code: "owner_lost" } },
    { error: { code: "store_corrupt" } },
    { result: { text: "fine" } },
  ]);
});

test("what an engine says is what the schema of events promises, or its run fails", async () => {
  const wrong: Record<string, unknown> = {
    "plan without steps": { type: "plan.updated", planId: "p" },
    "unknown code": { type: "tool.finished", callId: "c", error: { code: "nope", message: "m" }, durationMs: 1 },
    "delta of nothing": { type: "text.delta", text: "x" },
    "no text": { type: "thinking.delta" },
    "no title": { type: "step.started", stepId: "s", number: 1 },
    "no output": { type: "tool.output", callId: "c" },
    "no event": { type: "toString" },
  };
  const { session, log } = await start(async ({ input }, io) => {
    await io.emit(wrong[input.text] as never);
    return "";
  });
  for (const what of Object.keys(wrong)) await prompt(session, what);
  await session.settled();
  const events = await log();
  expect(ofType(events, "run.failed").map(({ error }) => error.code)).toEqual(
    Object.keys(wrong).map(() => "engine_failed"),
  );
  expect(events.filter((event) => !/^(run|session)\./.test(event.type))).toEqual([]);
});

test("an engine speaks for its own run only, and names no artifact that it did not make", async () => {
  const other = "1c7f6f58-5b7e-4a52-8c1f-0c6e0a5d9b12";
  const { session, log } = await start((async (_: unknown, io: EngineIO) => {
    await io.emit({ type: "text.delta", text: "a", of: "answer", runId: other, extra: 1n } as never);
    await io.emit({ type: "note", level: "info", text: "b", source: "x", runId: other, extra: 1n } as never);
    return { text: "done", artifactId: "made-up" };
  }) as never);
  const { runId } = await prompt(session, "go");
  await session.settled();
  const events = await log();
  expect(ofType(events, "text.delta").concat(ofType(events, "note") as never)).toMatchObject([{ runId }, { runId }]);
  expect(events.at(-1)).toMatchObject({ type: "run.completed", result: { text: "done" } });
  expect(JSON.stringify(events)).not.toMatch(/made-up|extra/);
});

test("a prompt too large to be kept is refused, and the next one runs", async () => {
  const { session, types } = await start(async () => "");
  await expect(prompt(session, "x".repeat(51 * 1024 * 1024))).rejects.toMatchObject({ code: "too_large" });
  await prompt(session, "small");
  await session.settled();
  expect(await types()).toEqual(["session.created", "run.started", "run.completed"]);
});

test("a run that is failed for what its engine said has its processes killed", async () => {
  let killed = 0;
  const { session } = await start(async (_, io) => {
    io.onKill(() => void killed++);
    await io.emit({ type: "nonsense" } as never);
    return "";
  });
  await prompt(session, "go");
  await session.settled();
  expect(killed).toBe(1);
});

test("a large thing is stored once, with the event that names it", async () => {
  const inner = memoryStore();
  const stored: string[] = [];
  const counting: Store = {
    ...inner,
    append: (sessionId, drafts, fence, artifacts = []) => {
      for (const { artifactId } of artifacts) stored.push(artifactId);
      return inner.append(sessionId, drafts, fence, artifacts);
    },
  };
  const { session } = await start(async () => "", counting);
  await prompt(session, "x".repeat(100_000));
  await session.settled();
  expect(stored).toHaveLength(1);
});

test("an engine that waits for room goes on when the store fails", async () => {
  const inner = memoryStore();
  let fail = () => {};
  const failing: Store = {
    ...inner,
    append: (...args) => {
      if (!args[1].some((draft) => draft.type === "text.delta")) return inner.append(...args);
      return new Promise((_, reject) => {
        fail = () => reject(new Error("disk full"));
      });
    },
  };
  let waited = false;
  const { session } = await start(async (_, io) => {
    for (let n = 0; n < 20; n++) await io.emit({ type: "text.delta", text: "x".repeat(50_000), of: "answer" });
    waited = true;
    return "";
  }, failing);
  await prompt(session, "go");
  await settle();
  expect(waited).toBe(false);
  fail();
  await until(() => waited);
});

test("one run, though its id was asked for twice and looked up slowly", async () => {
  const inner = memoryStore();
  const slow: Store = {
    ...inner,
    read: async (...args) => {
      if (args[1].type === "run.started") await settle(30);
      return inner.read(...args);
    },
  };
  const { session, types } = await start(async () => "", slow);
  const runId = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
  const ask = () => session.prompt({ kind: "prompt", input: { text: "x" }, by: me, whenBusy: "queue", runId });
  const [first, second] = await Promise.allSettled([ask(), settle(10).then(ask)]);
  expect([first.status, second]).toMatchObject(["fulfilled", { reason: { code: "conflict" } }]);
  await session.settled();
  expect(await types()).toEqual(["session.created", "run.started", "run.completed"]);
});

test("what is not a session's id opens none", async () => {
  const { runtime, session } = await start(async () => "");
  for (const id of [`${session.id}\0x`, "nope", "", "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10"]) {
    await expect(runtime.open(id)).rejects.toMatchObject({ code: "session_not_found" });
  }
});

test("a session that cannot be taken over is not held, and the next attempt may succeed", async () => {
  const { session, store, engines } = await start(async (_turn, _io, signal) => {
    await untilAborted(signal);
    return "";
  });
  await prompt(session, "left behind");
  let failures = 1;
  const flaky: Store = {
    ...store,
    append: async (...args) => {
      if (failures-- > 0) throw new Error("disk full");
      return store.append(...args);
    },
  };
  const runtime = new Runtime({ store: flaky, engines, identity: lostProcess() });
  await expect(runtime.own(session.id)).rejects.toMatchObject({ code: "store_failed", message: "disk full" });
  const next = await runtime.own(session.id);
  expect(next?.broken).toBeUndefined();
  expect(await runtime.own(session.id)).toBe(next);
});
