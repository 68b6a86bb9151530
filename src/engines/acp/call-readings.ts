import type { ToolKind } from "../../core/tool.ts";
import { boundedDiff } from "../../tools/file-diff.ts";
import type { AgentAction } from "../agent-policy.ts";
import { commandsIn } from "./call-command.ts";
import { changedPaths, diffIn } from "./call-content.ts";
import { pathsIn } from "./call-paths.ts";

/** What an agent has told of a call, all in all. */
export interface ToldCall {
  /** What the agent calls the tool, where it says so. */
  name: string | undefined;
  title: string;
  kind: string;
  rawInput: Record<string, unknown>;
  content: readonly unknown[];
  locations: readonly unknown[];
}

export interface CallPlace {
  /** The engine's name. */
  source: string;
  workspace: string;
}

const LONGEST_DETAIL = 4000;

/** What a list of calls draws an icon for. */
export function toolKindOf(kind: string): ToolKind {
  if (isChange(kind)) return "edit";
  return kind === "read" || kind === "execute" || kind === "search" || kind === "fetch" ? kind : "other";
}

const isChange = (kind: string) => kind === "edit" || kind === "delete" || kind === "move";
const isReading = (kind: string) => kind === "read" || kind === "search";

/** Agents change their word for a call. One that says less than that before does not count: opencode asks about a folder with such a one. */
export function kindAfter(before: string | undefined, told: string | undefined): string {
  const weight = (kind: string) => (isReading(kind) ? 0 : toolKindOf(kind) === "other" ? 1 : 2);
  if (before === undefined || told === undefined) return told ?? before ?? "other";
  return weight(told) < weight(before) ? before : told;
}

/**
 * What the agent wants to do, for the rules. Its own word for the kind of a call is not enough: a file that is read by a command is read by
 * a command. Where a call can be understood in several ways, it may be made only if each of them is allowed.
 */
export function readingsOf(call: ToldCall, place: CallPlace): AgentAction[] {
  const { kind } = call;
  const paths = pathsIn(call, place.workspace);
  const url = kind === "fetch" ? urlsOf(call) : "";
  const changes = isChange(kind) || changedPaths(call.content).length > 0 || (url !== "" && paths.length > 0);
  const found: AgentAction[] = commandsIn(call).map((command) => ({ does: "run", ...command }));
  if (changes) found.push({ does: "write", paths, diff: diffOf(call, place.workspace) });
  if (url !== "") found.push({ does: "fetch", url });
  const isClear = isChange(kind) || isReading(kind) || kind === "execute" || url !== "";
  if (isClear && found.length > 0) return found;
  return isReading(kind) && onlyReads(call, paths) ? [{ does: "read", paths }] : [...found, other(call, place)];
}

/** Under a name that no tool of ours has, nor one of another agent. */
function other({ name, kind, title, rawInput }: ToldCall, { source }: CallPlace): AgentAction {
  const input = Object.keys(rawInput).length > 0 ? JSON.stringify(rawInput, null, 2) : "";
  const detail = [title, input].filter((text) => text !== "").join("\n");
  return { does: "other", tool: `${source}:${name ?? kind}`, detail: detail.slice(0, LONGEST_DETAIL).toWellFormed() };
}

const read =
  /^(?:(?:absolute|relative|notebook|file|dir|directory|search)_?)?paths?$|^file_?names?$|^(?:files?|dir|parent_?dir|directory|folder|cwd)$/i;
const harmless =
  /^(?:description|offset|limit|lines?|(?:start|end)_?line|(?:view_?)?range|pages?|encoding|recursive|depth|case_?sensitive|output_?mode|head_?limit|multiline|type|-[ABCin])$/i;
const searched = /^(?:pattern|query|regexp?|glob|include|exclude|ignore)s?$/i;
const leadsOut = /^[~/]|\.\.|\$/;

/** Reading goes without saying, so an agent that asks about it anyway must leave no doubt that it is nothing more. */
function onlyReads({ rawInput }: ToldCall, paths: string[]): boolean {
  const fields = Object.entries(rawInput).every(([field, value]) => {
    const values = Array.isArray(value) ? value : [value];
    if (values.some((each) => typeof each === "object" && each !== null)) return false;
    if (searched.test(field)) return !values.some((each) => leadsOut.test(String(each)));
    return read.test(field) || harmless.test(field);
  });
  return fields && !paths.some((path) => path.includes("$"));
}

/** Copilot sends a diff of its own with its question. */
function diffOf({ content, rawInput }: ToldCall, workspace: string): string | undefined {
  const made = diffIn(content, workspace);
  return made ?? (typeof rawInput.diff === "string" ? boundedDiff(rawInput.diff.trimStart()) : undefined);
}

function urlsOf({ rawInput, title }: ToldCall): string {
  const named = [rawInput.url, rawInput.uri, rawInput.urls].flat().filter((each) => typeof each === "string");
  const inTitle = /\bhttps?:\/\/[^\s"'<>]+/.exec(title)?.[0] ?? "";
  return [...new Set(named)].join(" ").trim() || inTitle;
}
