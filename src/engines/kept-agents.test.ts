import { expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import { settle } from "../testing/scripted.ts";
import { KeptAgents } from "./kept-agents.ts";

class FakeAgent {
  ended = false;
  ends = 0;
  /** When nothing is left of it. */
  gone = Promise.resolve();
  async end() {
    this.ended = true;
    this.ends++;
    await this.gone;
  }
}

function keeping(options: { idleMs?: number; most?: number } = {}) {
  const clock = new ManualClock();
  const agents: FakeAgent[] = [];
  const kept = new KeptAgents<FakeAgent>({ clock, idleMs: 1000, ...options });
  const start = async () => {
    const agent = new FakeAgent();
    agents.push(agent);
    return agent;
  };
  return { clock, agents, kept, start };
}

test("a session's next run gets the agent of the last", async () => {
  const { kept, start, agents } = keeping();
  const first = await kept.use("a", start);
  first.rest();
  const second = await kept.use("a", start);
  expect(second.agent).toBe(first.agent);
  expect(agents).toHaveLength(1);
});

test("one that nobody uses is ended after a while, and one in use is not", async () => {
  const { kept, start, clock } = keeping();
  const used = await kept.use("used", start);
  const idle = await kept.use("idle", start);
  idle.rest();
  clock.advance(999);
  await settle();
  expect(idle.agent.ended).toBe(false);
  clock.advance(1);
  await settle();
  expect([used.agent.ended, idle.agent.ended]).toEqual([false, true]);
});

test("use puts the end off", async () => {
  const { kept, start, clock } = keeping();
  (await kept.use("a", start)).rest();
  clock.advance(900);
  const again = await kept.use("a", start);
  clock.advance(900);
  again.rest();
  clock.advance(900);
  await settle();
  expect(again.agent.ended).toBe(false);
});

test("one that has ended by itself is replaced, once what it left is ended", async () => {
  const { kept, start, agents } = keeping();
  const first = await kept.use("a", start);
  first.agent.ended = true;
  first.rest();
  let isGone = () => {};
  first.agent.gone = new Promise((resolve) => (isGone = resolve));
  const replacing = kept.use("a", start);
  await settle();
  expect(agents).toHaveLength(1);
  isGone();
  const second = await replacing;
  expect(second.agent).not.toBe(first.agent);
  expect(agents.map(({ ends }) => ends)).toEqual([1, 0]);
  expect(kept.get("a")).toBe(second.agent);
});

test("the end that was planned for one that is gone is not that of its replacement", async () => {
  const { kept, start, clock } = keeping();
  const first = await kept.use("a", start);
  first.rest();
  first.agent.ended = true;
  const second = await kept.use("a", start);
  clock.advance(5000);
  await settle();
  expect(second.agent.ended).toBe(false);
});

test("resting twice is resting once", async () => {
  const { kept, start, clock } = keeping();
  const first = await kept.use("a", start);
  const second = await kept.use("a", start);
  first.rest();
  first.rest();
  clock.advance(5000);
  await settle();
  expect(second.agent.ended).toBe(false);
});

test("of those that nobody uses only so many are kept, the latest used", async () => {
  const { kept, start, agents } = keeping({ most: 2 });
  for (const session of ["a", "b", "a", "c"]) (await kept.use(session, start)).rest();
  await settle();
  expect(agents.map(({ ended }) => ended)).toEqual([false, true, false]);
});

test("a start that fails is told to who wanted it, and tried again by the next", async () => {
  const { kept, start } = keeping();
  await expect(kept.use("a", () => Promise.reject(new Error("not today")))).rejects.toThrow("not today");
  expect((await kept.use("a", start)).agent.ended).toBe(false);
});

test("one that is dropped while it starts is ended as soon as it has", async () => {
  const { kept } = keeping();
  const agent = new FakeAgent();
  let ready = (_: FakeAgent) => {};
  const using = kept.use("a", () => new Promise<FakeAgent>((resolve) => (ready = resolve)));
  const dropping = kept.drop("a");
  ready(agent);
  await Promise.all([using, dropping]);
  expect(agent.ended).toBe(true);
  expect(kept.get("a")).toBeUndefined();
});
