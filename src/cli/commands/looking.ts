import type { Command } from "commander";
import type { Store } from "../../core/store.ts";
import { count, here, workspaceOption } from "../arguments.ts";
import { asNode } from "../as-node.ts";
import { leaveWith } from "../leave.ts";
import type { Parts } from "../parts.ts";
import { stayingAlive } from "../staying-alive.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface Looking {
  store: Store;
  terminal: Terminal;
  leave(code: number): void;
}

/** The commands that look at the log. */
export function addLooking(program: Command, parts: Parts): void {
  const look = async (work: (around: Looking) => Promise<number>) => {
    const [{ Terminal }, store] = await Promise.all([import("../terminal/terminal.ts"), parts.openStore()]);
    const terminal = new Terminal(process, process.env);
    const stop = async () => {
      terminal.close();
      await store.close();
    };
    const leave = leaveWith(stop);
    try {
      process.exitCode = await stayingAlive(work({ store, terminal, leave }));
    } finally {
      await stop();
    }
  };

  program
    .command("watch")
    .description("show a session from its beginning, and go on as it does")
    .argument("[session]", "its id, or the beginning of it (default: the latest session)")
    .option("--tail <runs>", "only the last so many runs, and what comes then", count)
    .option("--json", "every event as a line of JSON")
    .option("--thinking", "show thinking whole")
    .action(async (session: string | undefined, given) => {
      const { watch } = await import("../watch.ts");
      const options = { session, json: false, thinking: false, ...given };
      if (options.json || !process.stdin.isTTY) {
        const { onUnread } = await import("../unread-output.ts");
        return look(async (around) => {
          const ignore = onUnread(1, () => around.leave(0));
          return watch({ ...around, ...options }).finally(ignore);
        });
      }
      const { Terminal } = await import("../terminal/terminal.ts");
      const terminal = new Terminal(process, process.env);
      const role = { title: "watch", startsQueued: false };
      // As a node: whoever sits there can answer, and cancel.
      return asNode({ parts, workspace: here(), role, terminal }, (node) => watch({ ...node, terminal, ...options }));
    });

  program
    .command("sessions")
    .description("list the sessions of this folder")
    .option(...workspaceOption)
    .option("--all", "those of every folder")
    .option("--limit <n>", "no more than this", count, 20)
    .option("--json", "a summary of each as a line of JSON")
    .action(async ({ workspace = here(), ...given }) => {
      const { sessions } = await import("../sessions.ts");
      await look((around) => sessions({ ...around, workspace, all: false, json: false, ...given }));
    });

  program
    .command("export")
    .description("write a session's log to a file or to stdout")
    .argument("<session>", "its id, or the beginning of it")
    .option("--format <format>", "jsonl or markdown (default: by the file's name, or jsonl)")
    .option("-o, --output <file>", "a file instead of stdout")
    .action(async (session: string, given) => {
      const { exportSession } = await import("../export.ts");
      await look(({ store }) => exportSession({ store, stdout: process.stdout, session, ...given }));
    });
}
