import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { memoryStore } from "../stores/memory.ts";
import { scripted } from "../testing/scripted.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openNode } from "./open-node.ts";
import type { Parts } from "./parts.ts";

const folder = temporaryFolder();
afterEach(() => vi.unstubAllEnvs());

test("an engine that came since the start is told as that, and one that nobody knows with those there are", async () => {
  vi.stubEnv("DRAGOMAN_HOME", join(folder.path, "home"));
  const workspace = join(folder.path, "work");
  mkdirSync(workspace);
  const builtin = { ...scripted(async () => ""), name: "builtin" };
  const engines = [builtin];
  const unused = () => Promise.reject(new Error("not part of this"));
  const parts: Parts = {
    version: "0",
    place: () => "",
    openStore: async () => memoryStore(),
    examine: unused,
    engines: async () => [...engines],
    missing: async (name) => (name === "codex" ? "Install it: npm install -g x" : undefined),
    agents: unused,
    recorded: unused,
  };
  const { runtime } = await openNode(parts, workspace, {}, { title: "test", startsQueued: false });
  engines.push({ ...builtin, name: "gemini" });
  expect(await Promise.all(["gemini", "codex", "gpt5"].map((name) => runtime.aboutMissing(name)))).toEqual([
    "The engine gemini was not here yet when Dragoman was started. Start it again.",
    "Install it: npm install -g x",
    'There is no engine "gpt5" here. There is: builtin.',
  ]);
  await runtime.stop(0);
});
