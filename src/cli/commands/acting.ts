import type { Command } from "commander";
import { here } from "../arguments.ts";
import { asNode } from "../as-node.ts";
import type { Parts } from "../parts.ts";

/** The commands that act on a run of whichever process, for scripts. */
export function addActing(program: Command, parts: Parts): void {
  const as = (title: string) => ({ parts, workspace: here(), role: { title, startsQueued: false } });
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const note = (line: string) => void process.stderr.write(`${line}\n`);

  program
    .command("answer")
    .description("answer what a run asks, in whichever process it is")
    .argument("<session>", "its id, or the beginning of it")
    .argument(
      "[answer...]",
      "yes, no, or always; a text; or choices by number, id or label; a secret is read from stdin",
    )
    .option("--reason <text>", "why not: the run goes on and takes it into account")
    .option("--ask <id>", "which one, where there are several; the beginning of its id will do")
    .action(async (session: string, words: string[], given) => {
      const [{ answer }, { readSecret }, { Terminal }] = await Promise.all([
        import("../answer.ts"),
        import("../read-secret.ts"),
        import("../terminal/terminal.ts"),
      ]);
      // Early, since it sees when stdin ends; but not where nothing is to be read from there.
      const terminal = words.length === 0 ? new Terminal(process, process.env) : undefined;
      const secret = async () => terminal && readSecret(terminal);
      await asNode({ ...as("answer"), terminal }, ({ runtime, signals }) =>
        answer({ runtime, signals, session, words, readSecret: secret, say, note, ...given }),
      );
    });

  program
    .command("cancel")
    .description("cancel the run of a session, in whichever process it is")
    .argument("<session>", "its id, or the beginning of it")
    .option("--reason <text>", "why, for whoever watches it")
    .action(async (session: string, given) => {
      const { cancel } = await import("../cancel.ts");
      await asNode(as("cancel"), ({ runtime }) => cancel({ runtime, session, say, note, ...given }));
    });
}
