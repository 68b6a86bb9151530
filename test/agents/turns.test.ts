import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openAsk, sees } from "../../src/testing/faces/face.ts";
import { processesWith } from "../../src/testing/processes-with.ts";
import { until } from "../../src/testing/scripted.ts";
import { temporaryFolder } from "../../src/testing/temporary-folder.ts";
import { agents } from "./agents.ts";
import { approved, ServedAgent } from "./served-agent.ts";

const folder = temporaryFolder();

describe.each(agents)("$engine", (agent) => {
  let served: ServedAgent;
  beforeAll(async () => {
    served = new ServedAgent(agent, folder.path);
    await served.start();
  });
  afterAll(async () => {
    await served.stop();
    await until(() => served.processes().length === 0, "the end of all of it");
  });

  test("makes a file once that is approved, and says so", async () => {
    const face = await served.begin("Make it. [[write made.txt hello]] [[say It is made.]]");
    await sees(face, (now) => openAsk(now) !== undefined, "a question");
    expect(existsSync(join(served.workspace, "made.txt"))).toBe(false);
    await approved(face);
    expect(face.seen()).toMatchObject({ end: "completed", text: expect.stringContaining("It is made.") });
    expect(existsSync(join(served.workspace, "made.txt"))).toBe(true);
    face.close();
  });

  test("is cancelled while its tool runs, and goes on with the next prompt", async () => {
    const nap = `${randomInt(100_000, 900_000)}.75`;
    const face = await served.begin(`The word is praline. [[run node -e 'setTimeout(() => {}, 100000000)' ${nap}]]`);
    await approved(face, () => processesWith(nap).length > 0);
    await face.cancel();
    expect(await sees(face, ({ end }) => end !== undefined, "the end")).toMatchObject({ end: "cancelled" });
    await until(() => processesWith(nap).length === 0, "the end of the tool");
    await face.prompt("What was the word? [[recall]]");
    const seen = await sees(face, ({ text, end }) => end === "completed" && text.includes("praline"), "the word");
    expect(seen.end).toBe("completed");
    face.close();
  });
});
