import type { Command } from "commander";
import { engineOption, here, modelOption, workspaceOption } from "../arguments.ts";
import { asNode } from "../as-node.ts";
import type { Parts } from "../parts.ts";

const about = {
  clarify: "find what is unclear in a specification, ask, and write the answers into it",
  analyze: "judge specification, plan and tasks: what is missing, what depends on what, what is at risk",
  plan: "make a plan and its tasks from a specification",
} as const;

type Name = keyof typeof about;

/** The operations on the documents of a feature. */
export function addOperations(program: Command, parts: Parts): void {
  for (const name of Object.keys(about) as Name[]) addOperation(program, parts, name);
}

function addOperation(program: Command, parts: Parts, name: Name): void {
  const command = program
    .command(name)
    .description(about[name])
    .argument("<file or feature>", "a document, or the name of a feature in specs/")
    .option(...workspaceOption)
    .option(...engineOption)
    .option(...modelOption)
    .option("--json", "the result as JSON, and nothing else on stdout")
    .option("--thinking", "show thinking whole");
  if (name !== "analyze") {
    command.option("--push", "push what is saved").option("--yes", "save without being asked");
  }
  if (name === "clarify") command.option("--reuse", "take the answers that a cancelled or failed clarify got before");
  if (name === "plan") command.option("--replace", "replace plan.md and task.md without being asked");
  command.action(async (given: string, { workspace: chosen, engine, model, ...flags }) => {
    const [{ operate }, { operationWorkspace }, { Terminal }] = await Promise.all([
      import("../operation.ts"),
      import("../operation-target.ts"),
      import("../terminal/terminal.ts"),
    ]);
    const terminal = new Terminal(process, process.env); // early: it sees when stdin ends
    const workspace = chosen ?? operationWorkspace(given, here());
    const role = { title: name, startsQueued: false };
    const wanted = { json: false, thinking: false, replace: false, yes: false, reuse: false, ...flags };
    await asNode({ parts, workspace, chosen: { engine, model }, role, terminal }, (node) =>
      operate({ ...node, terminal, name, given, workspace, ...wanted }),
    );
  });
}
