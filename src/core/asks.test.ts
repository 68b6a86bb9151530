import { expect, test } from "vitest";
import { memoryStore } from "../stores/memory.ts";
import { faultsOf } from "../testing/check-log.ts";
import {
  asking,
  confirm,
  holdingBack,
  me,
  ofType,
  other,
  prompt,
  start,
  untilAborted,
} from "../testing/one-session.ts";
import { settle, until } from "../testing/scripted.ts";
import type { AskReply } from "./engine.ts";
import { Runtime } from "./runtime.ts";
import type { Store } from "./store.ts";

test("the first valid answer wins; the engine gets it after it is on disk, and a late one is told who was faster", async () => {
  let reply: AskReply | undefined;
  const { session, askId, log } = await asking(async (_, io) => {
    reply = await io.ask(confirm);
    return "";
  });
  await expect(session.answer(askId, { ok: "yes" }, me)).rejects.toMatchObject({ code: "invalid_params" });
  const [first, second] = await Promise.allSettled([
    session.answer(askId, { ok: true }, me),
    session.answer(askId, { ok: false }, other),
  ]);
  expect(first.status).toBe("fulfilled");
  expect(second).toMatchObject({
    status: "rejected",
    reason: { code: "ask_closed", message: "The ask was already answered by test." },
  });
  await session.settled();
  expect(reply).toEqual({ outcome: "answered", answer: { ok: true } });
  expect(ofType(await log(), "ask.closed").map(({ outcome, answer, by }) => ({ outcome, answer, by }))).toEqual([
    { outcome: "answered", answer: { ok: true }, by: me },
  ]);
  await expect(session.answer("nope", { ok: true }, me)).rejects.toMatchObject({ code: "ask_not_found" });
});

test("the engine gets an answer only when it is on disk", async () => {
  const { store, release } = holdingBack("ask.closed");
  let reply: AskReply | undefined;
  const { session, log } = await start(async (_, io) => {
    reply = await io.ask(confirm);
    return "";
  }, store);
  session.attach(["confirm"]);
  await prompt(session, "ask");
  await until(async () => ofType(await log(), "ask.opened").length > 0);
  const [ask] = ofType(await log(), "ask.opened");
  const answered = session.answer(ask?.askId ?? "", { ok: true }, me);
  await settle();
  expect(reply).toBeUndefined();
  release();
  await answered;
  await session.settled();
  expect(reply).toEqual({ outcome: "answered", answer: { ok: true } });
});

test("an answer after the time is late, even if nothing has noticed yet that the time is over", async () => {
  const { session, askId, clock, log } = await asking(async (_, io) => {
    await io.ask(confirm, 5000);
    return "";
  });
  clock.set(clock.now() + 5000);
  await expect(session.answer(askId, { ok: true }, me)).rejects.toMatchObject({ code: "ask_closed" });
  expect(ofType(await log(), "ask.closed")).toMatchObject([{ outcome: "expired" }]);
});

test("an ask expires after it was opened, also when the clock went back before that", async () => {
  const { session, clock, log } = await start(async (_, io) => {
    await io.ask(confirm, 1000);
    return "";
  });
  session.attach(["confirm"]);
  clock.set(clock.now() - 60_000);
  await prompt(session, "ask");
  await until(async () => ofType(await log(), "ask.opened").length > 0);
  const [ask] = ofType(await log(), "ask.opened");
  expect((ask?.expiresAt ?? 0) - (ask?.at ?? 0)).toBe(1000);
});

test("a run that is being cancelled opens no further ask", async () => {
  const replies: AskReply[] = [];
  const { session, types } = await start(async (_, io, signal) => {
    await untilAborted(signal);
    replies.push(await io.ask(confirm));
    return "";
  });
  session.attach(["confirm"]);
  const { runId } = await prompt(session, "work");
  await session.cancel(runId, "enough");
  await session.settled();
  expect(replies).toEqual([{ outcome: "withdrawn" }]);
  expect(await types()).not.toContain("ask.opened");
});

