import { randomInt } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { openAsk, sees } from "../../src/testing/faces/face.ts";
import { processesWith } from "../../src/testing/processes-with.ts";
import { until } from "../../src/testing/scripted.ts";
import { temporaryFolder } from "../../src/testing/temporary-folder.ts";
import { agents } from "./agents.ts";
import { approved, ServedAgent } from "./served-agent.ts";

// Starting, cancelling and killing, again and again, leaves nothing running.

const CYCLES = { copilot: 50, "copilot-cli": 25, codex: 25 };

const folder = temporaryFolder();
let served: ServedAgent | undefined;

afterEach(() => served?.stop());

/** In turn: a cancel in a tool, one in a question, the agent killed, Dragoman killed. */
async function cycle(agent: ServedAgent, count: number): Promise<void> {
  const nap = `${randomInt(100_000, 900_000)}.125`;
  const kind = count % 4;
  // Codex runs commands in a sandbox of its own without a question, and asks before it writes.
  const step = kind === 1 ? `[[write ${nap}.txt never]]` : `[[run node -e 'setTimeout(() => {}, 100000000)' ${nap}]]`;
  const face = await agent.begin(`Do this. ${step}`);
  if (kind === 1) {
    await sees(face, (now) => openAsk(now) !== undefined, "a question");
    await face.cancel();
  } else {
    await approved(face, () => processesWith(nap).length > 0);
    if (kind === 0) await face.cancel();
    if (kind === 2) for (const line of agent.processes()) killAgent(line);
    if (kind === 3) await agent.kill();
  }
  if (kind === 3) await agent.start();
  else await sees(face, ({ end }) => end !== undefined, "the end");
  await until(() => processesWith(nap).length === 0, `the end of the tool in cycle ${count}`);
  face.close();
}

/** All of it but the server and the tool. */
function killAgent(line: string): void {
  if (/ serve |setTimeout/.test(line)) return;
  try {
    process.kill(Number.parseInt(line, 10), "SIGKILL");
  } catch {} // It has ended with another one.
}

test.each(Object.entries(CYCLES))(
  "%s: after %i cycles no process is left",
  { timeout: 900_000 },
  async (engine, cycles) => {
    const agent = agents.find((each) => each.engine === engine);
    if (!agent) throw new Error(`nobody knows ${engine}`);
    served = new ServedAgent(agent, folder.path);
    await served.start();
    for (let count = 0; count < cycles; count++) await cycle(served, count);
    await served.stop();
    await until(() => served?.processes().length === 0, "the end of all of it").catch(() => {});
    expect(served.processes()).toEqual([]);
  },
);
