#!/usr/bin/env node
import { join } from "node:path";
import { Command } from "commander";
import { asDragomanError } from "../core/errors.ts";
import { dataFolder } from "../tools/data-folder.ts";
import { addActing } from "./commands/acting.ts";
import { addDemo } from "./commands/demo.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addLooking } from "./commands/looking.ts";
import { addOperations } from "./commands/operations.ts";
import { addPrune } from "./commands/prune.ts";
import { addRun } from "./commands/run.ts";
import { addServe } from "./commands/serve.ts";
import { addStdio } from "./commands/stdio.ts";
import { addToken } from "./commands/token.ts";
import { addTrust } from "./commands/trust.ts";
import { packageFile } from "./package-file.ts";
import type { Parts } from "./parts.ts";
import { withRights } from "./store-rights.ts";

// The only place that chooses among stores and engines. What a command needs is loaded when it runs.

const place = () => join(dataFolder(), "log.db");

const parts: Parts = {
  version: JSON.parse(packageFile("package.json")).version,
  place,
  openStore: async () => {
    const { stores } = await import("../stores/index.ts");
    return stores.sqlite(place()).catch((error) => {
      throw withRights(error, place());
    });
  },
  examine: async () => {
    const { examineSqlite, writerOf } = await import("../stores/sqlite-examine.ts");
    return { examination: examineSqlite(place()), writer: () => writerOf(place()) };
  },
  engines: async () => {
    const { builtinEngine, withOperations } = await import("../engines/index.ts");
    return [withOperations(builtinEngine(), { advises: false })];
  },
  recorded: async (text, speed) => {
    const [{ replayEngine }, { readRecording }] = await Promise.all([
      import("../engines/index.ts"),
      import("../engines/recording.ts"),
    ]);
    const recording = readRecording(text);
    const started = recording.events.find((event) => event.type === "run.started");
    return { engine: replayEngine(recording, { speed }), prompt: started?.input.text ?? "" };
  },
};

const program = new Command("dragoman")
  .description("Lets any user interface drive any coding agent: one durable session log, every protocol a view of it.")
  .version(parts.version)
  .addHelpText(
    "after",
    `
Environment:
  DRAGOMAN_HOME    where sessions, rules and your dragoman.json are kept (now: ${dataFolder()})
  DRAGOMAN_ENGINE  the engine of new sessions, as --engine
  DRAGOMAN_MODEL   the model of new sessions, as --model
  NO_COLOR         set to anything: no colours
  DRAGOMAN_DEBUG   set to anything: errors with their stack`,
  );

addServe(program, parts);
addRun(program, parts);
addOperations(program, parts);
addLooking(program, parts);
addPrune(program, parts);
addActing(program, parts);
addDoctor(program, parts);
addTrust(program);
addToken(program);
addStdio(program, parts);
addDemo(program, parts);

for (const command of allIn(program)) {
  command.showHelpAfterError(`Run ${pathOf(command)} --help to see what there is.`);
}

function allIn(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allIn)];
}

function pathOf(command: Command): string {
  return [...(command.parent ? [pathOf(command.parent)] : []), command.name()].join(" ");
}

// Without a word it serves. A default command of commander's would also take every mistyped command for its own argument.
const words = process.argv.length > 2 ? process.argv : [...process.argv, "serve"];

program.parseAsync(words).catch(async (error) => {
  process.exitCode = 1;
  const { plainText } = await import("../dialects/plain-text.ts"); // it may quote what someone else wrote
  process.stderr.write(`dragoman: ${plainText(asDragomanError(error).message)}\n`);
  if (process.env.DRAGOMAN_DEBUG) process.stderr.write(`${error?.stack}\n`);
});
