import { DragomanError } from "../core/errors.ts";
import type { RuntimeOptions } from "../core/runtime.ts";
import { dataFolder } from "../tools/data-folder.ts";
import type { Parts } from "./parts.ts";

/** A short value would be found, and masked, in any text. */
const SHORTEST_SECRET = 8;

export interface Chosen {
  engine?: string;
  model?: string;
}

/** What the node is to whoever sees it from another process, and whether it takes up what waits in the queues of sessions. */
export interface Role {
  title: string;
  startsQueued: boolean;
}

interface Around {
  /** Values that must not get into the log, besides those of the environment. */
  secrets?: readonly string[];
  /** Told what is doubtful about the configuration. */
  warn?(message: string): void;
}

/** One node on the user's log: the engines, the tools under the rules of the workspace, and what is configured for it. */
export async function openNode(parts: Parts, workspace: string, chosen: Chosen, role: Role, around: Around = {}) {
  const [{ Runtime }, { tools }, { readConfiguration }, { fileRuleBook }, { isSecretName }, { Views }] =
    await Promise.all([
      import("../core/runtime.ts"),
      import("../tools/index.ts"),
      import("../config/configuration.ts"),
      import("../config/rule-book.ts"),
      import("../tools/process-environment.ts"),
      import("../dialects/views.ts"),
    ]);
  const { secrets: known = [], warn = (message) => process.stderr.write(`${message}\n`) } = around;
  const home = dataFolder();
  const { warnings, ...configured } = await readConfiguration({ workspace, home, env: process.env });
  for (const { file, line, column, message } of warnings) {
    warn(`${file}:${line}:${column}: ${message}`);
  }
  const engines = await parts.engines();
  const engine = chosen.engine ?? configured.engine?.value ?? "builtin";
  if (!engines.some(({ name }) => name === engine)) {
    const known = engines.map(({ name }) => name).join(", ");
    throw new DragomanError("engine_unavailable", `There is no engine "${engine}" here. There is: ${known}.`);
  }
  const store = await parts.openStore();
  const ruleBook = fileRuleBook({ home });
  const secrets = [...known, ...secretsIn(process.env, isSecretName)];
  const about = { ...role, version: parts.version, endProcesses };
  const runtime = new Runtime({ store, engines, tools, ruleBook, secrets, ...about });
  return {
    store,
    runtime,
    views: new Views(runtime.store),
    engine,
    model: chosen.model ?? configured.model?.value,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    serve: configured.serve,
    secrets,
  };
}

/** Loaded when something was left behind. */
const endProcesses: RuntimeOptions["endProcesses"] = async (records) =>
  (await import("../tools/process-leftovers.ts")).endLeftovers(records);

function secretsIn(env: NodeJS.ProcessEnv, isSecretName: (name: string) => boolean): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    isSecretName(name) && value && value.length >= SHORTEST_SECRET ? [value] : [],
  );
}