test("an engine that opens asks without end is failed at a hundred, and a session remembers who answered the last ones", async () => {
  const { session, log } = await start(async (_, io) => {
    for (let n = 0; n < 250; n++) await io.ask(confirm);
    await Promise.all(Array.from({ length: 101 }, () => io.ask(confirm)));
    return "";
  });
  session.attach(["confirm"]);
  await prompt(session, "ask");
  for (let n = 1; n <= 250; n++) {
    await until(async () => ofType(await log(), "ask.opened").length === n);
    await session.answer(ofType(await log(), "ask.opened").at(-1)?.askId ?? "", { ok: true }, me);
  }
  await session.settled();
  const events = await log();
  expect(events.at(-1)).toMatchObject({ type: "run.failed", error: { code: "queue_full" } });
  for (const ask of [ofType(events, "ask.opened")[0], ofType(events, "ask.opened")[249]]) {
    await expect(session.answer(ask?.askId ?? "", { ok: true }, other)).rejects.toMatchObject({ code: "ask_closed" });
  }
  expect(faultsOf(events, { ended: true })).toEqual([]);
});

test("a late answer is told so by a new owner too, who has only the log", async () => {
  const { session, askId, store, engines } = await asking(async (_, io) => {
    await io.ask(confirm);
    return "";
  });
  await session.answer(askId, { ok: true }, me);
  await session.settled();
  const next = await new Runtime({ store, engines }).open(session.id);
  await expect(next.answer(askId, { ok: true }, other)).rejects.toMatchObject({ code: "ask_closed" });
});

test("only what was offered can be picked, and only one unless several are wanted", async () => {
  const { session, askId } = await asking(async (_, io) => {
    const items = ["a", "b"].map((id) => ({ id, label: id }));
    await io.ask({ kind: "pick", title: "Which?", message: "", items });
    return "";
  });
  await expect(session.answer(askId, { ids: ["c"] }, me)).rejects.toMatchObject({ code: "invalid_params" });
  await expect(session.answer(askId, { ids: ["a", "b"] }, me)).rejects.toMatchObject({ code: "invalid_params" });
  await session.answer(askId, { ids: ["b"] }, me);
});

test("a pick is answered in one's own words where it allows that, alone or with the item that stands for them", async () => {
  const items = ["a", "other"].map((id) => ({ id, label: id }));
  const replies: unknown[] = [];
  const { session, log } = await asking(async (_, io) => {
    const ask = (more: object) => io.ask({ kind: "pick", title: "Which?", message: "", items, ...more });
    replies.push(...(await Promise.all([ask({ allowText: true }), ask({ allowText: true, multi: true }), ask({})])));
    return "";
  });
  const [one = "", several = "", closed = ""] = ofType(await log(), "ask.opened").map(({ askId }) => askId);
  const refusal = (askId: string, answer: unknown) => session.answer(askId, answer, me).catch((error) => error);
  const longest = "x".repeat(2000);
  expect([
    await refusal(closed, { ids: [], text: "mine" }),
    await refusal(one, { ids: [], text: " \n" }),
    await refusal(one, { ids: ["other"], text: `${longest}y` }),
    await refusal(one, { ids: ["a"], text: "mine" }),
    await refusal(several, { ids: ["a", "other"], text: "mine" }),
  ]).toMatchObject(
    [
      "It is answered by a choice: it takes no text.",
      "The text is empty. Say it in your own words, or leave it out and pick.",
      "A text has at most 2000 characters, and this one 2001. Say it shorter.",
      "Pick, or say it in your own words: both together are no answer.",
      "Pick, or say it in your own words: both together are no answer.",
    ].map((message) => ({ code: "invalid_params", message })),
  );
  await session.answer(one, { ids: ["other"], text: ` ${longest}\n` }, me);
  await session.answer(several, { ids: [], text: "mine" }, me);
  await session.answer(closed, { ids: ["other"] }, me);
  await session.settled();
  expect(replies).toEqual([
    { outcome: "answered", answer: { ids: ["other"], text: longest } },
    { outcome: "answered", answer: { ids: [], text: "mine" } },
    { outcome: "answered", answer: { ids: ["other"] } },
  ]);
});

test("an ask expires, and an answer after that is late", async () => {
  let reply: AskReply | undefined;
  const { session, askId, clock, log, ask } = await asking(async (_, io) => {
    reply = await io.ask(confirm, 5000);
    return "";
  });
  expect(ask.expiresAt - ask.at).toBe(5000);
  clock.advance(5000);
  await session.settled();
  expect(reply).toEqual({ outcome: "expired" });
  await expect(session.answer(askId, { ok: true }, me)).rejects.toMatchObject({ code: "ask_closed" });
  expect(faultsOf(await log(), { ended: true })).toEqual([]);
});

