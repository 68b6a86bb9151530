import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../stores/memory.ts";
import { ofType, prompt } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted } from "../testing/scripted.ts";
import { Runtime } from "./runtime.ts";

describe("what an engine keeps of its own conversation", () => {
  /** An engine that says which conversation it was given, and keeps another. */
  const keeping = (name: string, given: (string | undefined)[]) => ({
    ...scripted(async ({ agentSession }, io) => {
      given.push(agentSession);
      io.keep(`${name}-${given.length}`);
      return "done";
    }, name),
  });

  test("is in the log, and given back to it in the next run and after a restart, but not to another engine", async () => {
    const store = memoryStore();
    const [given, others]: (string | undefined)[][] = [[], []];
    const engines = () => [keeping("one", given ?? []), keeping("two", others ?? [])];
    const first = new Runtime({ store, engines: engines() });
    const { id } = await first.create({ workspace: tmpdir(), engine: "one" });
    const run = async (runtime: Runtime) => {
      const session = await runtime.open(id);
      await prompt(session, "go");
      await session.settled();
    };
    await run(first);
    await run(first);
    await first.stop();
    const second = new Runtime({ store, engines: engines() });
    await run(second);
    expect(given).toEqual([undefined, "one-1", "one-2"]);
    await (await second.open(id)).update({ engine: "two" });
    await run(second);
    expect(others).toEqual([undefined]);
    expect((await store.session(id))?.agentSession).toEqual({ engine: "two", id: "two-1" });
  });

  test("is written down once where it stays the same", async () => {
    const store = memoryStore();
    const engine = scripted(async (_, io) => {
      io.keep("it");
      io.keep("it");
      return "done";
    });
    const runtime = new Runtime({ store, engines: [engine] });
    const session = await runtime.create({ workspace: tmpdir(), engine: "scripted" });
    for (const _ of [1, 2]) {
      await prompt(session, "go");
      await session.settled();
    }
    const kept = ofType(await readAll(store, session.id), "session.updated");
    expect(kept.map(({ agentSession }) => agentSession)).toEqual([{ engine: "scripted", id: "it" }]);
  });
});

describe("an engine that keeps something between runs", () => {
  async function kept() {
    const left: string[] = [];
    const named = (name: string) => ({
      ...scripted(async () => "done", name),
      leave: async (sessionId: string) => void left.push(`${name} ${sessionId}`),
    });
    const runtime = new Runtime({ store: memoryStore(), engines: [named("one"), named("two")] });
    const session = await runtime.create({ workspace: tmpdir(), engine: "one" });
    const run = async () => {
      await prompt(session, "go");
      await session.settled();
    };
    await run();
    return { left, runtime, session, run };
  }

  test("is told when the session is closed", async () => {
    const { left, session } = await kept();
    expect(left).toEqual([]);
    await session.close();
    expect(left).toContain(`one ${session.id}`);
  });

  test("is told when the process stops", async () => {
    const { left, runtime, session } = await kept();
    await runtime.stop();
    expect(left).toContain(`one ${session.id}`);
  });

  test("is told when the session goes to another engine, which is not", async () => {
    const { left, session, run } = await kept();
    await session.update({ engine: "two" });
    await run();
    expect(left).toEqual([`one ${session.id}`]);
  });
});
