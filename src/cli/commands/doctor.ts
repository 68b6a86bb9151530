import type { Command } from "commander";
import { dataFolder } from "../../tools/data-folder.ts";
import { here } from "../arguments.ts";
import { leaveWith } from "../leave.ts";
import type { Parts } from "../parts.ts";

const WHAT_IS_SAFE =
  "end what processes that are gone left running, forget them, and close the data folder and tokens to others";

export function addDoctor(program: Command, parts: Parts): void {
  program
    .command("doctor")
    .description("say what is wrong with the data folder, the log, the tokens and the processes, and how to mend it")
    .option("--mend", `do what is safe: ${WHAT_IS_SAFE}`)
    .option("--json", "what was found as a line of JSON")
    .action(async ({ mend = false, json = false }) => {
      const [{ doctor }, { Terminal }, { endLeftovers: endProcesses }] = await Promise.all([
        import("../doctor.ts"),
        import("../terminal/terminal.ts"),
        import("../../tools/process-leftovers.ts"),
      ]);
      const terminal = new Terminal(process, process.env);
      leaveWith(async () => terminal.close());
      const around = { ...parts, home: dataFolder(), workspace: here(), endProcesses };
      process.exitCode = await doctor({ ...around, terminal, json, mend });
    });
}
