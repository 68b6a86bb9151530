import { describe, expect, test } from "vitest";
import { faultsOf } from "../testing/check-log.ts";
import { confirm, me, ofType, other, prompt, type Script, untilAborted } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { settle, until } from "../testing/scripted.ts";
import { machine, twoNodes } from "../testing/several-nodes.ts";
import type { ProcessRecord } from "./process-records.ts";
import { seal } from "./sealed.ts";

const asks: Script = async (_, io) => {
  const reply = await io.ask(confirm);
  return reply.outcome;
};
const hangs: Script = async (_turn, _io, signal) => {
  await untilAborted(signal);
  return "";
};

describe("a session that another node has", () => {
  test("is prompted, answered and cancelled from here, and its runs are executed there", async () => {
    const { one, here, there, log, asked, store } = await twoNodes(async (turn, io, signal) => {
      if (turn.input.text === "hang") await untilAborted(signal);
      else await io.ask(confirm);
      return "done";
    });
    here.attach(["confirm"]);
    const { runId, queued } = await prompt(there, "ask");
    expect(queued).toBe(false);
    await there.answer(await asked(), { ok: true }, other);
    await here.settled();
    const next = await prompt(there, "hang");
    expect(await there.busy()).toBe(true);
    expect(await there.cancel(next.runId, "enough", other)).toEqual({ accepted: true, status: "cancelling" });
    await here.settled();
    expect((await log()).filter(({ type }) => /^run\.(c|f)/.test(type))).toMatchObject([
      { type: "run.completed", runId },
      { type: "run.cancelling", runId: next.runId, by: other },
      { type: "run.cancelled", runId: next.runId, reason: "enough" },
    ]);
    expect(await store.nodes.owner(here.id)).toMatchObject({ node: one.runtime.node });
    expect(await there.busy()).toBe(false);
  });

  test("opens its asks when only here someone can answer them, and not when nobody can", async () => {
    const { here, there, log, asked } = await twoNodes(asks);
    await prompt(here, "alone");
    await here.settled();
    expect((await log()).at(-1)).toMatchObject({ result: { text: "denied" } });
    const detach = there.attach(["confirm"]);
    await prompt(there, "with someone");
    await there.answer(await asked(), { ok: true }, other);
    await here.settled();
    expect((await log()).at(-1)).toMatchObject({ result: { text: "answered" } });
    detach();
    await settle();
    await prompt(here, "alone again");
    await here.settled();
    expect((await log()).at(-1)).toMatchObject({ result: { text: "denied" } });
  });

  test("takes one of two answers, and tells the other who was faster", async () => {
    const { here, there, asked, log } = await twoNodes(asks);
    here.attach(["confirm"]);
    await prompt(here, "ask");
    const askId = await asked();
    const answers = await Promise.allSettled([
      here.answer(askId, { ok: true }, me),
      there.answer(askId, { ok: false }, other),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [closed] = ofType(await log(), "ask.closed");
    const late = answers.find((answer) => answer.status === "rejected");
    expect(late?.reason).toMatchObject({ code: "ask_closed", data: { askId, outcome: "answered", by: closed?.by } });
  });

  test("refuses what it would refuse at home, with the same error", async () => {
    const { there, here } = await twoNodes(hangs);
    await prompt(here, "work");
    await expect(prompt(there, "more", "refuse")).rejects.toMatchObject({ code: "run_active" });
    await expect(there.answer("nope", { ok: true }, other)).rejects.toMatchObject({ code: "ask_not_found" });
    await expect(there.cancel("nope", "why")).rejects.toMatchObject({ code: "run_not_found" });
    await there.update({ title: "named" });
    await there.close("over");
    await expect(prompt(there, "more")).rejects.toMatchObject({ code: "session_closed" });
  });

  test("is free when its node stops, and when nobody there needs it", async () => {
    const { one, two, here, there, store, soon } = await twoNodes(async () => "done");
    expect(await two.runtime.own(here.id)).toBeUndefined();
    await soon(async () => (await store.nodes.owner(here.id)) === undefined, "its release");
    const detach = here.attach(["confirm"]);
    await prompt(here, "go");
    await one.runtime.stop();
    detach();
    expect(await store.nodes.owner(here.id)).toBeUndefined();
    await prompt(there, "go on");
    expect(await store.nodes.owner(here.id)).toMatchObject({ node: two.runtime.node });
  });

  test("refuses a letter that says what no Dragoman of this version would, and logs nothing of it", async () => {
    const { one, here, store, log } = await twoNodes(async () => "done");
    here.attach(["confirm"]);
    const before = await log();
    const { publicKey, epoch, node: to } = (await store.nodes.owner(here.id)) ?? { publicKey: "", epoch: 0, node: "" };
    const runId = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
    const request = { kind: "prompt", input: { text: "go" }, by: me, runId, whenBusy: "queue" };
    const wrong = [
      { do: "fly" },
      { do: "__proto__" },
      null,
      { do: "prompt", request: { ...request, runId: "../../x" }, isNew: true },
      { do: "prompt", request: { ...request, kind: "evil" }, isNew: true },
      { do: "prompt", request: { ...request, input: 7 }, isNew: true },
      { do: "prompt", request: { ...request, by: undefined }, isNew: true },
      { do: "update", change: { title: 5 } },
      { do: "update" },
      { do: "cancel" },
    ];
    for (const [n, command] of wrong.entries()) {
      const body = seal(JSON.stringify({ command, again: false }), publicKey);
      await store.mailbox.post({ id: `${n}`, sessionId: here.id, epoch, from: "someone", to, body });
    }
    await store.mailbox.post({ id: "x", sessionId: here.id, epoch, from: "someone", to, body: "not sealed" });
    for (const id of [...wrong.keys(), "x"]) {
      await until(async () => (await store.mailbox.delivery(`${id}`))?.state === "answered", `a reply to ${id}`);
      const delivery = await store.mailbox.delivery(`${id}`);
      expect(delivery).toMatchObject({ reply: expect.stringMatching(/"error":.*"code":"(invalid_params|internal)"/) });
    }
    expect(await log()).toEqual(before);
    await here.update({ title: "named", type: "note", workspace: "/etc" } as never);
    expect((await log()).at(-1)).toEqual({ type: "session.updated", title: "named", seq: 2, at: expect.any(Number) });
    await one.runtime.stop();
  });

  test("leaves nothing readable of what is posted to it", async () => {
    const bodies: string[] = [];
    const { here, there, asked } = await twoNodes(
      async (_, io) => {
        await io.ask({ kind: "prompt", title: "Password", message: "", secret: true });
        return "";
      },
      (store) => ({
        ...store,
        mailbox: {
          ...store.mailbox,
          post: (letter) => {
            bodies.push(JSON.stringify(letter));
            return store.mailbox.post(letter);
          },
        },
      }),
    );
    here.attach(["prompt"]);
    await prompt(there, "the token is t0p-s3cret");
    await there.answer(await asked(), { value: "p4ssw0rd" }, other);
    expect(bodies).toHaveLength(2);
    expect(bodies.join()).not.toMatch(/s3cret|p4ssw0rd/);
  });
});

describe("a node that is lost", () => {
  test("has its run ended by whoever follows it, and what was queued goes on there", async () => {
    const { one, there, here, has, log, soon } = await twoNodes(async ({ input }, _, signal) => {
      if (input.text === "first") await untilAborted(signal);
      return input.text;
    });
    there.attach(["confirm"]);
    await prompt(here, "first");
    await prompt(here, "second");
    one.die();
    await soon(() => has("run.completed"), "the next run");
    expect((await log()).slice(-3)).toMatchObject([
      { type: "run.failed", error: { code: "owner_lost" } },
      { type: "run.started", input: { text: "second" } },
      { type: "run.completed", result: { text: "second" } },
    ]);
  });

  test("leaves an open ask, which is answered at another one, where the run goes on", async () => {
    const { one, two, there, here, asked, has, log, store, soon } = await twoNodes(asks);
    here.attach(["confirm"]);
    there.attach(["confirm"]);
    const { runId } = await prompt(here, "ask");
    const askId = await asked();
    const before = await log();
    one.die();
    await soon(async () => (await store.nodes.list()).length === 1, "its burial");
    expect(await log()).toEqual(before); // it waits, and nothing has to be done about it yet
    await there.answer(askId, { ok: true }, other);
    await soon(() => has("run.completed"));
    expect((await log()).slice(before.length)).toMatchObject([
      { type: "ask.closed", askId, outcome: "answered", by: other },
      { type: "run.completed", runId, result: { text: "answered" } },
    ]);
    expect(faultsOf(await log(), { ended: true })).toEqual([]);
    expect(await store.nodes.owner(here.id)).toMatchObject({ node: two.runtime.node });
  });

  test("leaves an ask that expires though nobody does anything", async () => {
    const { one, there, here, asked, has, log, soon } = await twoNodes(async (_, io) => {
      return (await io.ask(confirm, 60_000)).outcome;
    });
    there.attach(["confirm"]);
    await prompt(here, "ask");
    await asked();
    one.die();
    await soon(() => has("run.completed"), "the expiry");
    expect((await log()).slice(-2)).toMatchObject([
      { type: "ask.closed", outcome: "expired" },
      { type: "run.completed", result: { text: "expired" } },
    ]);
  });

  test("gets no more in when it wakes up, and goes on as one that does not have the session", async () => {
    let emit: (() => Promise<void>) | undefined;
    const { one, here, there, log, has } = await twoNodes(async ({ input }, io, signal) => {
      if (input.text !== "first") return "";
      emit = () => io.emit({ type: "text.delta", text: "late", of: "answer" });
      await untilAborted(signal);
      return "";
    });
    here.attach(["confirm"]);
    await prompt(here, "first");
    one.die(); // as it seems
    await prompt(there, "second");
    await emit?.();
    await until(() => has("run.completed"));
    await prompt(here, "third");
    await there.settled();
    expect(ofType(await log(), "text.delta")).toEqual([]);
    expect(ofType(await log(), "run.completed")).toHaveLength(2);
    expect(faultsOf(await log(), { ended: true })).toEqual([]);
  });

  test("loses its sessions to who wants something of them, when it stays silent", async () => {
    let sleeper = "";
    const { one, two, here, there, store, soon, log } = await twoNodes(hangs, (inner) => ({
      ...inner,
      mailbox: { ...inner.mailbox, take: async (node) => (node === sleeper ? [] : inner.mailbox.take(node)) },
    }));
    here.attach(["confirm"]);
    await prompt(here, "work");
    one.fallSilent();
    sleeper = one.runtime.node;
    let accepted = false;
    void prompt(there, "more").then(() => {
      accepted = true;
    });
    await soon(() => accepted);
    expect(await store.nodes.owner(here.id)).toMatchObject({ node: two.runtime.node });
    expect((await log()).slice(-2)).toMatchObject([
      { type: "run.failed", error: { code: "owner_lost" } },
      { type: "run.started", input: { text: "more" } },
    ]);
  });

  test("is unreachable when it lives but does not answer, and what was posted to it is not done later", async () => {
    let isStuck = true;
    const { one, here, there, soon, log } = await twoNodes(
      async () => "done",
      (store) => ({
        ...store,
        mailbox: { ...store.mailbox, take: async (node) => (isStuck ? [] : store.mailbox.take(node)) },
      }),
    );
    here.attach(["confirm"]);
    let refusal: unknown;
    void prompt(there, "more").catch((error) => {
      refusal = error;
    });
    await soon(() => refusal !== undefined);
    expect(refusal).toMatchObject({ code: "owner_unreachable", message: expect.stringContaining("test, pid 1") });
    isStuck = false;
    await prompt(there, "again");
    await here.settled();
    expect(ofType(await log(), "run.started")).toMatchObject([{ input: { text: "again" } }]);
    await one.runtime.stop();
  });

  test("has what it left running ended before its run is, and the log says so", async () => {
    const ended: ProcessRecord[][] = [];
    const { node, store, soon } = machine(async (_turn, io, signal) => {
      (await io.supervise("make t0p-s3cret")).started(4711);
      await untilAborted(signal);
      return "";
    });
    const [one, two] = [
      node({ secrets: ["t0p-s3cret"] }),
      node({
        endProcesses: async (records) => {
          ended.push(records);
          return records.map(({ mark, title }) => ({ mark, title, pids: [4711], left: [] }));
        },
      }),
    ];
    const here = await one.runtime.create({ workspace: "/w", engine: "scripted" });
    const { runId } = await prompt(here, "work");
    await until(async () => (await store.processes.list()).length > 0);
    one.die();
    await two.runtime.create({ workspace: "/w", engine: "scripted" }); // whichever node comes next
    await soon(async () => (await store.session(here.id))?.run?.status === "failed", "the end of the run");
    expect(ended).toMatchObject([[{ node: one.runtime.node, sessionId: here.id, runId, title: "make [redacted]" }]]);
    expect((await readAll(store, here.id)).slice(-2)).toMatchObject([
      { type: "note", runId, text: "Ended what a lost process had left running: make [redacted] (pid 4711)." },
      { type: "run.failed", runId, error: { code: "owner_lost" } },
    ]);
    expect(await store.processes.list()).toEqual([]);
  });

  test("may have left what cannot be ended: that is said, and stays recorded", async () => {
    const { node, store } = machine(async (_turn, io, signal) => {
      (await io.supervise("sudo make")).started(4711);
      await untilAborted(signal);
      return "";
    });
    const endProcesses = async (records: ProcessRecord[]) =>
      records.map(({ mark, title }) => ({ mark, title, pids: [], left: [4711] }));
    const [one, two] = [node(), node({ endProcesses })];
    const here = await one.runtime.create({ workspace: "/w", engine: "scripted" });
    await prompt(here, "work");
    await until(async () => (await store.processes.list()).length > 0);
    one.die();
    await two.runtime.own(here.id);
    expect((await readAll(store, here.id)).slice(-2)).toMatchObject([
      { type: "note", text: "A lost process left this running, and it could not be ended: sudo make (pid 4711)." },
      { type: "run.failed" },
    ]);
    expect(await store.processes.list()).toMatchObject([{ title: "sudo make" }]);
  });

  test("does not start what is queued where one only looks", async () => {
    const { one, node, here, log, has, soon, store } = await twoNodes(hangs);
    await prompt(here, "first");
    await prompt(here, "second");
    const looker = node({ startsQueued: false });
    (await looker.runtime.open(here.id)).attach(["confirm"]);
    one.die();
    await soon(() => has("run.failed"));
    await soon(async () => (await store.nodes.owner(here.id)) === undefined);
    expect(ofType(await log(), "run.started")).toHaveLength(1);
  });

  test("does not go on with its queue where it is there for one run only", async () => {
    const { node, soon, store } = machine(async () => "done");
    const [short, long] = [node({ startsQueued: false }), node()];
    const here = await short.runtime.create({ workspace: "/w", engine: "scripted" });
    const there = await long.runtime.open(here.id);
    there.attach(["confirm"]);
    await Promise.all([prompt(here, "first"), prompt(here, "second")]);
    await soon(async () => (await store.session(here.id))?.messages === 4, "both runs");
    expect(await store.nodes.owner(here.id)).toMatchObject({ node: long.runtime.node });
  });

  test("gives back a session whose log it cannot write", async () => {
    let isFull = false;
    const { one, here, there, store } = await twoNodes(hangs, (inner) => ({
      ...inner,
      append: async (...args) => {
        if (isFull) throw new Error("disk full");
        return inner.append(...args);
      },
    }));
    here.attach(["confirm"]);
    const broken = new Promise((resolve) => here.onBroken(resolve));
    isFull = true;
    await expect(prompt(here, "work")).rejects.toMatchObject({ code: "store_failed" });
    expect(await broken).toMatchObject({ code: "store_failed", message: "disk full" });
    expect(await store.nodes.owner(here.id)).toBeUndefined();
    isFull = false;
    await prompt(there, "work");
    expect((await store.nodes.owner(here.id))?.node).not.toBe(one.runtime.node);
  });
});
