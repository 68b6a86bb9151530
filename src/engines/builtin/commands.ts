import { type Action, toolAction, type Unclear } from "./action.ts";
import { shortened } from "./answer.ts";
import type { Family } from "./family.ts";
import { isProgram, isUnmistakable, runFile } from "./programs.ts";
import { runScript, type Script } from "./project-commands.ts";
import { shellResult } from "./results.ts";
import { shellAnswer } from "./shell-answer.ts";
import { type Found, wording } from "./wording.ts";

const RUN = "(?:run|execute|exec|invoke|launch|perform)";
const IN_SHELL = "(?: (?:in|on|from|via|with|using) (?:the |a |my )?(?:shell|terminal|command ?line|console|bash))?";
const OF_PROJECT =
  "(?: (?:of|for|in|on) (?:the |this |my |our )?(?:project|repo|repository|app|package|code|codebase|workspace))?";
const THE_PROJECT =
  "(?:it|this|everything|(?:the |this |my |our )?(?:whole |entire )?(?:project|app|package|code|codebase|repo|files))";

/** What a project's own command is asked for by. */
const SCRIPTS: [script: Script, words: string][] = [
  ["test", "(?:(?:the |all |all the |my |our )?(?:unit |integration |e2e )?(?:tests?|test suite|specs?|test script))"],
  ["build", "(?:(?:the |a )?build(?: script)?)"],
  ["lint", "(?:(?:the )?(?:linter|lint|linting|eslint check|lint script))"],
  ["typecheck", "(?:(?:the |a )?(?:type ?check(?:er|ing)?|type-check(?:er)?|types check))"],
  ["format", "(?:(?:the )?(?:formatter|format script|formatting))"],
];

export const commands: Family = {
  name: "commands",
  can: "run a command, or the project's tests, build or linter",
  examples: ["run npm test", "run the tests", "execute `ls -la`"],
  forms: [
    ...SCRIPTS.map(([script, words]) => ({
      pattern: wording`${RUN} ${words}${OF_PROJECT}(?: again)?`,
      make: () => runScript(script),
    })),
    {
      pattern: wording`test ${THE_PROJECT}|(?:do|does|are|check (?:if|that|whether)) (?:the |all |all the |our )?tests (?:pass(?:ing)?|green|succeed)|check (?:the )?tests|tests?`,
      make: () => runScript("test"),
    },
    { pattern: wording`(?:build|compile) ${THE_PROJECT}|build`, make: () => runScript("build") },
    { pattern: wording`lint(?: ${THE_PROJECT})?|check (?:the )?lint(?:ing)?`, make: () => runScript("lint") },
    {
      pattern: wording`(?:type ?check|type-check|check (?:the )?types)(?: (?:of )?${THE_PROJECT})?`,
      make: () => runScript("typecheck"),
    },
    { pattern: wording`format ${THE_PROJECT}`, make: () => runScript("format") },
    {
      pattern: wording`(?:start|${RUN}|launch|serve|start up|boot) (?:the |this |my |our )?(?:(?<dev>dev(?:elopment)? (?:server|mode))|(?:web |api |http )?(?:server|app|application|project|service|program|site|website))`,
      make: (found) => runScript(found.has("dev") ? "dev" : "start"),
    },
    { pattern: wording`start(?: it)?(?: up)?`, make: () => runScript("start") },
    {
      pattern: wording`install (?:all )?(?:the |my |our )?(?:dependencies|deps|packages|requirements|modules)`,
      make: () => runScript("install"),
    },
    {
      pattern: wording`${RUN} (?:the )?(?:(?:npm |package )?script (?:called |named )?(?<name>[\w:.-]+)|(?<name2>[\w:.-]+) (?:npm )?script)`,
      make: (found) => runScript(found.text("name") || found.text("name2")),
    },
    {
      pattern: wording`${RUN}(?: me| for me)?:? (?:the |this |a |following |shell |bash |terminal )*(?:command|line|commands):? (?<command>[\s\S]+?)${IN_SHELL}`,
      open: true,
      make: (found) => command(found, true),
    },
    {
      pattern: wording`(?:in|on|from) (?:the |a |my )?(?:shell|terminal|command ?line|console)[,:]? ${RUN}:? (?<command>[\s\S]+)|\$ (?<command2>[\s\S]+)`,
      open: true,
      make: (found) => command(found, true),
    },
    {
      pattern: wording`${RUN}:? (?:the )?(?<command>[\s\S]+?)${IN_SHELL}`,
      open: true,
      make: (found) => command(found, false),
    },
    {
      pattern: wording`(?<command>[\s\S]+)`,
      open: true,
      make: (found) => {
        const words = found.text("command");
        const literal = found.literal("command");
        if (literal ? literal.kind !== "code" || !isProgram(words) : !isUnmistakable(words)) return undefined;
        const action = command(found, true);
        return action && "run" in action ? { ...action, terse: true } : action;
      },
    },
  ],
};

/** `sure`: it was called a command. Otherwise it has to begin like one, since "run" is also an ordinary word. */
function command(found: Found, sure: boolean): Action | Unclear | undefined {
  const name = found.has("command") ? "command" : "command2";
  const literal = found.literal(name);
  const said = found.text(name).trim();
  const line = literal ? said : said.replace(/(?<=\w)[.!?]$|,? (?:please|pls|plz|for me|thanks)[.!]?$/i, "").trim();
  if (line === "" || line.length > 8000) return undefined;
  const file = runFile(line);
  if (file === undefined && !literal && !sure && !isProgram(line)) return undefined;
  return shell(file ?? line, literal === undefined);
}

function shell(line: string, isOpen: boolean): Action {
  return toolAction({
    name: "shell",
    title: `Run ${shortened(line)}`,
    args: { command: line },
    changes: true,
    ...(isOpen ? { openEnd: "command" as const } : {}),
    result: shellResult,
    answer: (result) => shellAnswer(line, result),
  });
}
