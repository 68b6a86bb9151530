import { commandText } from "../../core/policy.ts";
import { textIn } from "./call-content.ts";
import type { ToldCall } from "./call-readings.ts";

export interface Command {
  command: string;
  cwd?: string;
}

const commandFields = ["command", "cmd", "script"];
const folderField = /^(?:cwd|dir|directory|dir_?path|folder|work_?dir|working_?dir(?:ectory)?)$/i;
/** An editor that models are taught has one of these as its command, and the file beside it. */
const editing = /^(?:view|create|str_replace|insert|undo_edit)$/;

/** The commands that a call has in it, whatever it says that it is, each from wherever it may be run. */
export function commandsIn(call: ToldCall): Command[] {
  const { kind, title, rawInput, content } = call;
  const lines = commandFields.flatMap((field) => lineIn(rawInput[field]) ?? []);
  const commands = [...new Set(lines)].filter((line) => kind === "execute" || !editing.test(line));
  const folders = Object.keys(rawInput).filter((field) => folderField.test(field));
  const places = [...new Set(folders.map((field) => rawInput[field]).filter((each) => typeof each === "string"))];
  if (places.length > 0) return commands.flatMap((command) => places.map((cwd) => ({ command, cwd })));
  if (commands.length > 0) return commands.map((command) => ({ command }));
  return kind === "execute" && Object.keys(rawInput).length === 0 ? commandInTitle(title, content) : [];
}

/** Gemini gives nothing but a title, which is the command, and says in which folder it is run. */
function commandInTitle(title: string, content: readonly unknown[]): Command[] {
  const folder = /^\[current working directory ([^\]\n]+)\]/.exec(textIn(content).trim());
  return folder?.[1] && title.trim() !== "" ? [{ command: unwrapped(title), cwd: folder[1] }] : [];
}

function lineIn(given: unknown): string | undefined {
  if (typeof given === "string") return given.trim() === "" ? undefined : unwrapped(given);
  return isWords(given) ? lineOf(given) : undefined;
}

const shell = "(?:(?:/usr)?/bin/)?(?:ba)?sh";
const shellWord = new RegExp(`^${shell}$`);
const shellLine = new RegExp(`^${shell} -l?c (?:'([^']*)'|"([^"\\\\$\`!]*)"|([\\w./-]+))$`);

/** A shell that is given one line and nothing else does what the line says. Codex wraps each command in one. */
function unwrapped(command: string): string {
  const inner = shellLine
    .exec(command.trim())
    ?.slice(1)
    .find((each) => each !== undefined);
  return inner?.trim() || command;
}

function lineOf(words: string[]): string {
  const [program = "", option = "", line = ""] = words;
  const isLine = words.length === 3 && shellWord.test(program) && /^-l?c$/.test(option) && line.trim() !== "";
  return isLine ? line : commandText(words);
}

const isWords = (given: unknown): given is string[] =>
  Array.isArray(given) && given.length > 0 && given.every((word) => typeof word === "string");
