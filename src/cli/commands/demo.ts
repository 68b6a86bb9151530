import type { Command } from "commander";
import { leaveWith } from "../leave.ts";
import { packageFile } from "../package-file.ts";
import type { Parts } from "../parts.ts";

export function addDemo(program: Command, parts: Parts): void {
  program
    .command("demo")
    .description("one run with an ask, played on two protocols side by side")
    .argument("[left]", "the protocol of the left column: ui, studio, operations, sidecar or live", "ui")
    .argument("[right]", "the protocol of the right column", "sidecar")
    .option("--fast", "without the pauses of the recording")
    .action(async (left: string, right: string, { fast }: { fast?: boolean }) => {
      const [{ demo }, { Keys }, { dialects }, { Runtime }] = await Promise.all([
        import("../demo.ts"),
        import("../keys.ts"),
        import("../../dialects/index.ts"),
        import("../../core/runtime.ts"),
      ]);
      const named = (name: string) => {
        const found = dialects.find((dialect) => dialect.name === name);
        if (found) return found;
        const known = dialects.map((dialect) => dialect.name).join(", ");
        return program.error(`error: there is no protocol "${name}". There are: ${known}.`);
      };
      const pair = { left: named(left), right: named(right) };
      const { engine, prompt } = await parts.recorded(packageFile("recordings/demo.jsonl"), fast ? "full" : "recorded");
      const store = await parts.openStore();
      const runtime = new Runtime({ store, engines: [engine], title: "demo", version: parts.version });
      const keys = new Keys(process.stdin);
      const stop = async () => {
        keys.close();
        await runtime.stop(0);
        await store.close();
      };
      const leave = leaveWith(stop);
      const colour = process.stdout.isTTY && !process.env.NO_COLOR;
      try {
        const shown = { place: parts.place(), out: process.stdout, colour };
        process.exitCode = await demo({ runtime, ...pair, prompt, keys, leave, ...shown });
      } finally {
        await stop();
      }
    });
}
