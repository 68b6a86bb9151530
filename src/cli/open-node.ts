import type { Configuration } from "../config/configuration.ts";
import type { FeaturesConfig } from "../config/schema.ts";
import type { RuntimeOptions } from "../core/runtime.ts";
import type { FeatureSettings } from "../operations/features/index.ts";
import { dataFolder } from "../tools/data-folder.ts";
import { type Chosen, checkChosen, usualEngine } from "./chosen.ts";
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
  const engines = await parts.engines(workspace, configured);
  const usual = chosen.engine === undefined ? usualEngine(configured) : { engine: chosen.engine, by: "" };
  const { engine } = usual;
  const aboutMissing = async (name: string) => {
    const missing = await parts.missing(name, workspace, configured);
    if (missing !== undefined) return missing;
    const cameLater = (await parts.engines(workspace, configured)).some((one) => one.name === name);
    return cameLater ? `The engine ${name} was not here yet when Dragoman was started. Start it again.` : undefined;
  };
  await checkChosen(engines, { ...usual, model: chosen.model }, aboutMissing);
  const store = await parts.openStore();
  const secrets = [...known, ...secretsOf(configured, env, isSecretName)];
  const about = { ...role, version: parts.version, endProcesses, aboutMissing };
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

type IsSecretName = (name: string) => boolean;

/** By the names of variables: those of ours, those that are configured to hold one, and those that agents are given. */
function secretsOf(
  {
    features,
    copilot,
    modelEndpoint,
    agents,
  }: Pick<Configuration, "features" | "copilot" | "modelEndpoint" | "agents">,
  env: NodeJS.ProcessEnv,
  isSecretName: IsSecretName,
): string[] {
  const sections = [copilot, modelEndpoint].map((section) => section?.value.apiKeyVariable);
  const holding = [features.github?.tokenVariable, ...sections]; // whatever they are called
  return [
    ...secretsIn(env, (name) => isSecretName(name) || holding.includes(name)),
    // Of one without effect nobody is given them, and whoever wrote it could have any word masked.
    ...agents.flatMap(({ value, idle }) => (idle === undefined ? secretsIn(value.env, isSecretName) : [])),
  ];
}

function secretsIn(env: NodeJS.ProcessEnv, isSecretName: IsSecretName): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    isSecretName(name) && value && value.length >= SHORTEST_SECRET ? [value] : [],
  );
}
