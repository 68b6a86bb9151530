import { dirname, isAbsolute, resolve } from "node:path";
import { DragomanError, messageOf } from "../core/errors.ts";
import { type AgentConfig, COPILOT_KEY, type CopilotConfig, copilotSchema } from "./agents-schema.ts";
import { commandWords } from "./command-words.ts";
import type { ConfigFile } from "./config-file.ts";
import type { FileSource, Sourced } from "./configuration.ts";
import { checkKey, fromVariables, writtenSection } from "./model-section.ts";
import type { Sources } from "./sources.ts";

type Source = FileSource | "environment";

export interface ConfiguredAgent extends Sourced<AgentConfig, Source> {
  name: string;
  /** Why it has no effect. */
  idle?: string;
}

const ACP_COMMAND = "DRAGOMAN_ACP_COMMAND";

const variables = {
  baseUrl: "DRAGOMAN_COPILOT_BASE_URL",
  type: "DRAGOMAN_COPILOT_TYPE",
  wireApi: "DRAGOMAN_COPILOT_WIRE_API",
  model: "DRAGOMAN_COPILOT_MODEL",
  home: "DRAGOMAN_COPILOT_HOME",
} as const;

/** Nothing that a file says of a model counts where a variable names another address: its key is not for that one. */
export function copilotOf(sources: Sources, env: NodeJS.ProcessEnv): Sourced<CopilotConfig, Source> | undefined {
  const written = writtenSection("copilot", sources);
  const set = setCopilot(env);
  const isSet = Object.keys(set).length > 0;
  if (!written && !isSet) return undefined;
  const placedValue = written && withHome(written.file, written.value);
  const kept = set.baseUrl === undefined ? placedValue : { home: placedValue?.home };
  const value: CopilotConfig = { apiKeyVariable: COPILOT_KEY, ...kept, ...set };
  checkKey(value, env);
  return { value, source: isSet || !written ? "environment" : written.source };
}

function setCopilot(env: NodeJS.ProcessEnv): Partial<CopilotConfig> {
  const set = fromVariables(variables, copilotSchema.omit({ apiKeyVariable: true }), env);
  if (set.home !== undefined && !isAbsolute(set.home)) {
    throw new DragomanError("precondition_failed", `${variables.home} is not the whole path of a folder.`);
  }
  return set;
}

/** Every one that is written down: the variable's, the project's, the user's. Of one name the first counts. */
export function agentsOf({ project, user, trust }: Sources, env: NodeJS.ProcessEnv): ConfiguredAgent[] {
  const all: ConfiguredAgent[] = [
    ...agentOfVariable(env),
    ...writtenAgents(project, "project").map((agent) => (trust.trusted ? agent : { ...agent, idle: trust.hint })),
    ...writtenAgents(user, "user"),
  ];
  return all.map((agent, index) => {
    const before = all.slice(0, index).find(({ name, idle }) => name === agent.name && idle === undefined);
    return before && agent.idle === undefined ? { ...agent, idle: `${used[before.source]} in its place.` } : agent;
  });
}

const used: Record<Source, string> = {
  environment: `What ${ACP_COMMAND} names is used`,
  project: "The project's dragoman.json has an agent of the same name, which is used",
  user: "Your dragoman.json has an agent of the same name, which is used",
};

function writtenAgents(file: ConfigFile | undefined, source: FileSource): ConfiguredAgent[] {
  if (!file) return [];
  const agents = Object.entries(file.config.agents ?? {});
  return agents.map(([name, value]) => ({ name, source, value: withCommand(file, value) }));
}

function agentOfVariable(env: NodeJS.ProcessEnv): ConfiguredAgent[] {
  const [command, ...args] = wordsOf(env[ACP_COMMAND] ?? "");
  if (command === undefined) return [];
  if (isPath(command) && !isAbsolute(command)) {
    const message = `${ACP_COMMAND} names a program in whichever folder one is in. Give its name, or its whole path.`;
    throw new DragomanError("precondition_failed", message);
  }
  return [{ name: "acp", source: "environment", value: { command, args, env: {}, passEnv: [] } }];
}

function wordsOf(line: string): string[] {
  try {
    return commandWords(line);
  } catch (error) {
    throw new DragomanError("precondition_failed", `${ACP_COMMAND} ${messageOf(error)}.`);
  }
}

const isPath = (word: string) => /[\\/]/.test(word);

/** A path in a file starts where the file is, wherever a session works. */
const placed = (file: ConfigFile, path: string) => resolve(dirname(file.path), path);

function withHome(file: ConfigFile, value: CopilotConfig): CopilotConfig {
  return value.home === undefined ? value : { ...value, home: placed(file, value.home) };
}

/** A mere name is looked for where programs are. */
function withCommand(file: ConfigFile, value: AgentConfig): AgentConfig {
  const { command } = value;
  return command === undefined || !isPath(command) ? value : { ...value, command: placed(file, command) };
}
