import { existsSync } from "node:fs";
import { COPILOT_TITLE, installingSdk } from "./about-missing.ts";
import { versionBeside, versionSaid } from "./agent-version.ts";
import type { AgentsConfiguration, ModelEndpoint } from "./configured-engines.ts";
import type { Surroundings } from "./find-agents.ts";
import { COPILOT_PACKAGE, findPackage } from "./find-package.ts";
import { type ConfiguredAgent, type KnownAgent, knownAgents } from "./known-agents.ts";
import { type AgentLogin, agentPresets, installing } from "./presets.ts";

/** What there is to know of an agent without using it. */
export interface AgentReport {
  name: string;
  title: string;
  /** Who has configured it; nobody needs to, for one that Dragoman knows by itself. */
  source: "dragoman" | ConfiguredAgent["source"];
  found: boolean;
  version?: string;
  path?: string;
  /** What it would log in with, as far as that can be seen. */
  login?: string;
  /** What it lacks, or may lack. */
  missing: string[];
  /** What to run next: what installs it, or what uses it. */
  connect: string;
}

/** All agents, there or not, and the model that is asked without one, where there is. Programs of which nothing else tells the version are asked for it, all at once and not for long. */
export async function agentReports(
  { copilot, modelEndpoint, agents }: AgentsConfiguration,
  around: Surroundings,
): Promise<AgentReport[]> {
  const known = knownAgents(agents, around);
  return Promise.all([
    copilotReport(copilot?.value.baseUrl, around),
    ...(modelEndpoint ? [modelReport(modelEndpoint.value, around)] : []),
    ...known.map((agent) => report(agent, around)),
    ...agents.filter(({ idle }) => idle !== undefined).map(idleReport),
  ]);
}

const use = (name: string) => `dragoman run --engine ${name} "<prompt>"`;

async function copilotReport(baseUrl: string | undefined, { env, packageFolder }: Surroundings): Promise<AgentReport> {
  const sdk = findPackage(COPILOT_PACKAGE, packageFolder);
  const about = { name: "copilot", title: COPILOT_TITLE, source: "dragoman" as const };
  if (!sdk) {
    const missing = [`the package ${COPILOT_PACKAGE} is not installed where Dragoman is`];
    return { ...about, found: false, missing, connect: installingSdk };
  }
  const { variables } = agentPresets["copilot-cli"]?.login ?? { variables: [] };
  const token = variables.find((name) => name !== "COPILOT_PROVIDER_BASE_URL" && env[name]);
  const login = baseUrl === undefined ? token : `the model at ${new URL(baseUrl).origin}`;
  const ways = "npx @github/copilot login, GH_TOKEN, or a model of your own";
  const unknown = `whether you are logged in to GitHub is known to Copilot only: ${ways}`;
  return {
    ...about,
    found: true,
    version: sdk.version,
    path: sdk.folder,
    login,
    missing: login === undefined ? [unknown] : [],
    connect: use("copilot"),
  };
}

function modelReport({ baseUrl, apiKeyVariable }: ModelEndpoint, { env }: Surroundings): AgentReport {
  const { origin } = new URL(baseUrl);
  const hasKey = Boolean(env[apiKeyVariable]);
  return {
    name: "model",
    title: "A model without an agent",
    source: "dragoman",
    found: true,
    login: hasKey ? `${apiKeyVariable} at ${origin}` : undefined,
    missing: hasKey ? [] : [`${origin} is asked without a key, since ${apiKeyVariable} is not set`],
    connect: use("model"),
  };
}

async function report(agent: KnownAgent, around: Surroundings): Promise<AgentReport> {
  const { name, title, preset, source = "dragoman", command } = agent;
  const path = agent.find();
  const about = { name, title, source } satisfies Partial<AgentReport>;
  if (path === undefined) {
    const missing = [source === "dragoman" ? "not installed" : `there is no program ${command}`];
    return { ...about, found: false, missing, connect: preset ? installing(preset) : mending(name, source) };
  }
  const version = preset && (versionBeside(path) ?? (await versionSaid(path, agent.env, around)));
  const login = preset && loginOf(preset.login, agent, around);
  const risk = agent.risk();
  const missing = [
    ...(risk === undefined ? [] : [risk]),
    ...(preset && login === undefined ? [noLogin(preset.login)] : []),
  ];
  return { ...about, found: true, version, path, login, missing, connect: use(name) };
}

const mending = (name: string, source: AgentReport["source"]) =>
  source === "environment"
    ? "set DRAGOMAN_ACP_COMMAND to a program that is there"
    : `mend agents.${name}.command in ${source === "project" ? "the project's" : "your"} dragoman.json`;

function idleReport({ name, source, idle = "" }: ConfiguredAgent): AgentReport {
  return {
    name,
    title: name,
    source,
    found: false,
    missing: [`without effect: ${idle}`],
    connect: source === "project" ? "dragoman trust" : use(name),
  };
}

function loginOf({ variables, files }: AgentLogin, agent: KnownAgent, { home, env }: Surroundings): string | undefined {
  const all = { ...env, ...agent.env };
  return variables.find((name) => all[name]) ?? files(home, all).find((path) => existsSync(path));
}

function noLogin({ variables, hidden, command }: AgentLogin): string {
  const how = `${command}, or set ${new Intl.ListFormat("en", { type: "disjunction" }).format(variables)}`;
  return `${hidden ? "whether you are logged in is known to it only" : "no login is found"}: ${how}`;
}
