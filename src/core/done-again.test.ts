import { expect, test } from "vitest";
import { confirm, me, ofType, type Script } from "../testing/one-session.ts";
import { settle } from "../testing/scripted.ts";
import { twoNodes } from "../testing/several-nodes.ts";
import { DragomanError } from "./errors.ts";
import { randomId } from "./ids.ts";
import type { SessionHandle } from "./session-handle.ts";
import type { Store } from "./store.ts";

// A command whose owner lost the session just when it was done is given to the next one, which must not do it twice.

const script: Script = async ({ input }, io) => (input.text === "ask" ? (await io.ask(confirm)).outcome : "done");

const asked = (text: string, runId = randomId()) => ({
  kind: "prompt" as const,
  input: { text },
  by: me,
  runId,
  whenBusy: "queue" as const,
});

async function asking(wrap: (store: Store) => Store) {
  const around = await twoNodes(script, wrap);
  around.here.attach(["confirm"]);
  around.there.attach(["confirm"]);
  await settle();
  await around.here.prompt(asked("ask"));
  return { ...around, askId: await around.asked() };
}

type Asking = Awaited<ReturnType<typeof asking>>;

/** Whether it came to a good end, while time passes. */
async function given({ soon }: Asking, giving: Promise<unknown>): Promise<unknown> {
  let outcome: unknown;
  void giving.then(
    () => {
      outcome = "given";
    },
    (error) => {
      outcome = error;
    },
  );
  await soon(() => outcome !== undefined, "the outcome");
  return outcome;
}

test.each<[where: string, from: (around: Asking) => SessionHandle]>([
  ["here", ({ here }) => here],
  ["from another node", ({ there }) => there],
])("what was written, though the owner was told that it is none any more, is done: given %s", async (_, from) => {
  let isFenced = false;
  const around = await asking((inner) => ({
    ...inner,
    append: async (...args) => {
      const events = await inner.append(...args);
      if (!isFenced || events.length === 0) return events;
      isFenced = false;
      throw new DragomanError("stale_owner", "another node has it");
    },
  }));
  isFenced = true;
  expect(await given(around, from(around).answer(around.askId, { ok: true }, me))).toBe("given");
  const prompt = asked("go");
  isFenced = true;
  expect(await given(around, from(around).prompt(prompt))).toBe("given");
  const runs = [...ofType(await around.log(), "run.started"), ...ofType(await around.log(), "run.queued")];
  expect(runs.filter(({ runId }) => runId === prompt.runId)).toHaveLength(1);
});

test("what a node did that died before it could say so is done", async () => {
  let isSilent = false;
  const around = await asking((inner) => ({
    ...inner,
    mailbox: {
      ...inner.mailbox,
      answer: async (...args) => {
        if (!isSilent) return inner.mailbox.answer(...args);
        around.one.die();
        return false;
      },
    },
  }));
  isSilent = true;
  expect(await given(around, around.there.answer(around.askId, { ok: true }, me))).toBe("given");
});

test("what a node never got to see was not done, though another one did the same meanwhile", async () => {
  let isStill = false;
  const around = await asking((inner) => ({
    ...inner,
    mailbox: { ...inner.mailbox, take: async (to) => (isStill ? [] : inner.mailbox.take(to)) },
  }));
  isStill = true;
  const closing = around.there.close("over");
  await settle();
  const third = around.node();
  around.one.die();
  await (await third.runtime.open(around.here.id)).close("over");
  isStill = false;
  expect(await given(around, closing)).toMatchObject({ code: "session_closed" });
});
