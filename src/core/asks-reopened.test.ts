import { expect, test } from "vitest";
import { settle } from "../testing/scripted.ts";
import { Asks } from "./asks.ts";
import { ManualClock } from "./clock.ts";
import type { AskReply } from "./engine.ts";
import type { EventOf, NewEvent, Question } from "./events.ts";
import { seededIds } from "./ids.ts";

const me = { dialect: "test" };
const yes = { ok: true };

/** The asks of a process that took a session over. */
function taken(durable: () => Promise<void> = async () => {}) {
  const clock = new ManualClock();
  const recorded: NewEvent[] = [];
  const secrets: string[] = [];
  const asks = new Asks({
    clock,
    now: () => clock.now(),
    newId: seededIds("asks"),
    record: (event) => recorded.push(event),
    durable,
    onSecret: (secret) => secrets.push(secret),
  });
  const opened = (change: Partial<EventOf<"ask.opened">> = {}): EventOf<"ask.opened"> => {
    const question: Question = { kind: "confirm", title: "Go on?", message: "" };
    const placed = { seq: 3, at: clock.now() - 1000, runId: "r", askId: "a", expiresAt: clock.now() + 5000 };
    return { type: "ask.opened", ...placed, ...question, ...change };
  };
  return { asks, clock, recorded, secrets, opened };
}

const closed = { type: "ask.closed", runId: "r", askId: "a" };

test("an ask of the log is open again without a word in the log, and is answered as any other", async () => {
  const { asks, recorded, opened } = taken();
  asks.reopen(opened());
  expect(recorded).toEqual([]);
  const reply = asks.reply("a");
  await expect(asks.answer("a", { nonsense: true }, me)).rejects.toMatchObject({ code: "invalid_params" });
  await asks.answer("a", yes, me);
  expect(await reply).toEqual({ outcome: "answered", answer: yes });
  expect(recorded).toEqual([{ ...closed, outcome: "answered", by: me, answer: yes }]);
  await expect(asks.answer("a", yes, me)).rejects.toMatchObject({ code: "ask_closed" });
});

test("an answer that comes before anyone goes on with the run is kept for them", async () => {
  const { asks, opened } = taken();
  asks.reopen(opened());
  await asks.answer("a", yes, me);
  expect(await asks.reply("a")).toEqual({ outcome: "answered", answer: yes });
  expect(await asks.reply("a")).toEqual({ outcome: "answered", answer: yes });
});

test("whoever goes on gets an answer only when it is on disk", async () => {
  const writes: (() => void)[] = [];
  const { asks, opened } = taken(() => new Promise((resolve) => writes.push(resolve)));
  asks.reopen(opened());
  const replies: AskReply[] = [];
  const replied = asks.reply("a").then((reply) => replies.push(reply));
  const answered = asks.answer("a", yes, me);
  await settle();
  expect(replies).toEqual([]);
  for (const write of writes) write();
  await Promise.all([answered, replied]);
  expect(replies).toEqual([{ outcome: "answered", answer: yes }]);
});

test("it expires when it would have expired", async () => {
  const { asks, clock, recorded, opened } = taken();
  asks.reopen(opened());
  clock.advance(4999);
  expect(recorded).toEqual([]);
  clock.advance(1);
  expect(recorded).toEqual([{ ...closed, outcome: "expired" }]);
  expect(await asks.reply("a")).toEqual({ outcome: "expired" });
});

test("one whose time passed meanwhile expires at once, in the log too, and exactly once", async () => {
  const { asks, clock, recorded, opened } = taken();
  asks.reopen(opened({ expiresAt: clock.now() }));
  expect(recorded).toEqual([{ ...closed, outcome: "expired" }]);
  await expect(asks.answer("a", yes, me)).rejects.toMatchObject({ code: "ask_closed" });
  clock.advance(10_000);
  expect(await asks.reply("a")).toEqual({ outcome: "expired" });
  expect(recorded).toHaveLength(1);
});

test("it is withdrawn with its run", async () => {
  const { asks, recorded, opened } = taken();
  asks.reopen(opened());
  asks.withdraw("r");
  expect(recorded).toEqual([{ ...closed, outcome: "withdrawn" }]);
  expect(await asks.reply("a")).toEqual({ outcome: "withdrawn" });
});

test("the answer to a secret prompt stays one", async () => {
  const { asks, recorded, secrets, opened } = taken();
  asks.reopen(opened({ kind: "prompt", secret: true }));
  await asks.answer("a", { value: "s3cr3t" }, me);
  expect(secrets).toEqual(["s3cr3t"]);
  expect(recorded).toEqual([{ ...closed, outcome: "answered", by: me, answer: undefined }]);
  expect(await asks.reply("a")).toEqual({ outcome: "answered", answer: { value: "s3cr3t" } });
});

test("there is no reply to an ask that nobody opened", async () => {
  await expect(taken().asks.reply("b")).rejects.toMatchObject({ code: "ask_not_found" });
});
