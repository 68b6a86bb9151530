#!/usr/bin/env node
import { join } from "node:path";
import { Command } from "commander";
import { asDragomanError } from "../core/errors.ts";
import { dataFolder } from "./data-folder.ts";
import { leaveWith } from "./leave.ts";
import { packageFile } from "./package-file.ts";

// The only place where stores, engines, dialects and commands meet. What a command needs is loaded when it runs.

const { version } = JSON.parse(packageFile("package.json")) as { version: string };
const program = new Command("dragoman")
  .description("Lets any user interface drive any coding agent: one durable session log, every protocol a view of it.")
  .version(version)
  .showHelpAfterError("Run dragoman --help to see what there is.")
  .addHelpText(
    "after",
    `
Environment:
  DRAGOMAN_HOME    where sessions are kept (now: ${dataFolder()})
  NO_COLOR         set to anything: no colours
  DRAGOMAN_DEBUG   set to anything: errors with their stack`,
  );

program
  .command("demo")
  .description("one run with an ask, played on two protocols side by side")
  .argument("[left]", "the protocol of the left column: ui, studio, operations, sidecar or live", "ui")
  .argument("[right]", "the protocol of the right column", "sidecar")
  .option("--fast", "without the pauses of the recording", false)
  .action(async (left: string, right: string, { fast }: { fast: boolean }) => {
    const [{ demo }, { Keys }, { dialects }, { stores }, { replayEngine }, { readRecording }, { Runtime }] =
      await Promise.all([
        import("./demo.ts"),
        import("./keys.ts"),
        import("../dialects/index.ts"),
        import("../stores/index.ts"),
        import("../engines/index.ts"),
        import("../engines/recording.ts"),
        import("../core/runtime.ts"),
      ]);
    const named = (name: string) => {
      const found = dialects.find((dialect) => dialect.name === name);
      if (found) return found;
      return program.error(
        `error: there is no protocol "${name}". There are: ${dialects.map((d) => d.name).join(", ")}.`,
      );
    };
    const recording = readRecording(packageFile("recordings/demo.jsonl"));
    const pair = { left: named(left), right: named(right) };
    const place = join(dataFolder(), "log.db");
    const store = await stores.sqlite(place);
    const engine = replayEngine(recording, { speed: fast ? "full" : "recorded" });
    const runtime = new Runtime({ store, engines: [engine] });
    const keys = new Keys(process.stdin);
    const stop = async () => {
      keys.close();
      await runtime.stop(0);
      await store.close();
    };
    const leave = leaveWith(stop);
    const started = recording.events.find((event) => event.type === "run.started");
    const colour = process.stdout.isTTY && !process.env.NO_COLOR;
    const prompt = started?.input.text ?? "";
    try {
      process.exitCode = await demo({ runtime, ...pair, prompt, place, keys, leave, out: process.stdout, colour });
    } finally {
      await stop();
    }
  });

program.parseAsync().catch((error) => {
  process.stderr.write(`dragoman: ${asDragomanError(error).message}\n`);
  if (process.env.DRAGOMAN_DEBUG) process.stderr.write(`${error?.stack}\n`);
  process.exitCode = 1;
});
