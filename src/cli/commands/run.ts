import type { Command } from "commander";
import { engineOption, here, modelOption, workspaceOption } from "../arguments.ts";
import { leaveWith } from "../leave.ts";
import type { Parts } from "../parts.ts";

export function addRun(program: Command, parts: Parts): void {
  program
    .command("run")
    .description("do what a prompt says, here, and show what comes of it")
    .argument("<prompt>", "what to do")
    .option(...workspaceOption)
    .option(...engineOption)
    .option(...modelOption)
    .option("--session <id>", "go on with this session; the beginning of its id will do")
    .option("--continue", "go on with the latest session of this folder", false)
    .option("--take-over", "also when a run seems to be under way in it elsewhere", false)
    .option("--json", "every event as a line of JSON, and nothing else", false)
    .option("--quiet", "the answer, and nothing else", false)
    .option("--thinking", "show thinking whole", false)
    .action(async (prompt: string, { workspace = here(), engine, model, continue: continueLatest, ...given }) => {
      const [{ run }, { Terminal }, { openNode }] = await Promise.all([
        import("../run.ts"),
        import("../terminal/terminal.ts"),
        import("../open-node.ts"),
      ]);
      const terminal = new Terminal(process, process.env); // early: it sees when stdin ends
      let node: Awaited<ReturnType<typeof openNode>> | undefined;
      const stop = async () => {
        terminal.close();
        await node?.runtime.stop(0);
        await node?.store.close();
      };
      const leave = leaveWith(stop);
      try {
        node = await openNode(parts, workspace, { engine, model });
        process.exitCode = await run({ ...node, terminal, prompt, workspace, leave, continueLatest, ...given });
      } finally {
        await stop();
      }
    });
}
