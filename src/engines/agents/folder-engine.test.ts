import { expect, test } from "vitest";
import { type Engine, type EngineIO, missingEngine, type Turn } from "../../core/engine.ts";
import { folderEngine } from "./folder-engine.ts";

/** What holds in a folder is its name's first part; `happened` has what became of the engines. */
function observed() {
  const happened: string[] = [];
  let missing = false;
  const make = (options: { of: string }): Engine => {
    happened.push(`made for ${options.of}`);
    return {
      ...missingEngine("agent", async () => ""),
      models: async () => [{ id: options.of, name: options.of }],
      run: async ({ sessionId, workspace }) => {
        happened.push(`${sessionId} ran in ${workspace} as in ${options.of}`);
        return { text: "" };
      },
      leave: async (sessionId) => void happened.push(`${options.of} left ${sessionId}`),
    };
  };
  const engine = folderEngine("agent", {
    workspace: "here/1",
    optionsFor: async (folder) => {
      if (missing) throw new Error("There is no program.");
      return { of: folder.split("/")[0] ?? "" };
    },
    load: async () => make,
  });
  const run = (sessionId: string, workspace: string) =>
    engine.run({ sessionId, workspace } as Turn, {} as EngineIO, new AbortController().signal);
  return { engine, run, happened, lose: (isLost: boolean) => (missing = isLost) };
}

test("an engine is made when it is used, once for all folders of which the same holds", async () => {
  const { engine, run, happened } = observed();
  expect([engine.name, happened]).toEqual(["agent", []]);
  await Promise.all([run("a", "here/1"), run("b", "here/2")]);
  await run("c", "there/1");
  expect(happened).toEqual([
    "made for here",
    "a ran in here/1 as in here",
    "b ran in here/2 as in here",
    "made for there",
    "here left c",
    "c ran in there/1 as in there",
  ]);
});

test("a session for which another thing holds by now leaves what it had before it goes on", async () => {
  const { run, happened } = observed();
  await run("a", "trusted/1");
  await run("a", "untrusted/1");
  expect(happened.slice(-2)).toEqual(["trusted left a", "a ran in untrusted/1 as in untrusted"]);
});

test("the models are those of the folder it was started for, and then of the last that it worked in", async () => {
  const { engine, run } = observed();
  expect(await engine.models()).toEqual([{ id: "here", name: "here" }]);
  await run("a", "there/1");
  expect(await engine.models()).toEqual([{ id: "there", name: "there" }]);
});

test("what cannot be made is tried again", async () => {
  const { engine, run, lose, happened } = observed();
  lose(true);
  await expect(engine.models()).rejects.toThrow("There is no program.");
  await expect(run("a", "here/1")).rejects.toThrow("There is no program.");
  lose(false);
  await run("a", "here/1");
  expect(happened.at(-1)).toBe("a ran in here/1 as in here");
});

test("is not made only to be left, and is left wherever it was used", async () => {
  const { engine, run, happened } = observed();
  await engine.leave?.("a");
  expect(happened).toEqual([]);
  await run("a", "here/1");
  await run("b", "there/1");
  happened.length = 0;
  await engine.leave?.("b");
  expect(happened).toEqual(["here left b", "there left b"]);
});
