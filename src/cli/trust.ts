import { resolve } from "node:path";
import type { AgentConfig, CopilotConfig, ModelEndpointConfig } from "../config/agents-schema.ts";
import { gitCommands } from "../config/git-commands.ts";
import { shellWord } from "../config/printable.ts";
import type { FeaturesConfig, McpServer } from "../config/schema.ts";
import { readSources, type Sources } from "../config/sources.ts";
import { grantTrust, revokeTrust } from "../config/trust.ts";
import {
  readRecord,
  readRecords,
  realWorkspace,
  recordPath,
  type WorkspaceRecord,
} from "../config/workspace-record.ts";
import { messageOf } from "../core/errors.ts";
import { plainText } from "../core/plain-text.ts";
import type { Rule } from "../core/rules.ts";
import type { Keys } from "./keys.ts";
import { INTERRUPTED } from "./leave.ts";

export interface TrustOptions {
  action: "trust" | "revoke" | "list";
  /** The folder to trust. */
  dir: string;
  /** Dragoman's data folder. */
  home: string;
  /** The user has said yes already. */
  yes: boolean;
  /** Of a terminal; without one nobody is asked. */
  keys?: Keys;
  out: NodeJS.WritableStream;
}

/** Shows what a folder would set and has the user trust it. Resolves with the exit code of the process. */
export async function trust(options: TrustOptions): Promise<number> {
  // What a repo wrote is shown here, and must not be able to draw over it.
  const say = (line: string) => options.out.write(`${plainText(line)}\n`);
  if (options.action === "list") return list(options.home, say);
  if (options.action === "revoke") return revoke(options, say);
  return grant(options, say);
}

type Say = (line: string) => void;

async function grant(options: TrustOptions, say: Say): Promise<number> {
  const { dir, home } = options;
  const sources = await readSources({ workspace: dir, home });
  const { workspace, project, trust } = sources;
  if (trust.trusted) {
    say(`${workspace} is trusted already${trust.since ? `, since ${trust.since}` : ""}.`);
    return 0;
  }
  say(`${workspace}\n`);
  for (const line of effects(sources, await gitCommands(workspace))) say(line);
  const answer = options.yes || (await ask(options, say));
  if (answer !== true) return answer === "interrupted" ? INTERRUPTED : 1;
  await grantTrust(home, workspace, project?.sha256 ?? "absent", new Date());
  const back = `dragoman trust --revoke ${shellWord(workspace)}`;
  say(`Trusted, until its dragoman.json changes. To take it back: ${back}`);
  return 0;
}

async function ask({ keys, out }: TrustOptions, say: Say): Promise<boolean | "interrupted"> {
  if (!keys) {
    say("Not trusted: there is no terminal to ask at. Read the above, then run it again with --yes.");
    return false;
  }
  out.write("Trust this folder? y or n: ");
  const interrupted = new Promise<"interrupted">((done) => keys.onInterrupt(() => done("interrupted")));
  const answer = await Promise.race([keys.yesOrNo(), interrupted]);
  say(answer === true ? "yes" : "no");
  if (answer !== true) say("Not trusted. Its deny rules hold all the same.");
  return answer ?? false;
}

/** What would come to hold that does not hold without trust. */
function effects({ project, record, trust }: Sources, git: string[]): string[] {
  const rules = project?.config.policy?.allow ?? [];
  const servers = Object.entries(project?.config.mcp?.servers ?? {});
  const { callback, callbackHosts = [] } = project?.config.serve ?? {};
  const parts = [
    ...section("Would run without an ask, by its dragoman.json:", rules.map(ruleText)),
    ...section("MCP servers of its dragoman.json:", servers.map(serverText)),
    ...section("Under dragoman serve, tools would be executed by:", callback === undefined ? [] : [address(callback)]),
    ...section("Under dragoman serve, tools may be executed on:", callbackHosts),
    ...section("Features would be saved:", featureTexts(project?.config.features)),
    ...section("Copilot would work:", copilotTexts(project?.config.copilot)),
    ...section("The engine model would ask:", endpointTexts(project?.config.modelEndpoint)),
    ...section("Agents of its dragoman.json:", Object.entries(project?.config.agents ?? {}).map(agentText)),
    ...section("Git would run, when you commit or push:", git),
    ...section(
      "Not understood, and ignored:",
      project?.warnings.map(({ line, message }) => `line ${line}: ${message}`),
    ),
  ];
  const lapse = record.trusted && !trust.trusted ? [`${trust.reason}\n`] : [];
  const nothing = ["It sets nothing yet that needs trust: no allow rules, no MCP servers, no agents, no git hooks.\n"];
  return [...lapse, ...(parts.length > 0 ? parts : nothing)];
}

