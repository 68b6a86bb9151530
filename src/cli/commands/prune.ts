import { statSync } from "node:fs";
import type { Command } from "commander";
import { leaveWith } from "../leave.ts";
import type { Parts } from "../parts.ts";
import { age, byteSize } from "../prune-arguments.ts";

/** `dragoman sessions prune`. `sessions` itself has options of the same names: what follows a command is that command's. */
export function addPrune(program: Command, parts: Parts): void {
  const sessions = program.enablePositionalOptions().commands.find((command) => command.name() === "sessions");
  sessions
    ?.enablePositionalOptions()
    .command("prune")
    .description("forget old runs of all folders, and sessions of which nothing is left; what is under way is kept")
    .option("--older-than <age>", "runs that ended before that, such as 30d", age)
    .option("--max-size <size>", "the oldest runs, until the log has no more than that, such as 500MB", byteSize)
    .option("--dry-run", "only say what would go")
    .option("--yes", "without being asked")
    .option("--json", "what went as a line of JSON; with --yes or --dry-run")
    .action(async ({ olderThan, maxSize, dryRun = false, yes = false, json = false }, command: Command) => {
      if (olderThan === undefined && maxSize === undefined) {
        command.error("error: say what is to go: --older-than 30d, --max-size 500MB, or both.");
      }
      if (json && !yes && !dryRun) command.error("error: --json asks nothing: add --yes or --dry-run.");
      const [{ pruneSessions }, { Terminal }, store] = await Promise.all([
        import("../prune.ts"),
        import("../terminal/terminal.ts"),
        parts.openStore(),
      ]);
      const terminal = new Terminal(process, process.env);
      const stop = async () => {
        terminal.close();
        await store.close();
      };
      leaveWith(stop);
      const retention = {
        endedBefore: olderThan === undefined ? undefined : Date.now() - olderThan,
        maxBytes: maxSize,
      };
      const ask = process.stdin.isTTY ? askAtTerminal : undefined;
      const diskBytes = () => ["", "-wal"].reduce((sum, end) => sum + bytesOf(parts.place() + end), 0);
      try {
        process.exitCode = await pruneSessions({ store, terminal, retention, dryRun, yes, json, ask, diskBytes });
      } finally {
        await stop();
      }
    });
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function askAtTerminal(question: string): Promise<boolean | "interrupted"> {
  const { Keys } = await import("../keys.ts");
  const keys = new Keys(process.stdin);
  process.stdout.write(question);
  try {
    const interrupted = new Promise<"interrupted">((done) => keys.onInterrupt(() => done("interrupted")));
    const answer = (await Promise.race([keys.yesOrNo(), interrupted])) ?? false;
    process.stdout.write(answer === true ? "yes\n" : "no\n");
    return answer;
  } finally {
    keys.close();
  }
}
