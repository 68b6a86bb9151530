import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { answer } from "../cli/answer.ts";
import { cancel } from "../cli/cancel.ts";
import { exportSession } from "../cli/export.ts";
import { leaveWith, type Signals } from "../cli/leave.ts";
import { readSecret } from "../cli/read-secret.ts";
import { run } from "../cli/run.ts";
import { sessions } from "../cli/sessions.ts";
import { Terminal } from "../cli/terminal/terminal.ts";
import { watch } from "../cli/watch.ts";
import type { Engine } from "../core/engine.ts";
import { asDragomanError } from "../core/errors.ts";
import { Runtime } from "../core/runtime.ts";
import { readRecording } from "../engines/recording.ts";
import { replayEngine } from "../engines/replay.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import { scripts } from "./cli-scripts.ts";
import { scripted } from "./scripted.ts";

// The commands of the terminal in a process of their own, for tests: on a store of their own, with an engine that plays a script or
// a recording. DRAGOMAN_HOME says where the store is, DRAGOMAN_SCRIPT what is played.

function engine(): Engine {
  const name = process.env.DRAGOMAN_SCRIPT ?? "";
  const script = scripts[name];
  if (script) return scripted(script, "test");
  const recording = readRecording(readFileSync(name, "utf8"));
  return { ...replayEngine(recording, { speed: "full" }), name: "test" };
}

/** Someone else, who takes their time and says yes. */
function answerAs(user: string): void {
  const asked = new Set<string>();
  runtime.store.wake("*", async (sessionId) => {
    const ask = (await store.session(sessionId))?.asks.find(({ askId }) => !asked.has(askId));
    if (!ask) return;
    asked.add(ask.askId);
    const session = await runtime.open(sessionId);
    setTimeout(() => session.answer(ask.askId, { ok: true }, { dialect: "sidecar", user }), 1000);
  });
}

const store = await openSqliteStore(join(process.env.DRAGOMAN_HOME ?? "", "log.db"));
const title = process.argv[2];
const runtime = new Runtime({ store, engines: [engine()], title, version: "test", startsQueued: false });
const terminal = new Terminal(process, process.env);
const lastly = new Set<() => Promise<unknown>>();
const stop = async () => {
  terminal.close();
  await Promise.allSettled([...lastly].map((task) => task()));
  await runtime.stop(0);
  await store.close();
};
const signals: Signals = {};
const leave = leaveWith(stop, signals);
if (process.env.DRAGOMAN_OTHER) answerAs(process.env.DRAGOMAN_OTHER);
const workspace = process.cwd();
const program = new Command();
const say = (line: string) => terminal.out.add([line]);
const note = (line: string) => terminal.err.add([line]);
const ended = (code: number) => {
  process.exitCode = code;
};

program
  .command("run")
  .argument("<prompt>")
  .option("--engine <name>")
  .option("--model <name>")
  .option("--session <id>")
  .option("--continue", "", false)
  .option("--json", "", false)
  .option("--quiet", "", false)
  .option("--thinking", "", false)
  .action(async (prompt: string, { continue: continueLatest, engine: name, model, ...given }) =>
    ended(
      await run({
        ...{ runtime, terminal, prompt, workspace, engine: "test", leave, lastly, signals, continueLatest },
        ...given,
        named: { engine: name, model },
      }),
    ),
  );
program
  .command("watch")
  .argument("[session]")
  .option("--tail <runs>", "", Number)
  .option("--json", "", false)
  .option("--thinking", "", false)
  .action(async (session: string | undefined, given) =>
    ended(await watch({ store, runtime, terminal, session, ...given })),
  );
program
  .command("answer")
  .argument("<session>")
  .argument("[answer...]")
  .option("--reason <text>")
  .option("--ask <id>")
  .action(async (session: string, words: string[], given) => {
    const secret = () => readSecret(terminal);
    ended(await answer({ runtime, signals, session, words, readSecret: secret, say, note, ...given }));
  });
program
  .command("cancel")
  .argument("<session>")
  .option("--reason <text>")
  .action(async (session: string, given) => ended(await cancel({ runtime, session, say, note, ...given })));
program
  .command("sessions")
  .option("--all", "", false)
  .option("--limit <n>", "", Number, 20)
  .option("--json", "", false)
  .action(async (given) => ended(await sessions({ store, terminal, workspace, ...given })));
program
  .command("export")
  .argument("<session>")
  .option("--format <format>")
  .option("-o, --output <file>")
  .action(async (session: string, given) =>
    ended(await exportSession({ store, stdout: process.stdout, session, ...given })),
  );

try {
  await program.parseAsync();
} catch (error) {
  terminal.close();
  process.stderr.write(`dragoman: ${asDragomanError(error).message}\n`);
  process.exitCode = 1;
} finally {
  await stop();
}
