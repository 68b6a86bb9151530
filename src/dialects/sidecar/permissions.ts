import type * as z from "zod";
import { DragomanError } from "../../core/errors.ts";
import { type Rule, type RunRules, withRules } from "../../core/rules.ts";
import type { permissionsSchema } from "./calls.ts";
import { coreTool } from "./tool-names.ts";

export type Permissions = z.output<typeof permissionsSchema>;
type Verdict = Permissions[string];

/** What a permission is about: tools of ours, and commands that come to the same in a shell. */
interface Meaning {
  tools: string[];
  commands?: Omit<Rule, "tool">[];
}

const command = (...lines: string[]) => lines.map((line) => ({ command: line }));

/** By whatever option it is forced, and wherever in the line that stands; also with options of git's own before `push`. */
const forcedPushes = ["git push", "git -* push"].flatMap((push) =>
  ["--force*", "-f*", "-?f*", "+*"].map((forced) => ({ command_glob: `${push}* ${forced}` })),
);

const meanings = new Map<string, Meaning>([
  ["fs.read", { tools: ["read", "list", "glob", "search"] }],
  ["fs.write", { tools: ["write", "edit"] }],
  ["git.status", { tools: ["git_status"], commands: command("git status") }],
  ["git.diff", { tools: ["git_diff"], commands: command("git diff") }],
  ["git.log", { tools: ["git_log"], commands: command("git log") }],
  ["git.branches", { tools: ["git_branches"], commands: command("git branch --list") }],
  ["git.commit", { tools: ["git_commit"], commands: command("git commit") }],
  ["git.push", { tools: ["git_push"], commands: command("git push") }],
  ["git.forcePush", { tools: [], commands: forcedPushes }],
  [
    "git.createBranch",
    {
      tools: ["git_branch"],
      commands: command("git branch", "git switch -c", "git switch --create", "git checkout -b"),
    },
  ],
  ["git.switchBranch", { tools: ["git_branch"], commands: command("git switch", "git checkout") }],
]);

/** What holds unless a plugin says otherwise; for the rest core's own judgement is the same as the usual default, which is to ask. */
const usual: Permissions = { "git.forcePush": "deny" };

/** Who allows every command has said nothing of those that have a name of their own. */
const besidesCommands: Permissions = { "git.commit": "ask", "git.push": "ask" };

/** The rules that the permission map of a session comes to. */
export function permissionRules(permissions: Permissions): RunRules {
  const usually = rulesIn(usual);
  return withRules(usually, messageRules(permissions, usually)) ?? usually;
}

/**
 * The rules that the map of a message comes to. What it names counts for it and what the session says, when the run starts, for the
 * rest. A session that has no rules says what is usual.
 */
export function messageRules(permissions: Permissions, session: RunRules | undefined): RunRules {
  const named = session ? permissions : { ...usual, ...permissions };
  const ofName = ([name]: [string, Verdict]) => rulesOf(name, "deny");
  const allowed = Object.entries(named).filter(([, verdict]) => verdict === "allow");
  const unnamed = Object.entries(besidesCommands).filter(([name]) => !Object.hasOwn(named, name));
  return {
    ...rulesIn(named),
    ...(allowed.length > 0 && { without: allowed.flatMap(ofName) }),
    ...(named["exec.run"] === "allow" && { askUnlessSaid: unnamed.map(ofName) }),
  };
}

function rulesIn(permissions: Permissions): RunRules {
  const rules: RunRules = { deny: [], ask: [], allow: [] };
  for (const [name, verdict] of Object.entries(permissions)) rules[verdict].push(...rulesOf(name, verdict));
  return rules;
}

/**
 * An allowed tool is allowed as that tool. A command line that comes to the same may do much more besides, so it stays a matter of
 * `exec.run`.
 */
function rulesOf(name: string, verdict: Verdict): Rule[] {
  if (name.includes("*")) {
    const message = `A permission is about one tool, such as git.push, so there is none for ${JSON.stringify(name)}. Name each tool.`;
    throw new DragomanError("invalid_params", message);
  }
  const { tools, commands = [] } = meanings.get(name) ?? { tools: [coreTool(name)] };
  const byShell = verdict === "allow" && tools.length > 0 ? [] : commands.map((each) => ({ tool: "shell", ...each }));
  return [...tools.map((tool) => ({ tool })), ...byShell];
}
