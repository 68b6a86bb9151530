#!/usr/bin/env node
import { realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { asDragomanError } from "../core/errors.ts";
import { dataFolder } from "../tools/data-folder.ts";
import { leaveWith } from "./leave.ts";
import { packageFile } from "./package-file.ts";

// The only place where stores, engines, dialects and commands meet. What a command needs is loaded when it runs.

const { version } = JSON.parse(packageFile("package.json")) as { version: string };
const program = new Command("dragoman")
  .description("Lets any user interface drive any coding agent: one durable session log, every protocol a view of it.")
  .version(version)
  .showHelpAfterError("Run dragoman --help to see what there is.")
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

const place = () => join(dataFolder(), "log.db");
const openStore = async () => (await import("../stores/index.ts")).stores.sqlite(place());
const say = (text: string) => void process.stderr.write(text);
const ended = (code: number) => {
  process.exitCode = code;
};

/** A folder that is there, without symlinks. */
function folder(given: string): string {
  try {
    const path = realpathSync(resolve(given));
    if (statSync(path).isDirectory()) return path;
  } catch {}
  throw new InvalidArgumentError("There is no such folder.");
}

function count(given: string): number {
  if (/^\d+$/.test(given)) return Number(given);
  throw new InvalidArgumentError("It takes a number.");
}

const workspaceOption = ["--workspace <dir>", "the folder to work in (default: this one)", folder] as const;
const here = () => folder(".");

interface Chosen {
  engine?: string;
  model?: string;
}

/** One node on the user's log: the engines, the tools under the rules of the workspace, and what is configured for it. */
async function openNode(workspace: string, chosen: Chosen) {
  const [{ Runtime }, engines, { tools }, config, { fileRuleBook }, { isSecretName }, { Views }] = await Promise.all([
    import("../core/runtime.ts"),
    import("../engines/index.ts"),
    import("../tools/index.ts"),
    import("../config/configuration.ts"),
    import("../config/rule-book.ts"),
    import("../tools/process-environment.ts"),
    import("../dialects/views.ts"),
  ]);
  const home = dataFolder();
  const configuration = await config.readConfiguration({ workspace, home, env: process.env });
  for (const { file, line, column, message } of configuration.warnings) say(`${file}:${line}:${column}: ${message}\n`);
  const store = await openStore();
  const runtime = new Runtime({
    store,
    engines: [engines.builtinEngine()],
    tools,
    ruleBook: fileRuleBook({ home }),
    secrets: secretsIn(process.env, isSecretName),
  });
  return {
    store,
    runtime,
    views: new Views(runtime.store),
    engine: chosen.engine ?? configuration.engine?.value ?? "builtin",
    model: chosen.model ?? configuration.model?.value,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
  };
}

/** A short value would be found, and masked, in any text. */
const SHORTEST_SECRET = 8;

function secretsIn(env: NodeJS.ProcessEnv, isSecretName: (name: string) => boolean): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    isSecretName(name) && value && value.length >= SHORTEST_SECRET ? [value] : [],
  );
}

program
  .command("run")
  .description("do what a prompt says, here, and show what comes of it")
  .argument("<prompt>", "what to do")
  .option(...workspaceOption)
  .option("--engine <name>", "what does the work (default: builtin)")
  .option("--model <name>", "the engine's model")
  .option("--session <id>", "go on with this session; the beginning of its id will do")
  .option("--continue", "go on with the latest session of this folder", false)
  .option("--take-over", "also when a run seems to be under way in it elsewhere", false)
  .option("--json", "every event as a line of JSON, and nothing else", false)
  .option("--quiet", "the answer, and nothing else", false)
  .option("--thinking", "show thinking whole", false)
  .action(async (prompt: string, { workspace = here(), engine, model, continue: continueLatest, ...given }) => {
    const [{ run }, { Terminal }] = await Promise.all([import("./run.ts"), import("./terminal/terminal.ts")]);
    const node = await openNode(workspace, { engine, model });
    const terminal = new Terminal(process, process.env);
    const stop = async () => {
      terminal.close();
      await node.runtime.stop(0);
      await node.store.close();
    };
    const leave = leaveWith(stop);
    try {
      ended(await run({ ...node, terminal, prompt, workspace, leave, continueLatest, ...given }));
    } finally {
      await stop();
    }
  });

/** For commands that only look at the log. */
async function withStore(work: (around: Looking) => Promise<number>): Promise<void> {
  const [{ Terminal }, store] = await Promise.all([import("./terminal/terminal.ts"), openStore()]);
  const terminal = new Terminal(process, process.env);
  const stop = async () => {
    terminal.close();
    await store.close();
  };
  leaveWith(stop);
  try {
    ended(await work({ store, terminal }));
  } finally {
    await stop();
  }
}
interface Looking {
  store: Awaited<ReturnType<typeof openStore>>;
  terminal: import("./terminal/terminal.ts").Terminal;
}

program
  .command("watch")
  .description("show a session from its beginning, and go on as it does")
  .argument("[session]", "its id, or the beginning of it (default: the latest session)")
  .option("--tail <runs>", "only the last so many runs, and what comes then", count)
  .option("--json", "every event as a line of JSON", false)
  .option("--thinking", "show thinking whole", false)
  .action(async (session: string | undefined, given) => {
    const { watch } = await import("./watch.ts");
    await withStore((around) => watch({ ...around, session, ...given }));
  });

program
  .command("sessions")
  .description("list the sessions of this folder")
  .option(...workspaceOption)
  .option("--all", "those of every folder", false)
  .option("--limit <n>", "no more than this", count, 20)
  .option("--json", "a summary of each as a line of JSON", false)
  .action(async ({ workspace = here(), ...given }) => {
    const { sessions } = await import("./sessions.ts");
    await withStore((around) => sessions({ ...around, workspace, ...given }));
  });

