import type { Command } from "commander";
import type { CustomizeFlags } from "../customize.ts";

/** A generated interface, changed by a request in words. */
export function addCustomize(program: Command): void {
  program
    .command("customize")
    .description("change a generated interface by saying what should be otherwise")
    .argument("<interface>", "the folder of a generated project, or the file of a generated module")
    .argument("<request...>", 'what should be otherwise: "show pets as cards"')
    .option("--answer <text>", "the answer to what is asked back; several times, if it asks again", collected)
    .option("--json", "what was changed, asked or declined as JSON on stdout")
    .action(async (where: string, request: string[], flags: CustomizeFlags) => {
      const { customizeCommand } = await import("../customize.ts");
      process.exitCode = await customizeCommand(where, request.join(" "), flags, process);
    });
}

const collected = (one: string, before: string[] = []) => [...before, one];