function section(title: string, lines: string[] = []): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${plainText(line).replaceAll("\n", "\\n")}`), ""];
}

function ruleText({ tool, ...limits }: Rule): string {
  const parts = Object.entries(limits).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return parts.length > 0 ? `${tool}: ${parts.join(", ")}` : `${tool}: every use of it`;
}

function featureTexts({ push, remote, github }: FeaturesConfig = {}): string[] {
  return [
    ...(push || remote ? [`and pushed to ${remote ?? "origin"}${push ? "" : ", when you say so"}`] : []),
    ...(github
      ? [`in ${github.repository} at ${address(github.baseUrl)}, with the token in ${github.tokenVariable}`]
      : []),
  ];
}

/** Names of variables and headers only: their values may be secrets, and the terminal may be watched. */
function serverText([id, server]: [string, McpServer]): string {
  const off = server.enabled ? "" : " (disabled)";
  if (server.transport === "http") return `${id}: ${address(server.url)}${names("headers", server.headers)}${off}`;
  const where = server.cwd ? `, in ${server.cwd}` : "";
  return `${id}: ${commandText(server.command, server.args)}${where}${names("variables", server.env)}${off}`;
}

function commandText(command: string, args: string[]): string {
  return [command, ...args].map((word) => (/^[\w./@:=+-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
}

function copilotTexts({ baseUrl, apiKeyVariable, model, home }: Partial<CopilotConfig> = {}): string[] {
  return [
    ...(baseUrl ? [`with the model at ${address(baseUrl)}, which is sent the key in ${apiKeyVariable}`] : []),
    ...(model ? [`with the model ${model}, where none is named`] : []),
    ...(home ? [`in the folder ${home}, with what is kept there`] : []),
  ];
}

function endpointTexts(endpoint?: ModelEndpointConfig): string[] {
  if (!endpoint) return [];
  const { baseUrl, apiKeyVariable, model } = endpoint;
  return [
    `the model at ${address(baseUrl)}, which is sent the key in ${apiKeyVariable}, and what is said in sessions`,
    ...(model ? [`for the model ${model}, where none is named`] : []),
  ];
}

/** Of what it is set only the names: see `serverText`. */
function agentText([name, agent]: [string, AgentConfig]): string {
  const { preset = name, command, args = [], env, passEnv, mode } = agent;
  const started = command === undefined ? `as ${commandText(preset, args)}` : commandText(command, args);
  const passed = passEnv.length > 0 ? `, is told your ${passEnv.join(", ")}` : "";
  return `${name}: ${started}${names("variables", env)}${passed}${mode ? `, in its mode ${mode}` : ""}`;
}

function address(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function names(what: string, values: Record<string, string>): string {
  const keys = Object.keys(values);
  return keys.length > 0 ? `, with ${what} ${keys.join(", ")}` : "";
}

async function revoke({ dir, home }: TrustOptions, say: Say): Promise<number> {
  // A folder that is gone may still be trusted; it was recorded by its real path.
  const workspace = await realWorkspace(dir).catch(() => resolve(dir));
  const record = await readRecord(home, workspace);
  await revokeTrust(home, workspace);
  say(record.trusted ? `${workspace} is no longer trusted.` : `${workspace} was not trusted.`);
  const kept = record.allow.length + record.deny.length;
  if (kept > 0)
    say(`${plural(kept, "remembered rule")} ${kept === 1 ? "is" : "are"} kept: ${recordPath(home, workspace)}`);
  return 0;
}

async function list(home: string, say: Say): Promise<number> {
  const { records, errors } = await readRecords(home);
  for (const record of records) say(`${record.workspace}\n  ${await state(record, home)}`);
  if (records.length === 0 && errors.length === 0) say("No folder is trusted, and no rule is remembered.");
  for (const error of errors) say(error.message);
  return errors.length > 0 ? 1 : 0;
}

async function state(record: WorkspaceRecord, home: string): Promise<string> {
  const kept = record.allow.length + record.deny.length;
  const rules = kept > 0 ? `; ${plural(kept, "remembered rule")}` : "";
  return `${record.trusted ? await trustedState(record, home) : "not trusted"}${rules}`;
}

async function trustedState({ workspace }: WorkspaceRecord, home: string): Promise<string> {
  try {
    const { trust } = await readSources({ workspace, home });
    return trust.trusted ? `trusted since ${trust.since}` : `not trusted: ${trust.hint}`;
  } catch (error) {
    return `trusted, but ${messageOf(error)}`;
  }
}

const plural = (count: number, thing: string) => `${count} ${thing}${count === 1 ? "" : "s"}`;
