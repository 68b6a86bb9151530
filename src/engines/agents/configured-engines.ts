import type { Engine } from "../../core/engine.ts";
import { DragomanError } from "../../core/errors.ts";
import type { AcpOptions } from "../acp/index.ts";
import type { CopilotOptions } from "../copilot/index.ts";
import type { ModelOptions } from "../model/index.ts";
import { notThere } from "./about-missing.ts";
import { agentPath, type Folder, type Surroundings } from "./find-agents.ts";
import { COPILOT_PACKAGE, findPackage } from "./find-package.ts";
import { folderEngine } from "./folder-engine.ts";
import { type ConfiguredAgent, type KnownAgent, knownAgent, knownAgents } from "./known-agents.ts";
import { installing } from "./presets.ts";

export interface CopilotSettings {
  /** Of a model of one's own. */
  baseUrl?: string;
  type?: "openai" | "azure" | "anthropic";
  wireApi?: "completions" | "responses";
  /** The variable that has the key. */
  apiKeyVariable: string;
  model?: string;
  models?: string[];
  /** Copilot's own folder. */
  home?: string;
}

/** A model that is asked without an agent. */
export interface ModelEndpoint {
  baseUrl: string;
  /** The variable that has the key. */
  apiKeyVariable: string;
  model?: string;
  models?: string[];
  contextWindow?: number;
}

/** What is configured of agents, and of the model that is asked without one. */
export interface AgentsConfiguration {
  copilot?: { value: CopilotSettings };
  modelEndpoint?: { value: ModelEndpoint };
  agents: readonly ConfiguredAgent[];
}

/** Whether a folder is trusted by now. */
export type Judge = (workspace: string) => Promise<Folder>;

/**
 * The agents that can work here, as engines: Copilot where its SDK is installed, the presets that are found, and all that are configured;
 * and the model that is asked without one, where an endpoint is configured. Nothing of them is loaded, and nothing is started, before one is
 * used. What it may then run and read of a folder is judged for that folder.
 */
export function configuredEngines(
  { copilot, modelEndpoint, agents }: AgentsConfiguration,
  around: Surroundings,
  judge: Judge,
): Engine[] {
  const { workspace, trusted } = around;
  const aroundFor = async (folder: string): Promise<Surroundings> => {
    const judged = await judge(folder);
    return { ...around, ...judged, ...(judged.workspace !== workspace && { startedFor: { workspace, trusted } }) };
  };
  const copilotEngine = () =>
    folderEngine("copilot", {
      workspace,
      optionsFor: async (folder) => copilotOptions(copilot?.value, await aroundFor(folder)),
      load: async () => (await import("../copilot/index.ts")).copilotEngine,
    });
  const modelEngine = (endpoint: ModelEndpoint) =>
    folderEngine("model", {
      workspace,
      optionsFor: async () => modelOptions(endpoint, around),
      load: async () => (await import("../model/index.ts")).modelEngine,
    });
  const agentEngine = ({ name }: KnownAgent) =>
    folderEngine(name, {
      workspace,
      optionsFor: async (folder) => acpOptions(knownAgent(name, agents, await aroundFor(folder))),
      load: async () => (await import("../acp/index.ts")).acpEngine,
    });
  const hasSdk = findPackage(COPILOT_PACKAGE, around.packageFolder) !== undefined;
  const there = knownAgents(agents, around).filter(({ source, find }) => source !== undefined || find() !== undefined);
  return [
    ...(hasSdk ? [copilotEngine()] : []),
    ...(modelEndpoint ? [modelEngine(modelEndpoint.value)] : []),
    ...there.map(agentEngine),
  ];
}

/** How Copilot is for whoever works in a folder. */
export function copilotOptions(settings: CopilotSettings | undefined, around: Surroundings): CopilotOptions {
  const { baseUrl, type, wireApi, apiKeyVariable = "", model, models, home } = settings ?? {};
  const apiKey = around.env[apiKeyVariable] || undefined;
  const provider = baseUrl === undefined ? undefined : { baseUrl, type, wireApi, apiKey };
  return { provider, model, models, home, trusted: around.trusted, env: { ...agentPath(around) } };
}

/** It runs nothing, so it is the same in every folder. */
export function modelOptions(endpoint: ModelEndpoint, { env }: Pick<Surroundings, "env">): ModelOptions {
  return { ...endpoint, apiKey: env[endpoint.apiKeyVariable] || undefined };
}

function acpOptions(agent: KnownAgent): AcpOptions {
  const { name, title, args, env, passEnv, mode, model, sessionMeta, trusted, preset } = agent;
  const file = agent.find();
  if (file === undefined) throw new DragomanError("engine_unavailable", notThere(agent));
  const risk = agent.risk();
  if (risk !== undefined) throw new DragomanError("precondition_failed", risk);
  return {
    name,
    title,
    command: { file, args },
    env,
    passEnv,
    mode,
    model,
    sessionMeta,
    trusted,
    howToInstall: preset && installing(preset),
    howToLogIn: preset?.login.command,
    textsAreErrors: preset?.textsAreErrors,
  };
}
