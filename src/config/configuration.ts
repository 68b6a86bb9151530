import type { Rule } from "../core/rules.ts";
import { agentsOf, type ConfiguredAgent, copilotOf } from "./agents.ts";
import type { CopilotConfig, ModelEndpointConfig } from "./agents-schema.ts";
import type { ConfigFile, Warning } from "./config-file.ts";
import { modelEndpointOf } from "./model-endpoint.ts";
import type { FeaturesConfig, McpServer } from "./schema.ts";
import { readSources, type Sources, type SourcesOptions } from "./sources.ts";
import type { Trust } from "./trust.ts";

export type FileSource = "project" | "user";

export interface Sourced<Value, Source = FileSource> {
  value: Value;
  source: Source;
}

export interface ConfiguredServer extends Sourced<McpServer> {
  id: string;
  /** Why it has no effect, whatever it says of itself. */
  idle?: string;
}

/** What is configured for a workspace. Rules that were remembered are not in it; a `RuleBook` has them all. */
export interface Configuration {
  /** The real path. */
  workspace: string;
  trust: Trust;
  engine?: Sourced<string, FileSource | "environment">;
  model?: Sourced<string, FileSource | "environment">;
  allow: Sourced<Rule>[];
  deny: Sourced<Rule>[];
  /** Every one that is written down, the project's first. */
  servers: ConfiguredServer[];
  /** Of `dragoman serve`: where tools are executed by HTTP, and on which hosts besides this one they may be. */
  serve: { callback?: Sourced<string>; callbackHosts: Sourced<string>[] };
  /** Where features are saved: what the project says goes before what the user says. */
  features: FeaturesConfig;
  /** How Copilot works, where anything is said of it. */
  copilot?: Sourced<CopilotConfig, FileSource | "environment">;
  /** Where the engine `model` asks, where that is said. */
  modelEndpoint?: Sourced<ModelEndpointConfig, FileSource | "environment">;
  /** Every agent that is written down. */
  agents: ConfiguredAgent[];
  warnings: Warning[];
}

export interface ConfigurationOptions extends SourcesOptions {
  env: NodeJS.ProcessEnv;
}

/** Variables go before the project's file, and that before the user's. Throws for a file that is broken, with the place. */
export async function readConfiguration({ env, ...options }: ConfigurationOptions): Promise<Configuration> {
  const sources = await readSources(options);
  const { workspace, trust, project, user } = sources;
  const copilot = copilotOf(sources, env);
  const modelEndpoint = modelEndpointOf(sources, env);
  return {
    workspace,
    trust,
    ...chosen("engine", env.DRAGOMAN_ENGINE, sources),
    ...chosen("model", env.DRAGOMAN_MODEL, sources),
    allow: [...rulesOf("allow", trust.trusted ? project : undefined, "project"), ...rulesOf("allow", user, "user")],
    deny: [...rulesOf("deny", project, "project"), ...rulesOf("deny", user, "user")],
    servers: serversOf(sources),
    serve: servingOf(sources),
    features: { ...user?.config.features, ...(trust.trusted ? project?.config.features : {}) },
    ...(copilot && { copilot }),
    ...(modelEndpoint && { modelEndpoint }),
    agents: agentsOf(sources, env),
    warnings: [...(project?.warnings ?? []), ...untrusted(sources), ...(user?.warnings ?? [])],
  };
}

/** Which agent is started is not for a folder to say that nobody trusts: some of them run what a folder brings along. */
function chosen(
  key: "engine" | "model",
  variable: string | undefined,
  { project, user, trust }: Sources,
): Partial<Pick<Configuration, "engine" | "model">> {
  const choices: Sourced<string | undefined, FileSource | "environment">[] = [
    { value: variable || undefined, source: "environment" },
    { value: trust.trusted ? project?.config[key] : undefined, source: "project" },
    { value: user?.config[key], source: "user" },
  ];
  const first = choices.find(({ value }) => value !== undefined);
  return first ? { [key]: first } : {};
}

function rulesOf(verdict: "allow" | "deny", file: ConfigFile | undefined, source: FileSource): Sourced<Rule>[] {
  return (file?.config.policy?.[verdict] ?? []).map((value) => ({ value, source }));
}

function serversOf({ project, user, trust }: Sources): ConfiguredServer[] {
  const ofProject = Object.entries(project?.config.mcp?.servers ?? {});
  const effective = new Set(trust.trusted ? ofProject.map(([id]) => id) : []);
  return [
    ...ofProject.map(([id, value]): ConfiguredServer => {
      return { id, source: "project", value, ...(trust.trusted ? {} : { idle: trust.hint }) };
    }),
    ...Object.entries(user?.config.mcp?.servers ?? {}).map(([id, value]): ConfiguredServer => {
      const idle = "The project's dragoman.json has a server of the same id, which is used in its place.";
      return { id, source: "user", value, ...(effective.has(id) ? { idle } : {}) };
    }),
  ];
}

/** The project's goes before the user's; hosts of both add up. */
function servingOf({ project, user, trust }: Sources): Configuration["serve"] {
  const files = [
    { file: trust.trusted ? project : undefined, source: "project" as const },
    { file: user, source: "user" as const },
  ];
  const [callback] = files.flatMap(({ file, source }) => {
    const value = file?.config.serve?.callback;
    return value === undefined ? [] : [{ value, source }];
  });
  const callbackHosts = files.flatMap(({ file, source }) =>
    (file?.config.serve?.callbackHosts ?? []).map((value) => ({ value, source })),
  );
  return callback ? { callback, callbackHosts } : { callbackHosts };
}

/** Whoever wrote down what has no effect is told so. */
function untrusted({ project, trust }: Sources): Warning[] {
  if (!project || trust.trusted) return [];
  const rules = project.config.policy?.allow.length ?? 0;
  const servers = Object.keys(project.config.mcp?.servers ?? {}).length;
  const agents = Object.keys(project.config.agents ?? {}).length;
  const { callback, callbackHosts = [] } = project.config.serve ?? {};
  const parts = [
    ...(project.config.engine === undefined ? [] : ["its engine"]),
    ...(project.config.model === undefined ? [] : ["its model"]),
    ...(rules > 0 ? [rules === 1 ? "1 allow rule" : `${rules} allow rules`] : []),
    ...(servers > 0 ? [servers === 1 ? "1 MCP server" : `${servers} MCP servers`] : []),
    ...(callback !== undefined || callbackHosts.length > 0 ? ["where tools are executed"] : []),
    ...(project.config.features ? ["where features are saved"] : []),
    ...(project.config.copilot ? ["how Copilot works"] : []),
    ...(project.config.modelEndpoint ? ["where the engine model asks"] : []),
    ...(agents > 0 ? [agents === 1 ? "1 agent" : `${agents} agents`] : []),
  ];
  if (parts.length === 0) return [];
  const message = `Without effect: ${new Intl.ListFormat("en", { style: "long" }).format(parts)}. ${trust.hint}`;
  return [{ file: project.path, line: 1, column: 1, message }];
}
