import { expect, test } from "vitest";
import * as z from "zod";
import { confirm, ofType, other, prompt, type Script, untilAborted } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { settle, until } from "../testing/scripted.ts";
import { machine, twoNodes } from "../testing/several-nodes.ts";
import type { ProcessRecord } from "./process-records.ts";
import type { Tool } from "./tool.ts";

// What can go wrong between two lines, when a process stands still there and another one goes on.

const hangs: Script = async (_turn, _io, signal) => {
  await untilAborted(signal);
  return "";
};
const about = { workspace: "/w", engine: "scripted" };

test("an owner that waited for an answer when it was taken over notices that when it wakes up", async () => {
  const { one, here, there, asked, has, clock } = await twoNodes(async ({ input }, io) => {
    return input.text === "ask" ? (await io.ask(confirm)).outcome : "done";
  });
  here.attach(["confirm"]);
  await prompt(here, "ask");
  const askId = await asked();
  one.die();
  await there.answer(askId, { ok: true }, other);
  await until(() => has("run.completed"));
  one.wake();
  for (let seconds = 0; seconds < 3; seconds++) {
    clock.advance(1000);
    await settle();
  }
  expect(await here.busy()).toBe(false);
  await prompt(here, "more", "refuse");
});

test("one who is attached can be asked also after the session was given back", async () => {
  const { node, store, soon } = machine(async (_, io) => (await io.ask(confirm)).outcome);
  const [short, long] = [node({ startsQueued: false }), node()];
  const here = await short.runtime.create(about);
  here.attach(["confirm"]);
  await soon(async () => (await store.nodes.owner(here.id)) === undefined);
  await prompt(await long.runtime.open(here.id), "ask");
  await until(async () => ofType(await readAll(store, here.id), "ask.opened").length === 1, "the ask");
});

test("one who claimed a session and was then taken over ends nothing of what its successor started", async () => {
  const ended: ProcessRecord[] = [];
  let sleeper = "";
  let wake = () => {};
  const { node, store } = machine(
    async (_, io, signal) => {
      (await io.supervise("make")).started(4711);
      await untilAborted(signal);
      return "";
    },
    (inner) => ({
      ...inner,
      claim: async (sessionId, claimer) => {
        const claimed = await inner.claim(sessionId, claimer);
        if (claimer === sleeper) await new Promise<void>((resolve) => (wake = resolve));
        return claimed;
      },
    }),
  );
  const endProcesses = async (records: ProcessRecord[]) => {
    ended.push(...records);
    return [];
  };
  const [first, slow, quick] = [node(), node({ endProcesses }), node({ endProcesses })];
  const { id } = await first.runtime.create(about);
  await first.runtime.stop();
  const [atSlow, atQuick] = [await slow.runtime.open(id), await quick.runtime.open(id)];
  sleeper = slow.runtime.node;
  const slowly = prompt(atSlow, "build");
  await settle();
  slow.die();
  await prompt(atQuick, "build");
  await until(async () => (await store.processes.list()).length === 1);
  sleeper = "";
  slow.wake();
  wake();
  await slowly;
  expect(ended).toEqual([]);
});

test("one who was taken over does not begin with a tool, though it may and does not know yet", async () => {
  let executed = 0;
  const touch: Tool<object> = {
    name: "touch",
    description: "",
    kind: "edit",
    risk: "read",
    args: z.object({}),
    intent: async () => ({ title: "touch", targets: [] }),
    run: async () => {
      executed++;
      return { result: "ok" };
    },
  };
  let goOn = () => {};
  const around = machine(
    async ({ input }, io) => {
      if (input.text !== "first") return "";
      await new Promise<void>((resolve) => (goOn = resolve));
      return (await io.tool("touch", {})).outcome;
    },
    (inner) => ({
      ...inner,
      append: async (...args) => {
        await settle(10);
        return inner.append(...args);
      },
    }),
  );
  const [one, two] = [around.node({ tools: [touch] }), around.node({ tools: [touch] })];
  const here = await one.runtime.create({ ...about, workspace: process.cwd() });
  await prompt(here, "first");
  const there = await two.runtime.open(here.id);
  one.die();
  await prompt(there, "second");
  one.wake();
  goOn();
  await settle(100);
  expect(executed).toBe(0);
});

test("a takeover that fails halfway is tried again, and keeps nobody waiting", async () => {
  let failures = 0;
  const { node, store, soon } = machine(hangs, (inner) => ({
    ...inner,
    processes: {
      ...inner.processes,
      list: async (query) => {
        if (query?.sessionId !== undefined && failures-- > 0) throw new Error("for a moment");
        return inner.processes.list(query);
      },
    },
  }));
  const endProcesses = async () => [];
  const [one, two, three] = [node(), node({ endProcesses }), node({ endProcesses })];
  const here = await one.runtime.create(about);
  await prompt(here, "work");
  failures = 1;
  one.die();
  await expect(prompt(await two.runtime.open(here.id), "more")).rejects.toMatchObject({ message: "for a moment" });
  await prompt(await three.runtime.open(here.id), "more");
  failures = 1;
  three.die();
  (await two.runtime.open(here.id)).attach(["confirm"]);
  await soon(async () => (await store.session(here.id))?.run?.status === "failed", "the end of the run");
});

