#!/usr/bin/env node
import { homedir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import type { Engine } from "../core/engine.ts";
import { asDragomanError } from "../core/errors.ts";
import { packageFolder } from "../core/package-folder.ts";
import { dataFolder } from "../tools/data-folder.ts";
import { addActing } from "./commands/acting.ts";
import { addAgents } from "./commands/agents.ts";
import { addCustomize } from "./commands/customize.ts";
import { addDemo } from "./commands/demo.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addGenerate } from "./commands/generate.ts";
import { addLooking } from "./commands/looking.ts";
import { addOperations } from "./commands/operations.ts";
import { addPrune } from "./commands/prune.ts";
import { addRun } from "./commands/run.ts";
import { addServe } from "./commands/serve.ts";
import { addStdio } from "./commands/stdio.ts";
import { addStubModel } from "./commands/stub-model.ts";
import { addToken } from "./commands/token.ts";
import { addTrust } from "./commands/trust.ts";
import { packageFile } from "./package-file.ts";
import type { Configured, Parts } from "./parts.ts";
import { withRights } from "./store-rights.ts";

// The only place that chooses among stores and engines. What a command needs is loaded when it runs.

const place = () => join(dataFolder(), "log.db");

const configurationOf = async (workspace: string): Promise<Configured> => {
  const { readConfiguration } = await import("../config/configuration.ts");
  return readConfiguration({ workspace, home: dataFolder(), env: process.env });
};

/** Where agents are looked for. */
const surroundingsOf = ({ workspace, trust }: Configured) => {
  const { trusted } = trust;
  return { workspace, trusted, env: process.env, home: homedir(), packageFolder: packageFolder() };
};

const judged = async (workspace: string) => {
  const { readSources } = await import("../config/sources.ts");
  const { workspace: real, trust } = await readSources({ workspace, home: dataFolder() });
  return { workspace: real, trusted: trust.trusted };
};

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
  engines: async (workspace, given) => {
    const [{ builtinEngine, withInterfaces, withOperations }, { configuredEngines }, configured] = await Promise.all([
      import("../engines/index.ts"),
      import("../engines/agents/configured-engines.ts"),
      given ?? configurationOf(workspace),
    ]);
    const agents = configuredEngines(configured, surroundingsOf(configured), judged);
    const whole = (engine: Engine, advises: boolean) =>
      withInterfaces(withOperations(engine, { advises }), { advises });
    return [whole(builtinEngine(), false), ...agents.map((engine) => whole(engine, true))];
  },
  missing: async (engine, workspace, given) => {
    const { aboutMissing } = await import("../engines/agents/about-missing.ts");
    const configured = given ?? (await configurationOf(workspace));
    return aboutMissing(engine, configured, surroundingsOf(configured));
  },
  agents: async (configured) => {
    const { agentReports } = await import("../engines/agents/agent-reports.ts");
    return agentReports(configured, surroundingsOf(configured));
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
  DRAGOMAN_COPILOT_BASE_URL, _API_KEY, _MODEL, _TYPE, _WIRE_API, _HOME
                   a model of your own for Copilot, in place of your login
  DRAGOMAN_MODEL_BASE_URL, _API_KEY, _NAME
                   a model without an agent, as the engine model
  DRAGOMAN_ACP_COMMAND
                   a program that speaks ACP, as the engine acp
  NO_COLOR         set to anything: no colours
  DRAGOMAN_DEBUG   set to anything: errors with their stack`,
  );

addServe(program, parts);
addRun(program, parts);
addOperations(program, parts);
addGenerate(program, parts);
addCustomize(program);
addLooking(program, parts);
addPrune(program, parts);
addActing(program, parts);
addAgents(program, parts);
addDoctor(program, parts);
addTrust(program);
addToken(program);
addStdio(program, parts);
addDemo(program, parts);
addStubModel(program);

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
  const { plainText } = await import("../core/plain-text.ts"); // it may quote what someone else wrote
  process.stderr.write(`dragoman: ${plainText(asDragomanError(error).message)}\n`);
  if (process.env.DRAGOMAN_DEBUG) process.stderr.write(`${error?.stack}\n`);
});
