import { argLines, commandIn } from "./command-args.js";
import { element } from "./element.js";

/** What a question is about, whatever its kind. */
export function aboutAsk(ask) {
  const { toolName, args, diff, truncated, danger, expiresAt } = ask;
  const { heading, command, words, more } = toolName.startsWith("ask.") ? asQuestion(args) : asCall(ask);
  return [
    element("h3", {}, heading),
    ...(danger ? [warning("This cannot be undone, or reaches beyond the project.")] : []),
    ...(command === undefined ? [] : [element("pre", { class: "command" }, command)]),
    ...(words ? [element("p", { class: "text" }, words)] : []),
    ...(diff ? [diffOf(diff)] : more),
    ...(truncated ? [warning("This is not shown whole.")] : []),
    element(
      "p",
      { class: "quiet" },
      `Open until ${new Date(expiresAt).toLocaleTimeString()}; then ${afterwards(toolName)}.`,
    ),
  ];
}

/** What nobody has chosen or said is no no. */
const afterwards = (toolName) => (/^ask\.(pick|prompt)$/.test(toolName) ? "it is left open" : "it counts as no");

const warning = (text) => element("p", { class: "warning" }, text);

const asQuestion = ({ title = "A question", message }) => ({ heading: title, words: message, more: [] });

function asCall({ toolName, args, title = toolName, message = "" }) {
  const name = element("p", {}, element("code", {}, toolName));
  const run = commandIn(args);
  if (!run) return { heading: title, words: message, more: [name, ...argsOf(args)] };
  const { command, description } = run;
  const { timeoutMs, ...others } = run.others;
  const limit = timeoutMs === undefined ? [] : [element("p", { class: "quiet" }, `It may take ${timeoutMs / 1000} s.`)];
  const said = description ? [element("p", { class: "text" }, `The agent says of it: ${description}`)] : [];
  return {
    heading: title.startsWith("Run ") ? "Run this command?" : title,
    command,
    words: withoutCommand(message, command),
    more: [...said, ...argsOf(others), ...limit],
  };
}

/** The command is read whole above it, so it is not said again: neither as a whole, nor by the beginning that stands for it. */
function withoutCommand(message, command) {
  const rest = message.startsWith(command) ? message.slice(command.length).trimStart() : message;
  const names = [command, `${command.slice(0, 59)}…`].map((name) => `What "${name.replace(/\s+/g, " ")}" does`);
  const named = names.find((name) => rest.startsWith(name));
  return named === undefined ? rest : `What it does${rest.slice(named.length)}`;
}

function argsOf(args) {
  const lines = argLines(args);
  return lines === "" ? [] : [element("pre", {}, lines)];
}

function diffOf(diff) {
  const kinds = { "+": "added", "-": "removed", "@": "place" };
  const lines = diff
    .trimEnd()
    .split("\n")
    .map((line) => element("span", { class: kinds[line[0]] ?? "same" }, `${line}\n`));
  return element("pre", { class: "diff" }, ...lines);
}
