import type { ToolCall } from "./answer.ts";
import type { OfferedTool } from "./conversation.ts";
import { fillSchema, type Known, typeOf } from "./fill-schema.ts";
import { isObject, type JsonObject, objectOf } from "./json-values.ts";
import type { ToolStep } from "./script.ts";

// The names under which the agents we know offer the same thing, best first.
const shells = [
  ..."bash Bash shell shell_command exec_command run_shell_command run_command execute_command".split(" "),
  ..."local_shell container.exec run_terminal_cmd terminal powershell".split(" "),
];
/** Where Codex offers no tool for patches, these take them for a command. */
const patchingShells = "exec_command shell_command shell local_shell container.exec".split(" ");
const writers = "create write_file Write write create_file writeFile str_replace_editor apply_patch".split(" ");
const askers = "ask_user AskUserQuestion ask_user_question request_user_input question ask".split(" ");

/** The call that a step asks for, or why there is none. */
export function callFor(step: ToolStep, tools: OfferedTool[]): ToolCall | { problem: string } {
  switch (step.kind) {
    case "run":
      return runCall(step.text, tools);
    case "write":
      return writeCall(step.path, step.content, tools);
    case "ask":
      return askCall(step.question, step.choices, tools);
    case "call":
      return namedCall(step.name, step.input, tools);
  }
}

function firstOf(names: string[], tools: OfferedTool[]): OfferedTool | undefined {
  return names.map((name) => tools.find((tool) => tool.name === name)).find((tool) => tool !== undefined);
}

const without = (what: string, tools: OfferedTool[]) => {
  const names = tools.map(({ name }) => name).join(", ");
  return { problem: `No tool ${what}. ${names === "" ? "There are none." : `There are: ${names}.`}` };
};

function runCall(command: string, tools: OfferedTool[]): ToolCall | { problem: string } {
  const tool = firstOf(shells, tools);
  const code = codeTool(tools);
  if (!tool && code) {
    return { tool: code, input: `text((await tools.exec_command(${JSON.stringify({ cmd: command })})).output);` };
  }
  if (!tool) return without("runs a command", tools);
  return { tool, input: tool.form === "function" ? fillSchema(tool.schema, forCommand(command)) : command };
}

/** To the models it knows Codex offers one tool, which takes a program that calls the others. */
function codeTool(tools: OfferedTool[]): OfferedTool | undefined {
  return tools.find(({ name, form }) => name === "exec" && form === "custom");
}

function forCommand(command: string): Known {
  return (name, schema) => {
    if (["command", "cmd", "script"].includes(name)) {
      return typeOf(schema) === "array" ? ["bash", "-lc", command] : command;
    }
    return name === "description" ? `Run ${command}`.slice(0, 80) : undefined;
  };
}

function writeCall(path: string, content: string, tools: OfferedTool[]): ToolCall | { problem: string } {
  const patch = addingPatch(path, content);
  const tool = firstOf(writers, tools);
  if (tool && tool.form !== "function") return { tool, input: patch };
  if (tool) return { tool, input: fillSchema(tool.schema, forFile(path, content, patch)) };
  const code = codeTool(tools);
  if (code) return { tool: code, input: `text(await tools.apply_patch(${JSON.stringify(patch)}));` };
  if (firstOf(patchingShells, tools)) return runCall(patchCommand(patch), tools);
  return without("writes a file", tools);
}

function patchCommand(patch: string): string {
  let end = "EOF";
  while (patch.split("\n").includes(`+${end}`) || patch.split("\n").includes(end)) end += "_";
  return `apply_patch <<'${end}'\n${patch}${end}`;
}

function forFile(path: string, content: string, patch: string): Known {
  return (name, schema) => {
    if (["path", "file_path", "filePath", "filename", "absolute_path"].includes(name)) return path;
    if (["content", "contents", "file_text", "text"].includes(name)) return content;
    if (["patch", "patchText", "input"].includes(name)) return patch;
    return name === "command" && Array.isArray(schema.enum) ? "create" : undefined;
  };
}

/** As Codex' `apply_patch` takes it. */
function addingPatch(path: string, content: string): string {
  const lines = content.replace(/\n$/, "").split("\n");
  return ["*** Begin Patch", `*** Add File: ${path}`, ...lines.map((line) => `+${line}`), "*** End Patch", ""].join(
    "\n",
  );
}

function askCall(question: string, choices: string[], tools: OfferedTool[]): ToolCall | { problem: string } {
  const tool = firstOf(askers, tools);
  if (!tool) return without("asks the user", tools);
  return { tool, input: fillSchema(tool.schema, forQuestion(question, choices)) };
}

/** Some tools take one question, some a list of them, and choices are texts or objects. */
function forQuestion(question: string, choices: string[]): Known {
  const known: Known = (name, schema) => {
    if (["question", "prompt", "message"].includes(name)) return question;
    if (name === "header") return "Question";
    if (name === "id") return "question";
    if (name === "questions") return [fillSchema(objectOf(schema.items), known)];
    if (name !== "choices" && name !== "options") return undefined;
    const offered = choices.length === 0 && typeof schema.minItems === "number" ? ["Yes", "No"] : choices;
    return offered.length === 0 ? undefined : offered.map((choice) => choiceAs(objectOf(schema.items), choice));
  };
  return known;
}

function choiceAs(schema: JsonObject, choice: string): unknown {
  if (typeOf(schema) !== "object") return choice;
  return fillSchema(schema, (name) => (["label", "title", "value", "description"].includes(name) ? choice : undefined));
}

function namedCall(name: string, given: string, tools: OfferedTool[]): ToolCall | { problem: string } {
  const tool = tools.find((each) => each.name === name);
  if (!tool) return without(`is called ${name}`, tools);
  if (tool.form !== "function") return { tool, input: given };
  const input = given.trim() === "" ? {} : parsed(given);
  if (isObject(input)) return { tool, input };
  return { problem: `What [[call ${name}]] gives is no JSON object: ${given.trim().slice(0, 200)}` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
