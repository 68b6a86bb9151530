import { spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { startOf, thisHost } from "../core/process-identity.ts";
import { newMark } from "../core/process-mark.ts";
import type { ProcessRecord } from "../core/process-records.ts";
import type { Supervise } from "../core/supervision.ts";
import { endLeftovers } from "../tools/process-leftovers.ts";
import { shell } from "../tools/shell.ts";
import { quietIo } from "./quiet-io.ts";
import { until } from "./scripted.ts";

// A node that is going to be lost, for tests: it runs a command as a run does, and says what is recorded of it.

export type Ending = "later" | "before the pid is recorded" | "before it is started";

const die = () => process.kill(process.pid, "SIGKILL");

/** What was said is out when this returns, whatever comes then. */
const say = (record: ProcessRecord) => void writeSync(1, `${JSON.stringify(record)}\n`);

function supervise(ending: Ending): Supervise {
  return async (title) => {
    const mark = newMark();
    const record = { mark, node: "lost", sessionId: "session", runId: "run", title, host: thisHost() };
    say(record);
    if (ending === "before it is started") die();
    return {
      mark,
      started(pid) {
        if (ending === "before the pid is recorded") die();
        say({ ...record, pid, startedAt: startOf(pid) ?? "" });
      },
      ended() {},
    };
  };
}

async function run(workspace: string, command: string, ending: Ending): Promise<void> {
  const io = { ...quietIo(), supervise: supervise(ending) };
  await shell.run({ command, timeoutMs: 60_000 }, { workspace, trusted: true }, io);
}

/** Is itself one of those that a lost node left: ends the others, and goes on with what it started. */
async function takeOver(recordFile: string, answerFile: string, nap: string): Promise<void> {
  const own = spawn("sleep", [nap], { stdio: "ignore" });
  await until(() => existsSync(recordFile));
  const ended = await endLeftovers([JSON.parse(readFileSync(recordFile, "utf8"))]);
  writeFileSync(`${answerFile}.new`, JSON.stringify({ ended, pid: process.pid, own: own.pid }));
  renameSync(`${answerFile}.new`, answerFile);
}

const [what, a = "", b = "", c = ""] = process.argv.slice(2);
if (what === "run") await run(a, b, c as Ending);
else await takeOver(a, b, c);
