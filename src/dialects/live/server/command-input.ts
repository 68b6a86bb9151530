import type { RunInput } from "../../../core/events.ts";

type Args = Record<string, unknown>;

/** The agents of the document, and what stands for any of them. Whichever is named, the session's own engine does it. */
const agents = ["copilot", "codex", "claude", "gemini", "opencode", "agent"];

/** Arguments that are the words of a prompt, the first one that is there. */
const wordNames = ["prompt", "message", "text", "query", "problem"];
const MOST_FILES = 1000;
const pathNames = ["file_path", "path", "file", "files"];

/** What a call of the name `<agent>_<command>` is a call of; nothing when it names a tool. */
export function commandIn(name: string, engines: Iterable<string>): string | undefined {
  const named = [...agents, ...engines].filter((agent) => name.startsWith(`${agent}_`));
  const longest = named.sort((a, b) => b.length - a.length)[0];
  return (longest !== undefined && name.slice(longest.length + 1)) || undefined;
}

/**
 * The prompt that a command and its arguments come to: what is to be done with which files in the first line, then a line for each other
 * argument. `arguments` has them as they came, for whoever shows the call.
 */
export function commandInput(name: string, args: Args): RunInput {
  const { command, parameters, more } =
    name === "command" ? spelledOut(args) : { command: name, parameters: args, more: {} };
  const wordName = wordNames.find((word) => isText(parameters[word]));
  const words = wordName === undefined ? "" : String(parameters[wordName]);
  const all = { ...parameters, ...more };
  const paths = [...new Set([...pathsIn(all), ...pathsIn(all.context)])];
  const context = paths.slice(0, MOST_FILES).map((path) => ({ path }));
  const around = isRecord(all.context) ? withoutPaths(all.context) : all.context;
  const others = Object.entries(withoutPaths({ ...all, context: around }));
  const lines = others.filter(([key, value]) => key !== wordName && !isNothing(value));
  return {
    text: [firstLine(command, words, paths), ...lines.map(([key, value]) => `${key}: ${shown(value)}`)]
      .filter((line) => line !== "")
      .join("\n"),
    args: { arguments: args },
    ...(context.length > 0 && { context }),
  };
}

/** `<agent>_command` brings the command's name among its arguments. */
function spelledOut(args: Args): { command: string; parameters: Args; more: Args } {
  const { command, parameters, context, ...more } = args;
  const given = isRecord(parameters) ? parameters : parameters === undefined ? {} : { parameters };
  return {
    command: isText(command) ? command : "",
    parameters: given,
    more: context === undefined ? more : { ...more, context },
  };
}

/** A command that is only a word for prompting adds nothing to the words, which are left as they are. */
function firstLine(command: string, words: string, paths: string[]): string {
  if (words !== "" && (command === "" || wordNames.includes(command))) return words;
  const unnamed = paths.filter((path) => !words.includes(path));
  return [words === "" || command === "" ? command : `${command}:`, words, ...unnamed].filter(isText).join(" ");
}

function pathsIn(value: unknown): string[] {
  if (!isRecord(value)) return [];
  return pathNames.flatMap((name) => {
    const given = value[name];
    return (Array.isArray(given) ? given : [given]).filter(isText);
  });
}

/** Those that are no paths, or not all of which are. */
function withoutPaths(args: Args): Args {
  const isPaths = (value: unknown) => isText(value) || (Array.isArray(value) && value.every(isText));
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => !pathNames.includes(name) || !isPaths(value)),
  );
}

const isNothing = (value: unknown) =>
  value === undefined ||
  (isRecord(value) && Object.keys(value).length === 0) ||
  (Array.isArray(value) && value.length === 0);

const shown = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

function isRecord(value: unknown): value is Args {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
