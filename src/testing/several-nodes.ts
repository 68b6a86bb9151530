import { type Clock, ManualClock } from "../core/clock.ts";
import type { Engine } from "../core/engine.ts";
import { resumeByReplay } from "../core/replayed-io.ts";
import { Runtime, type RuntimeOptions } from "../core/runtime.ts";
import type { Store } from "../core/store.ts";
import { memoryStore } from "../stores/memory.ts";
import type { MemoryNodeOptions } from "../stores/memory-nodes.ts";
import { ofType, type Script } from "./one-session.ts";
import { readAll } from "./read-all.ts";
import { scripted, settle, until } from "./scripted.ts";

/** Several processes on one store, which die or fall silent when they are told to. */
export function machine(script: Script, wrap: (store: Store) => Store = (store) => store) {
  const clock = new ManualClock();
  const dead = new Set<number>();
  const silent = new Set<string>();
  const options: MemoryNodeOptions = {
    clock,
    mayBeRunning: ({ pid }) => !dead.has(pid),
    isSilent: (node) => silent.has(node),
  };
  const store = wrap(memoryStore(options));
  const plain = scripted(script);
  const engine: Engine = {
    ...plain,
    resume: (turn, log, io, signal) =>
      resumeByReplay(turn, log, io, async (replayed) => ({ text: await script(turn, replayed, signal) })),
  };
  let pid = 0;
  const node = (more: Partial<RuntimeOptions> = {}) => {
    const mine = ++pid;
    const identity = { host: "here", pid: mine, startedAt: "" };
    const whileAlive: Clock = {
      now: () => clock.now(),
      after: (ms, callback) => clock.after(ms, () => !dead.has(mine) && callback()),
    };
    const runtime = new Runtime({ store, engines: [engine], clock: whileAlive, identity, title: "test", ...more });
    return {
      runtime,
      /** As the others see it. What it has under way goes on, but its clock stands still. */
      die: () => void dead.add(mine),
      /** It was not dead but stopped, and goes on. */
      wake: () => void dead.delete(mine),
      fallSilent: () => void silent.add(runtime.node),
    };
  };
  /** Lets what waits for the clock happen, a second at a time. */
  const soon = (holds: () => boolean | Promise<boolean>, what?: string) =>
    until(async () => {
      clock.advance(1000);
      await settle(5);
      return holds();
    }, what);
  return { clock, store, node, soon, dead };
}

export async function twoNodes(script: Script, wrap?: (store: Store) => Store) {
  const around = machine(script, wrap);
  const [one, two] = [around.node(), around.node()];
  const here = await one.runtime.create({ workspace: "/w", engine: "scripted" });
  const there = await two.runtime.open(here.id);
  const log = () => readAll(around.store, here.id);
  const has = async (type: string) => (await log()).some((event) => event.type === type);
  const asked = async () => {
    await until(() => has("ask.opened"), "the ask");
    return ofType(await log(), "ask.opened").at(-1)?.askId ?? "";
  };
  return { ...around, one, two, here, there, log, has, asked };
}
