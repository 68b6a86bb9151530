import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { openNode } from "../../cli/open-node.ts";
import type { Parts } from "../../cli/parts.ts";
import { memoryStore } from "../../stores/memory.ts";
import { answeringServers, json } from "../../testing/answering-server.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { configuredEngines } from "../agents/configured-engines.ts";
import { talkIn } from "./model-world.test.data.ts";

const folder = temporaryFolder();
const newServer = answeringServers();
afterEach(() => vi.unstubAllEnvs());

test("the key of the variable that the configuration names is masked in the log, whatever the variable is called", async () => {
  const { url, requests } = await newServer(({ headers }, response) =>
    json(response, { error: { message: `You said ${headers.authorization}` } }, 400),
  );
  const [home, workspace] = ["home", "work"].map((name) => join(folder.path, name));
  if (!home || !workspace) throw new Error("no folders");
  for (const path of [home, workspace]) mkdirSync(path);
  const modelEndpoint = { baseUrl: `${url}/v1`, apiKeyVariable: "MY_WORDS", model: "m" };
  writeFileSync(join(home, "dragoman.json"), JSON.stringify({ engine: "model", modelEndpoint }), { mode: 0o600 });
  vi.stubEnv("DRAGOMAN_HOME", home);
  vi.stubEnv("MY_WORDS", "quite-a-canary");
  const unused = () => Promise.reject(new Error("not part of this"));
  const parts: Parts = {
    version: "0",
    place: () => "",
    openStore: async () => memoryStore(),
    examine: unused,
    engines: async (_, configured) =>
      configuredEngines(
        { agents: [], ...configured },
        { workspace, trusted: false, env: process.env, home, packageFolder: folder.path },
        async () => ({ workspace, trusted: false }),
      ),
    missing: async () => undefined,
    agents: unused,
    recorded: unused,
  };
  const { runtime } = await openNode(parts, workspace, {}, { title: "test", startsQueued: false });
  const { id } = await runtime.create({ workspace, engine: "model" });
  const { run, log } = talkIn(runtime, id);
  expect((await run("go")).failure?.message).toContain("You said Bearer ");
  expect(requests.at(-1)?.headers.authorization).toBe("Bearer quite-a-canary");
  expect(JSON.stringify(await log())).not.toContain("canary");
  await runtime.stop(0);
});
