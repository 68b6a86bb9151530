import type { AgentsConfiguration } from "./configured-engines.ts";
import type { Surroundings } from "./find-agents.ts";
import { COPILOT_PACKAGE, findPackage } from "./find-package.ts";
import { type KnownAgent, knownAgents } from "./known-agents.ts";
import { type AgentPreset, installing } from "./presets.ts";

const SEE_ALL = "All agents, and what they lack: dragoman agents";

export const COPILOT_TITLE = "GitHub Copilot";
export const installingSdk = `npm install ${COPILOT_PACKAGE}`;

/** Of an agent whose program is gone, or never was there. */
export function notThere({ name, title, command, preset }: KnownAgent): string {
  const what = title === name ? `The agent ${name}` : `${title} (${name})`;
  return `${what} cannot be started: there is no program ${command}. ${preset ? howToInstall(preset) : SEE_ALL}`;
}

const howToInstall = (preset: AgentPreset) => `Install it: ${installing(preset)}\n${SEE_ALL}`;

/** Why an engine that Dragoman knows cannot work, and what to do about it. Nothing for one that can, nor for one that nobody knows. */
export function aboutMissing(
  name: string,
  { agents: configured, modelEndpoint }: AgentsConfiguration,
  around: Surroundings,
): string | undefined {
  const agent = knownAgents(configured, around).find((known) => known.name === name);
  if (agent?.find() !== undefined) return undefined;
  if (agent?.source !== undefined) return notThere(agent);
  const idle = configured.find((one) => one.name === name)?.idle;
  if (idle !== undefined) return `The agent ${name} is configured, but without effect. ${idle}`;
  if (name === "acp") return NO_COMMAND;
  if (name === "model") return modelEndpoint ? undefined : NO_ENDPOINT;
  if (name === "copilot") return findPackage(COPILOT_PACKAGE, around.packageFolder) ? undefined : NO_SDK;
  return agent?.preset && `${agent.title} (${name}) is not installed here. ${howToInstall(agent.preset)}`;
}

const NO_COMMAND = "The engine acp is the program that DRAGOMAN_ACP_COMMAND names, and that is not set.";

const NO_ENDPOINT =
  "The engine model is the model at DRAGOMAN_MODEL_BASE_URL, and that is not set; nor is there a modelEndpoint in your dragoman.json, or in " +
  "that of a trusted folder. Any address does where OpenAI's chat completions are spoken, such as http://127.0.0.1:11434/v1";

const NO_SDK =
  `${COPILOT_TITLE} (copilot) is not installed: it needs the package ${COPILOT_PACKAGE}. ` +
  `Install it where Dragoman is installed: ${installingSdk}\n${SEE_ALL}`;
