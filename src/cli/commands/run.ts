import type { Command } from "commander";
import { engineOption, here, modelOption, workspaceOption } from "../arguments.ts";
import { leaveWith } from "../leave.ts";
import type { Parts } from "../parts.ts";

export function addRun(program: Command, parts: Parts): void {
  program
    .command("run")
    .description("do what a prompt says, here, and show what comes of it")
    .argument("<prompt...>", "what to do; quotes are needed only where the shell would read something else")
    .option(...workspaceOption)
    .option(...engineOption)
    .option(...modelOption)
    .option("--session <id>", "go on with this session; the beginning of its id will do")
    .option("--continue", "go on with the latest session of this folder")
    .option("--take-over", "also when a run seems to be under way in it elsewhere")
    .option("--json", "every event as a line of JSON, and nothing else")
    .option("--quiet", "the answer, and nothing else")
    .option("--thinking", "show thinking whole")
    .action(
      async (words: string[], { workspace = here(), engine, model, continue: continueLatest = false, ...given }) => {
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
          const flags = { json: false, quiet: false, thinking: false, takeOver: false, ...given };
          const prompt = words.join(" ");
          process.exitCode = await run({ ...node, terminal, prompt, workspace, leave, continueLatest, ...flags });
        } finally {
          await stop();
        }
      },
    );
}