test("an ask is not opened when no one is there to answer it", async () => {
  const replies: AskReply[] = [];
  const { session, types } = await start(async (_, io) => {
    replies.push(await io.ask(confirm));
    return "";
  });
  session.attach(["pick"]);
  const detach = session.attach(["confirm"]);
  detach();
  await prompt(session, "ask");
  await session.settled();
  expect(replies).toEqual([{ outcome: "denied", reason: "no_one_to_ask" }]);
  expect(await types()).toEqual(["session.created", "run.started", "note", "run.completed"]);
});

test("an ask stays open when the one who could answer goes away", async () => {
  const { session, askId, detach, types } = await asking(async (_, io) => {
    await io.ask(confirm);
    return "";
  });
  detach();
  await settle();
  expect((await types()).at(-1)).toBe("ask.opened");
  await session.answer(askId, { ok: true }, other);
});

test("a cancel withdraws the open asks before the run ends", async () => {
  const { session, runId, askId, log } = await asking(async (_, io) => {
    await io.ask(confirm);
    return "";
  });
  await session.cancel(runId, "enough");
  await session.settled();
  const events = await log();
  expect(events.slice(-3).map((event) => event.type)).toEqual(["run.cancelling", "ask.closed", "run.cancelled"]);
  expect(ofType(events, "ask.closed")).toMatchObject([{ askId, outcome: "withdrawn" }]);
});

test("the answer to a secret prompt is recorded as answered only, and never echoed into the log", async () => {
  let value: unknown;
  const { session, askId, log } = await asking(async (_, io) => {
    const reply = await io.ask({ kind: "prompt", title: "Key", message: "", secret: true });
    value = reply.outcome === "answered" && reply.answer;
    for (const text of ["it is s3c", "r3t-k", "ey, I think"]) await io.emit({ type: "text.delta", text, of: "answer" });
    return "the key is s3cr3t-key";
  });
  await session.answer(askId, { value: "s3cr3t-key" }, me);
  await session.settled();
  expect(value).toEqual({ value: "s3cr3t-key" });
  const events = await log();
  expect(ofType(events, "ask.closed").map(({ outcome, by, answer }) => ({ outcome, by, answer }))).toEqual([
    { outcome: "answered", by: me, answer: undefined },
  ]);
  expect(
    ofType(events, "text.delta")
      .map(({ text }) => text)
      .join(""),
  ).toBe("it is [redacted], I think");
  expect(ofType(events, "run.completed")).toMatchObject([{ result: { text: "the key is [redacted]" } }]);
});

test("an answer too large to be kept is refused, and the ask stays open for another", async () => {
  const { session, askId, log } = await asking(async (_, io) => {
    await io.ask({ kind: "prompt", title: "Name", message: "" });
    return "";
  });
  await expect(session.answer(askId, { value: "x".repeat(51 * 1024 * 1024) }, me)).rejects.toMatchObject({
    code: "too_large",
  });
  await session.answer(askId, { value: "short" }, other);
  await session.settled();
  expect(ofType(await log(), "ask.closed")).toMatchObject([{ outcome: "answered", by: other }]);
});

test("an engine that waits for an answer goes on when the answer cannot be stored", async () => {
  const inner = memoryStore();
  const failing: Store = {
    ...inner,
    append: async (...args) => {
      if (args[1].some((draft) => draft.type === "ask.closed")) throw new Error("disk full");
      return inner.append(...args);
    },
  };
  let reply: AskReply | undefined;
  const { session, log } = await start(async (_, io) => {
    reply = await io.ask(confirm);
    return "";
  }, failing);
  session.attach(["confirm"]);
  await prompt(session, "ask");
  await until(async () => ofType(await log(), "ask.opened").length > 0);
  const [ask] = ofType(await log(), "ask.opened");
  await expect(session.answer(ask?.askId ?? "", { ok: true }, me)).rejects.toMatchObject({ code: "store_failed" });
  await settle();
  expect(reply).toEqual({ outcome: "withdrawn" });
});
