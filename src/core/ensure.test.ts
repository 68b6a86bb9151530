import { describe, expect, test } from "vitest";
import { confirm, me, ofType, prompt, type Script, untilAborted } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { settle, until } from "../testing/scripted.ts";
import { machine } from "../testing/several-nodes.ts";
import { derivedId, randomId } from "./ids.ts";

const about = { workspace: "/w", engine: "scripted" };
const says: Script = async () => "done";

describe("a session whose id is known before it is there", () => {
  test("is made once, whoever asks for it, on however many nodes", async () => {
    const { store, node, soon } = machine(says);
    const runtimes = [node(), node(), node()].map(({ runtime }) => runtime);
    const id = derivedId(randomId(), "feature");
    let done = false;
    const ensured = Promise.all([...runtimes, ...runtimes].map((runtime) => runtime.ensure(id, about)));
    void ensured.then(() => {
      done = true;
    });
    await soon(() => done, "the sessions");
    expect((await ensured).map((session) => session.id)).toEqual(Array(6).fill(id));
    expect((await readAll(store, id)).map(({ type }) => type)).toEqual(["session.created"]);
  });

  test("is the one that is there, as it is", async () => {
    const { store, node } = machine(says);
    const { runtime } = node();
    const made = await runtime.create({ ...about, title: "first" });
    const again = await runtime.ensure(made.id, { ...about, title: "second" });
    expect(again.id).toBe(made.id);
    expect(await store.session(made.id)).toMatchObject({ title: "first", lastSeq: 1 });
  });

  test("needs an engine that is here", async () => {
    const { runtime } = machine(says).node();
    await expect(runtime.ensure(randomId(), { ...about, engine: "other" })).rejects.toMatchObject({
      code: "engine_unavailable",
    });
  });
});

describe("a run that asked several things at once, and lost its owner when one was answered", () => {
  const questions = ["a", "b", "c"].map((title) => ({ ...confirm, title }));
  const asksAll: Script = async (_, io) => {
    const replies = await Promise.all(questions.map((question) => io.ask(question)));
    return replies.map((reply) => (reply.outcome === "answered" ? JSON.stringify(reply.answer) : reply.outcome)).join();
  };

  test("goes on elsewhere with the answer that it had, and is given the others", async () => {
    const { store, node, soon } = machine(asksAll);
    const [one, two] = [node(), node()];
    const here = await one.runtime.create(about);
    here.attach(["confirm"]);
    await prompt(here, "go");
    const log = () => readAll(store, here.id);
    const opened = async () => ofType(await log(), "ask.opened");
    await until(async () => (await opened()).length === 3, "the asks");
    const idOf = async (title: string) => (await opened()).find((ask) => ask.title === title)?.askId ?? "";
    await here.answer(await idOf("b"), { ok: false }, me);
    one.die();
    const there = await two.runtime.open(here.id);
    there.attach(["confirm"]);
    await soon(async () => (await store.nodes.list()).length === 1, "the burial of the owner");
    for (const title of ["c", "a"]) await there.answer(await idOf(title), { ok: true }, me);
    await soon(async () => ofType(await log(), "run.completed").length > 0, "the end");
    expect((await log()).at(-1)).toMatchObject({
      type: "run.completed",
      result: { text: '{"ok":true},{"ok":false},{"ok":true}' },
    });
    expect(await opened()).toHaveLength(3);
  });
});

describe("a node that stops", () => {
  const asks: Script = async (_, io) => (await io.ask(confirm)).outcome;

  async function asking(script: Script, last: "ask.opened" | "step.started" = "ask.opened") {
    const { store, node, soon } = machine(script);
    const [one, two] = [node(), node()];
    const here = await one.runtime.create(about);
    here.attach(["confirm"]);
    await prompt(here, "go");
    const log = () => readAll(store, here.id);
    await until(async () => (await log()).at(-1)?.type === last, last);
    return { one, two, here, log, soon };
  }

  test("leaves a run that only waits to whoever is answered next, if it is to", async () => {
    const { one, two, here, log, soon } = await asking(asks);
    const before = await log();
    await one.runtime.stop(10_000, { leaveWaiting: true });
    expect(await log()).toEqual(before);
    const there = await two.runtime.open(here.id);
    await there.answer(ofType(before, "ask.opened")[0]?.askId ?? "", { ok: true }, me);
    await soon(async () => ofType(await log(), "run.completed").length > 0, "the end");
    expect((await log()).at(-1)).toMatchObject({ type: "run.completed", result: { text: "answered" } });
  });

  test("cancels one that does more than wait, and any other where it is not to be left", async () => {
    const works: Script = async (_, io, signal) => {
      void io.ask(confirm);
      await settle();
      await io.emit({ type: "step.started", stepId: "s", title: "work", number: 1 });
      await untilAborted(signal);
      return "";
    };
    for (const [script, leaveWaiting] of [
      [works, true],
      [asks, false],
    ] as const) {
      const { one, log, soon } = await asking(script, leaveWaiting ? "step.started" : "ask.opened");
      let stopped = false;
      void one.runtime.stop(0, { leaveWaiting }).then(() => {
        stopped = true;
      });
      await soon(() => stopped, "the stop");
      expect((await log()).at(-1)).toMatchObject({ type: "run.cancelled", reason: "owner_stopped" });
    }
  });
});
