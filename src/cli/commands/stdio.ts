import type { Command } from "commander";
import { messageOf } from "../../core/errors.ts";
import { engineOption, here, modelOption, workspaceOption } from "../arguments.ts";
import { catalogues } from "../catalogues.ts";
import type { Chosen } from "../chosen.ts";
import { leaveWith } from "../leave.ts";
import type { openNode } from "../open-node.ts";
import type { Parts } from "../parts.ts";
import { stdioDialects } from "../stdio-dialects.ts";

type Node = Awaited<ReturnType<typeof openNode>>;

export function addStdio(program: Command, parts: Parts): void {
  program
    .command("stdio")
    .description("a runtime for a UI that starts it and speaks a protocol on its stdin and stdout")
    .option("--dialect <name>", `the protocol: ${names("or")}`, "ui")
    .option(...workspaceOption)
    .option(...engineOption)
    .option(...modelOption)
    .action(async ({ dialect, workspace = here(), engine, model }, command: Command) => {
      const load = Object.hasOwn(stdioDialects, dialect) ? stdioDialects[dialect] : undefined;
      if (!load) return command.error(`error: there is no protocol "${dialect}" on stdio. There are: ${names("and")}.`);
      const [{ serveStdio }, { openStdio }, speakAmid] = await Promise.all([
        import("../stdio.ts"),
        import("../../transports/stdio.ts"),
        load(),
        checkNamed(parts, workspace, { engine, model }),
      ]);
      const streams = openStdio(); // before anything else looks at stdout
      let opening: Promise<Node> | undefined;
      const node = () => {
        opening ??= import("../open-node.ts")
          .then((it) => it.openNode(parts, workspace, { engine, model }, { title: "stdio", startsQueued: true }))
          .catch((error) => {
            opening = undefined; // what was wrong may be mended by the next call
            void failIfWrong(error);
            throw error;
          });
        return opening;
      };
      const failIfWrong = async (error: unknown) => {
        const [{ isWrongChoice }, { plainText }] = await Promise.all([
          import("../chosen.ts"),
          import("../../core/plain-text.ts"),
        ]);
        if (!isWrongChoice(error)) return;
        process.stderr.write(`dragoman: ${plainText(messageOf(error))}\n`);
        serving.fail();
      };
      const stop = async (graceMs?: number) => {
        const opened = await opening?.catch(() => undefined); // whoever asked for it was told
        await opened?.runtime.stop(graceMs);
        return opened;
      };
      const server = { name: "dragoman", version: parts.version };
      const serving = serveStdio({
        speak: speakAmid({ ...streams, services: { server, workspace, node, ...catalogues(workspace) } }),
        stop: async (graceMs) => void (await stop(graceMs)),
        say: (text) => void process.stderr.write(text),
      });
      const close = async () => (await stop(0))?.store.close();
      leaveWith(async () => {
        await serving.leave();
        await close();
      });
      const code = await serving.ended;
      await close();
      process.exit(code); // a UI that closed stdout and not stdin would keep us
    });
}

/** What is wrong with the command is told before anything is spoken; the engine of a configuration is looked at when it is used. */
async function checkNamed(parts: Parts, workspace: string, { engine, model }: Chosen): Promise<void> {
  if (engine === undefined || (engine === "builtin" && model === undefined)) return; // which is always there
  const [{ checkChosen }, engines] = await Promise.all([
    import("../chosen.ts"),
    parts.engines(workspace).catch(() => undefined), // what is wrong with the configuration is told when it is used
  ]);
  if (engines) await checkChosen(engines, { engine, by: "", model }, (name) => parts.missing(name, workspace));
}

const names = (word: string) =>
  Object.keys(stdioDialects)
    .join(", ")
    .replace(/, (\w+)$/, ` ${word} $1`);
