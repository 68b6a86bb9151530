import type { Command } from "commander";
import { engineOption, here, modelOption, workspaceOption } from "../arguments.ts";
import { asNode } from "../as-node.ts";
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
    .option("--json", "every event as a line of JSON, and nothing else")
    .option("--quiet", "the answer, and nothing else")
    .option("--thinking", "show thinking whole")
    .action(
      async (words: string[], { workspace = here(), engine, model, continue: continueLatest = false, ...given }) => {
        const [{ run }, { Terminal }] = await Promise.all([import("../run.ts"), import("../terminal/terminal.ts")]);
        const terminal = new Terminal(process, process.env); // early: it sees when stdin ends
        const role = { title: "run", startsQueued: false };
        const flags = { json: false, quiet: false, thinking: false, continueLatest, ...given };
        const named = { engine, model };
        const isNew = !continueLatest && given.session === undefined;
        await asNode({ parts, workspace, chosen: isNew ? named : {}, role, terminal }, (node) =>
          run({ ...node, terminal, prompt: words.join(" "), workspace, named, ...flags }),
        );
      },
    );
}