test("what is queued is cancelled and closed also where it would not be started", async () => {
  const { node, store, soon } = machine(hangs);
  const [one, looker, next] = [node(), node({ startsQueued: false }), node()];
  const here = await one.runtime.create(about);
  await prompt(here, "first");
  const [second, third] = [await prompt(here, "second"), await prompt(here, "third")];
  let stopped = false;
  void one.runtime.stop(0).then(() => {
    stopped = true;
  });
  await soon(() => stopped);
  const looking = await looker.runtime.open(here.id);
  expect(await looking.cancel(second.runId, "no")).toEqual({ accepted: true, status: "cancelled" });
  await looking.close("over");
  await looker.runtime.stop(0);
  await next.runtime.own(here.id);
  await settle();
  expect((await readAll(store, here.id)).slice(-3)).toMatchObject([
    { type: "run.cancelled", runId: second.runId, reason: "no" },
    { type: "run.cancelled", runId: third.runId, reason: "session_closed" },
    { type: "session.closed" },
  ]);
});

test("a letter that comes just when its session is given back is done where the session is then", async () => {
  for (let turns = 0; turns < 30; turns++) {
    let isArmed = false;
    let released: (() => void) | undefined;
    const { node, store, clock } = machine(hangs, (inner) => ({
      ...inner,
      release: async (fence) => {
        await inner.release(fence);
        if (!isArmed) return;
        isArmed = false;
        await new Promise<void>((resolve) => (released = resolve));
      },
      mailbox: {
        ...inner.mailbox,
        take: async (to) => {
          const letters = await inner.mailbox.take(to);
          const goOn = letters.length > 0 ? released : undefined;
          if (goOn) void microtasks(turns).then(goOn);
          return letters;
        },
      },
    }));
    const [one, two] = [node(), node()];
    await one.runtime.create(about);
    const { id } = await one.runtime.create(about);
    const there = await two.runtime.open(id);
    isArmed = true;
    clock.advance(1000);
    await settle(10); // the first session is being given back
    await prompt(there, "go");
    expect(await store.nodes.owner(id), `after ${turns} turns`).toBeDefined();
  }
});

async function microtasks(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await undefined;
}

test("nobody looks after the owner of a command that was answered", async () => {
  let looks = 0;
  let isHeld = true;
  const slow: (() => void)[] = [];
  const { here, there, clock, store, one } = await twoNodes(
    async () => "done",
    (inner) => ({
      ...inner,
      nodes: {
        ...inner.nodes,
        owner: async (sessionId) => {
          looks++;
          const owner = await inner.nodes.owner(sessionId);
          if (isHeld && looks > 1) await new Promise<void>((resolve) => slow.push(resolve));
          return owner;
        },
      },
      mailbox: { ...inner.mailbox, take: async (to) => (slow.length > 0 ? inner.mailbox.take(to) : []) },
    }),
  );
  here.attach(["confirm"]);
  const prompted = prompt(there, "go");
  await settle();
  clock.advance(200);
  await until(() => slow.length > 0, "a look at the owner");
  const letter = { id: "ring", sessionId: here.id, epoch: 0, from: "", to: one.runtime.node, body: "" };
  await store.mailbox.post(letter);
  await prompted;
  isHeld = false;
  for (const goOn of slow) goOn();
  await settle();
  looks = 0;
  for (let passed = 0; passed < 900; passed += 100) {
    clock.advance(100);
    await settle(2);
  }
  expect(looks).toBeLessThanOrEqual(2); // the caretakers' rounds
});

test("what goes wrong with one lost node does not keep another one's run from its end", async () => {
  const { node, store, soon } = machine(async ({ input }, io, signal) => {
    if (input.text === "with a process") (await io.supervise("make")).started(4711);
    await untilAborted(signal);
    return "";
  });
  const endProcesses = async () => {
    throw new Error("EACCES");
  };
  const [bad, one, two] = [node(), node(), node({ endProcesses })];
  const left = await bad.runtime.create(about);
  await prompt(left, "with a process");
  await until(async () => (await store.processes.list()).length === 1);
  const here = await one.runtime.create(about);
  await prompt(here, "work");
  const idle = await two.runtime.create(about);
  (await two.runtime.open(here.id)).attach(["confirm"]);
  bad.die();
  one.die();
  await soon(async () => (await store.session(here.id))?.run?.status === "failed", "the end of the run");
  await soon(async () => (await store.nodes.owner(idle.id)) === undefined, "the idle session's release");
});

test("a node that stops while it opens a session starts nothing of what is queued in it", async () => {
  let opening = () => {};
  let isHeld = false;
  const { node, store, soon } = machine(hangs, (inner) => ({
    ...inner,
    processes: {
      ...inner.processes,
      list: async (query) => {
        if (isHeld && query?.sessionId !== undefined) await new Promise<void>((resolve) => (opening = resolve));
        return inner.processes.list(query);
      },
    },
  }));
  const [one, two] = [node(), node({ endProcesses: async () => [] })];
  const here = await one.runtime.create(about);
  await prompt(here, "first");
  const { runId } = await prompt(here, "second");
  one.die();
  isHeld = true;
  void two.runtime.own(here.id);
  await settle();
  let stopped = false;
  void two.runtime.stop().then(() => {
    stopped = true;
  });
  await settle();
  isHeld = false;
  opening();
  await soon(() => stopped);
  expect((await store.session(here.id))?.queued).toMatchObject([{ runId }]);
  expect(await store.nodes.owner(here.id)).toBeUndefined();
});
