import { isAbsolute } from "node:path";
import { broughtAlong } from "./brought-along.ts";
import { agentPath, isProgram, programFinder, type Surroundings } from "./find-agents.ts";
import { type AgentPreset, agentPresets, runByAny } from "./presets.ts";

/** An agent as it is configured: what is not said is as its preset has it. */
export interface AgentSettings {
  preset?: string;
  /** The name of a program, or its whole path. */
  command?: string;
  args?: string[];
  env: Record<string, string>;
  /** Names of variables; a * at the end stands for any ending. */
  passEnv: string[];
  mode?: string;
  model?: string;
}

export interface ConfiguredAgent {
  name: string;
  source: "environment" | "project" | "user";
  value: AgentSettings;
  /** Why it has no effect. */
  idle?: string;
}

/** An agent that speaks ACP and that Dragoman knows how to start, whether it is there or not. */
export interface KnownAgent {
  name: string;
  title: string;
  preset?: AgentPreset;
  /** Who has configured it, if anyone has. */
  source?: ConfiguredAgent["source"];
  /** What is started, as it is named. */
  command: string;
  args: string[];
  env: Record<string, string>;
  passEnv: (string | RegExp)[];
  mode?: string;
  model?: string;
  sessionMeta?: Record<string, unknown>;
  /** Whether somebody trusts the folder that it is for. */
  trusted: boolean;
  /** Looks for its program. */
  find(): string | undefined;
  /** Looks whether the folder has something that it would run, though nobody trusts it, and tells. */
  risk(): string | undefined;
}

/** Presets, as they are or as they are configured, and then the others that are configured. */
export function knownAgents(configured: readonly ConfiguredAgent[], around: Surroundings): KnownAgent[] {
  const names = new Set([...Object.keys(agentPresets), ...configured.filter(counts).map(({ name }) => name)]);
  const find = programFinder(around);
  return [...names].map((name) => knownAgent(name, configured, around, find));
}

const counts = ({ idle }: ConfiguredAgent) => idle === undefined;

/** One of these names. */
export function knownAgent(
  name: string,
  configured: readonly ConfiguredAgent[],
  around: Surroundings,
  find = programFinder(around),
): KnownAgent {
  const agent = configured.find((one) => one.name === name && counts(one));
  const settings: AgentSettings = agent?.value ?? { env: {}, passEnv: [] };
  const preset = presetOf(settings.preset ?? name);
  const programs = settings.command === undefined ? (preset?.executables ?? []) : [settings.command];
  const { command: given = "", args = preset?.args ?? [], mode = preset?.mode, model } = settings;
  return {
    name,
    title: preset?.title ?? name,
    preset,
    source: agent?.source,
    command: programs[0] ?? "",
    args,
    env: { ...preset?.env, ...(around.trusted ? {} : preset?.untrustedEnv), ...agentPath(around), ...settings.env },
    passEnv: [...(preset?.passEnv ?? []), ...settings.passEnv.map(variables)],
    mode,
    model,
    sessionMeta: around.trusted ? undefined : preset?.untrustedMeta,
    trusted: around.trusted,
    find: () => (isAbsolute(given) ? [given].find(isProgram) : find(programs)),
    risk: () => (around.trusted ? undefined : riskOf(preset?.title ?? name, preset, around)),
  };
}

function riskOf(title: string, preset: AgentPreset | undefined, around: Surroundings): string | undefined {
  const brought = broughtAlong(preset ? (preset.runsUnasked ?? []) : runByAny, around);
  if (brought.length === 0) return undefined;
  const files = new Intl.ListFormat("en").format(brought);
  const [say, them] = brought.length === 1 ? ["says", "it"] : ["say", "them"];
  const advice = `Look at ${them}, then trust the folder, in ${around.workspace}: dragoman trust`;
  return `${title} ${preset ? "would" : "might"} run what ${files} ${say}, and the folder is not trusted. ${advice}`;
}

function presetOf(name: string): AgentPreset | undefined {
  return Object.hasOwn(agentPresets, name) ? agentPresets[name] : undefined;
}

const variables = (name: string) => (name.endsWith("*") ? new RegExp(`^${name.slice(0, -1)}`) : name);
