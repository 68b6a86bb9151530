import type { FeaturesConfig } from "../config/schema.ts";
import type { RuntimeOptions } from "../core/runtime.ts";
import type { FeatureSettings } from "../operations/features/index.ts";
import { dataFolder } from "../tools/data-folder.ts";
import { type Chosen, checkChosen } from "./chosen.ts";
import type { Parts } from "./parts.ts";

/** A short value would be found, and masked, in any text. */
const SHORTEST_SECRET = 8;

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
  const {
    Runtime,
    Views,
    tools: ofWorkspace,
    specTools,
    readConfiguration,
    fileRuleBook,
    isSecretName,
  } = await modules();
  const { secrets: known = [], warn = (message) => process.stderr.write(`${message}\n`) } = around;
  const { env } = process;
  const home = dataFolder();
  const { warnings, ...configured } = await readConfiguration({ workspace, home, env });
  for (const { file, line, column, message } of warnings) {
    warn(`${file}:${line}:${column}: ${message}`);
  }
  // Looked up for each call: a session may work in another folder than this process, and a file may be changed meanwhile.
  const features = async (folder: string): Promise<FeatureSettings> => {
    const { features: written, trust } = await readConfiguration({ workspace: folder, home, env });
    return { ...featureSettings(written, env), trusted: trust.trusted };
  };
  const tools = [...ofWorkspace, ...specTools(features)];
  const engines = await parts.engines();
  const engine = chosen.engine ?? configured.engine?.value ?? "builtin";
  await checkChosen(engines, engine, chosen.model);
  const store = await parts.openStore();
  const variable = configured.features.github?.tokenVariable; // whatever it is called
  const secrets = [...known, ...secretsIn(env, (name) => isSecretName(name) || name === variable)];
  const about = { ...role, version: parts.version, endProcesses };
  const runtime = new Runtime({ store, engines, tools, ruleBook: fileRuleBook({ home }), secrets, ...about });
  return {
    store,
    runtime,
    views: new Views(runtime.store),
    engine,
    model: chosen.model ?? configured.model?.value,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    serve: configured.serve,
    features,
    secrets,
  };
}

/** Loaded together, when a node is opened. */
async function modules() {
  const [{ Runtime }, { Views }, { tools }, { specTools }, { readConfiguration }, { fileRuleBook }, { isSecretName }] =
    await Promise.all([
      import("../core/runtime.ts"),
      import("../dialects/views.ts"),
      import("../tools/index.ts"),
      import("../operations/tools/index.ts"),
      import("../config/configuration.ts"),
      import("../config/rule-book.ts"),
      import("../tools/process-environment.ts"),
    ]);
  return { Runtime, Views, tools, specTools, readConfiguration, fileRuleBook, isSecretName };
}

/** The token is in a variable, and never in a file of ours. */
function featureSettings({ github, ...others }: FeaturesConfig, env: NodeJS.ProcessEnv): FeatureSettings {
  if (!github) return others;
  return { ...others, github: { ...github, token: env[github.tokenVariable] ?? "" } };
}

/** Loaded when something was left behind. */
const endProcesses: RuntimeOptions["endProcesses"] = async (records) =>
  (await import("../tools/process-leftovers.ts")).endLeftovers(records);

function secretsIn(env: NodeJS.ProcessEnv, isSecretName: (name: string) => boolean): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    isSecretName(name) && value && value.length >= SHORTEST_SECRET ? [value] : [],
  );
}