program
  .command("export")
  .description("write a session's log to a file or to stdout")
  .argument("<session>", "its id, or the beginning of it")
  .option("--format <format>", "jsonl or markdown (default: by the file's name, or jsonl)")
  .option("-o, --output <file>", "a file instead of stdout")
  .action(async (session: string, given) => {
    const { exportSession } = await import("./export.ts");
    await withStore(({ store }) => exportSession({ store, stdout: process.stdout, session, ...given }));
  });

program
  .command("trust")
  .description("let a folder's own configuration set what is run and allowed in it")
  .argument("[dir]", "the folder (default: this one)", folder)
  .option("--revoke", "trust it no longer", false)
  .option("--list", "show which folders are trusted", false)
  .option("--yes", "without being asked", false)
  .action(async (dir: string | undefined, { revoke, list, yes }) => {
    const [{ trust }, { Keys }] = await Promise.all([import("./trust.ts"), import("./keys.ts")]);
    const keys = process.stdin.isTTY ? new Keys(process.stdin) : undefined;
    leaveWith(async () => keys?.close());
    const action = list ? "list" : revoke ? "revoke" : "trust";
    try {
      ended(await trust({ action, dir: dir ?? here(), home: dataFolder(), yes, keys, out: process.stdout }));
    } finally {
      keys?.close();
    }
  });

program
  .command("stdio")
  .description("a runtime for a UI that starts it and speaks a protocol on its stdin and stdout")
  .option("--dialect <name>", "the protocol: ui", "ui")
  .option(...workspaceOption)
  .option("--engine <name>", "what does the work (default: builtin)")
  .option("--model <name>", "the engine's model")
  .action(async ({ dialect, workspace = here(), engine, model }) => {
    if (dialect !== "ui") program.error(`error: there is no protocol "${dialect}" on stdio as yet. There is: ui.`);
    const [{ serveStdio }, { openStdio }] = await Promise.all([import("./stdio.ts"), import("../transports/stdio.ts")]);
    const streams = openStdio(); // before anything else looks at stdout
    let opening: ReturnType<typeof openNode> | undefined;
    const node = () => {
      opening ??= openNode(workspace, { engine, model });
      return opening;
    };
    const stop = async (graceMs?: number) => {
      const opened = await opening?.catch(() => undefined);
      await opened?.runtime.stop(graceMs);
      return opened;
    };
    leaveWith(async () => (await stop(0))?.store.close());
    const home = dataFolder();
    await serveStdio({
      ...streams,
      services: {
        server: { name: "dragoman", version },
        workspace,
        node,
        skills: async (cwd, forceReload) => (await skillCatalogue()).list({ cwd, forceReload }),
        mcpServers: async (scope) => {
          const [config, mcp] = await Promise.all([import("../config/configuration.ts"), import("../config/mcp.ts")]);
          return mcp.listMcpServers(await config.readConfiguration({ workspace, home, env: process.env }), scope);
        },
      },
      stop: async () => void (await stop()),
      say,
    });
    await (await stop(0))?.store.close();
    process.exit(0);
  });

type Skills = import("../config/skills.ts").Skills;
let skills: Promise<Skills> | undefined;

function skillCatalogue(): Promise<Skills> {
  skills ??= Promise.all([import("../config/skills.ts"), import("node:os")]).then(
    ([{ Skills }, { homedir }]) => new Skills({ userFolder: homedir() }),
  );
  return skills;
}

program
  .command("demo")
  .description("one run with an ask, played on two protocols side by side")
  .argument("[left]", "the protocol of the left column: ui, studio, operations, sidecar or live", "ui")
  .argument("[right]", "the protocol of the right column", "sidecar")
  .option("--fast", "without the pauses of the recording", false)
  .action(async (left: string, right: string, { fast }: { fast: boolean }) => {
    const [{ demo }, { Keys }, { dialects }, { replayEngine }, { readRecording }, { Runtime }] = await Promise.all([
      import("./demo.ts"),
      import("./keys.ts"),
      import("../dialects/index.ts"),
      import("../engines/index.ts"),
      import("../engines/recording.ts"),
      import("../core/runtime.ts"),
    ]);
    const named = (name: string) => {
      const found = dialects.find((dialect) => dialect.name === name);
      if (found) return found;
      return program.error(
        `error: there is no protocol "${name}". There are: ${dialects.map((d) => d.name).join(", ")}.`,
      );
    };
    const recording = readRecording(packageFile("recordings/demo.jsonl"));
    const pair = { left: named(left), right: named(right) };
    const store = await openStore();
    const engine = replayEngine(recording, { speed: fast ? "full" : "recorded" });
    const runtime = new Runtime({ store, engines: [engine] });
    const keys = new Keys(process.stdin);
    const stop = async () => {
      keys.close();
      await runtime.stop(0);
      await store.close();
    };
    const leave = leaveWith(stop);
    const started = recording.events.find((event) => event.type === "run.started");
    const colour = process.stdout.isTTY && !process.env.NO_COLOR;
    const prompt = started?.input.text ?? "";
    try {
      const shown = { place: place(), out: process.stdout, colour };
      process.exitCode = await demo({ runtime, ...pair, prompt, keys, leave, ...shown });
    } finally {
      await stop();
    }
  });

program.parseAsync().catch((error) => {
  process.stderr.write(`dragoman: ${asDragomanError(error).message}\n`);
  if (process.env.DRAGOMAN_DEBUG) process.stderr.write(`${error?.stack}\n`);
  process.exitCode = 1;
});
