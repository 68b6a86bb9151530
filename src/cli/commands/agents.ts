import type { Command } from "commander";
import { here, workspaceOption } from "../arguments.ts";
import { leaveWith } from "../leave.ts";
import type { Parts } from "../parts.ts";

export function addAgents(program: Command, parts: Parts): void {
  program
    .command("agents")
    .description("list the engines that can do the work: which are here, what others lack, and how to connect them")
    .option(...workspaceOption)
    .option("--json", "what is known of each as a line of JSON")
    .action(async ({ workspace = here(), json = false }) => {
      const [{ agents }, { Terminal }] = await Promise.all([import("../agents.ts"), import("../terminal/terminal.ts")]);
      const terminal = new Terminal(process, process.env);
      leaveWith(async () => terminal.close());
      process.exitCode = await agents({ parts, workspace, terminal, json });
    });
}
