import { describe, expect, test } from "vitest";
import { confirm, me, ofType, prompt, type Script, untilAborted } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { settle, until } from "../testing/scripted.ts";
import { machine } from "../testing/several-nodes.ts";
import { isTerminal } from "./event-facts.ts";
import type { SessionHandle } from "./session-handle.ts";
import type { Store } from "./store.ts";

const about = { workspace: "/w", engine: "scripted" };

const script: Script = async ({ input }, io, signal) => {
  if (input.text === "ask") return (await io.ask(confirm)).outcome;
  await untilAborted(signal);
  return "";
};

/** A node that has a run that only waits and another one at work, and a node beside it. */
async function asking(wrap?: (store: Store) => Store) {
  const { store, node, soon } = machine(script, wrap);
  const [one, two] = [node(), node()];
  const here = await one.runtime.create(about);
  here.attach(["confirm"]);
  const { runId } = await prompt(here, "ask");
  await prompt(await one.runtime.create(about), "work");
  const log = () => readAll(store, here.id);
  await until(async () => ofType(await log(), "ask.opened").length > 0, "the ask");
  const askId = ofType(await log(), "ask.opened")[0]?.askId ?? "";
  const there = await two.runtime.open(here.id);
  const stop = () => {
    const state = { stopped: false };
    void one.runtime.stop(10_000, { leaveWaiting: true }).then(() => {
      state.stopped = true;
    });
    return state;
  };
  const isOver = async () => (await log()).some(isTerminal);
  return { store, one, here, there, runId, askId, log, isOver, stop, soon };
}

type Asking = Awaited<ReturnType<typeof asking>>;

const commands: [name: string, give: (to: SessionHandle, of: Asking) => Promise<unknown>, end: object][] = [
  ["answered", (to, { askId }) => to.answer(askId, { ok: true }, me), { type: "run.completed" }],
  ["cancelled", (to, { runId }) => to.cancel(runId, "enough", me), { type: "run.cancelled", reason: "enough" }],
];

describe("a run that is left by a node that stops", () => {
  test.each(commands)("is %s elsewhere while another run of that node has its grace", async (_, give, end) => {
    const left = await asking();
    const state = left.stop();
    await until(async () => (await left.store.nodes.owner(left.here.id)) === undefined, "that it is given back");
    await give(left.there, left);
    await until(left.isOver, "the end");
    expect((await left.log()).at(-1)).toMatchObject(end);
    expect(state.stopped).toBe(false);
  });

  test.each(commands)("is %s where it is next, also by who asks just before it is given back", async (_, give, end) => {
    let giveBack: (() => void) | undefined;
    const left = await asking((inner) => ({
      ...inner,
      release: async (fence) => {
        if (!giveBack) await new Promise<void>((resolve) => (giveBack = resolve));
        return inner.release(fence);
      },
    }));
    left.stop();
    await until(() => giveBack !== undefined, "that it is about to be given back");
    let failure: unknown;
    void give(left.there, left).catch((error) => {
      failure = error;
    });
    await settle(100);
    giveBack?.();
    await left.soon(async () => failure !== undefined || (await left.isOver()), "the end");
    expect(failure).toBeUndefined();
    expect((await left.log()).at(-1)).toMatchObject(end);
  });
});

test("a run that is answered just when its node is about to leave it goes on there to its end", async () => {
  let [isLeaving, isAnswered] = [false, false];
  let write = () => {};
  const left = await asking((inner) => ({
    ...inner,
    append: async (...given) => {
      if (isLeaving) await new Promise<void>((resolve) => (write = resolve));
      return inner.append(...given);
    },
    session: async (sessionId) => {
      const summary = await inner.session(sessionId);
      if (isLeaving && !isAnswered) {
        isAnswered = true;
        void left.here.answer(left.askId, { ok: true }, me);
        await settle();
      }
      return summary;
    },
  }));
  isLeaving = true;
  const state = left.stop();
  await settle(100);
  isLeaving = false;
  write();
  await left.soon(() => state.stopped, "the stop");
  expect((await left.log()).at(-1)).toMatchObject({ type: "run.completed", result: { text: "answered" } });
});

test.each(["session", "release"] as const)("a node whose store fails to %s leaves all the same", async (name) => {
  let isBroken = false;
  const fail = async () => {
    throw new Error("the disk is gone");
  };
  const left = await asking((inner) => ({
    ...inner,
    session: (sessionId) => (isBroken && name === "session" ? fail() : inner.session(sessionId)),
    release: (fence) => (isBroken && name === "release" ? fail() : inner.release(fence)),
  }));
  isBroken = true;
  const state = left.stop();
  await left.soon(() => state.stopped, "the stop");
  expect((await left.store.nodes.list()).map(({ node }) => node)).not.toContain(left.one.runtime.node);
});
