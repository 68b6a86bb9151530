import { type Action, callTool, done, toolAction } from "./action.ts";
import { bulleted, code, count } from "./answer.ts";
import type { Family } from "./family.ts";
import { branchResult, pushResult, statusResult } from "./results.ts";
import { ALL, CALLED, type Found, SHOW, WHAT_IS, wording } from "./wording.ts";

const NAME = "(?<name>\\S+)";
/** What git takes as a branch's name, and no option. */
const BRANCH = /^(?![-./])(?!.*(?:\.\.|@\{|\/\/|[\s~^:?*[\\]))[^\s]+(?<![./])$/;

export const branches: Family = {
  name: "branches",
  can: "list, create and switch branches, push",
  examples: ["create a branch feature/login", "switch to main", "push"],
  forms: [
    {
      pattern: wording`(?:(?:list|${SHOW}|${WHAT_IS}|which) )?${ALL}(?:git |local )?branches(?: are there| do (?:we|i) have)?|git branch(?: -a| --list)?`,
      make: () => listBranches(),
    },
    {
      pattern: wording`(?:${SHOW} |${WHAT_IS} )?(?:the |my )?(?:current|active|this) (?:git )?branch|(?:which|what)(?: git)? branch (?:am i|are we|is this|is it|we're|we are|i'm|i am|this is)(?: on| in)?(?: currently)?|what branch`,
      make: () => listBranches(),
    },
    {
      pattern: wording`(?:create|make|add|start|open|new)(?: and (?:switch|checkout|check out)(?: to)?)? (?:a |the |me a )?(?:new )?(?:git )?branch ${CALLED}${NAME}(?: (?:from|off|off of|based on|out of) (?<from>\S+))?(?: and (?:switch|check out|checkout|go)(?: to)?(?: it)?)?`,
      make: (found) => named(found, "create"),
    },
    {
      pattern: wording`git (?:checkout -b|switch -c|branch) ${NAME}(?: (?<from>\S+))?|branch off (?:of )?(?:from )?(?<from2>\S+) (?:as|to|into|called|named) (?<name2>\S+)`,
      make: (found) => named(found, "create"),
    },
    {
      pattern: wording`(?:switch|change|move|go|jump|get)(?: back| over)? to (?:the )?(?:git )?branch ${CALLED}${NAME}|(?:switch|change|go)(?: back| over)? (?:to )?(?:the )?${NAME.replace("name", "name2")} branch|(?:check ?out) (?:the )?branch ${NAME.replace("name", "name3")}`,
      make: (found) => named(found, "switch"),
    },
    {
      pattern: wording`switch(?: back| over)? to ${NAME}|git (?:checkout|switch) ${NAME.replace("name", "name2")}|check ?out ${NAME.replace("name", "name3")}`,
      make: (found) => named(found, "switch"),
    },
    {
      pattern: wording`(?:git )?push(?: -u| --set-upstream)?(?: (?:it|this|that|them|all|everything|my (?:work|changes|commits?|branch)|the (?:commits?|changes|branch|current branch)|(?:your|our) (?:work|changes|commits?)))?(?: up)?(?: (?:to )?(?:the )?(?:remote|upstream|server|github|gitlab))?(?: (?:to )?(?<remote>origin|upstream)(?:[ /](?<branch>\S+))?)?`,
      make: (found) => push(found.text("remote"), found.text("branch")),
    },
    {
      pattern: wording`push (?:the )?(?:branch ${NAME}|${NAME.replace("name", "name2")} branch)(?: (?:to )?(?<remote>origin|\S+))?|push (?<name3>[\w./-]+) to (?<remote2>origin)`,
      make: (found) => push(found.text("remote") || found.text("remote2"), nameIn(found)),
    },
  ],
};

function nameIn(found: Found): string {
  return ["name", "name2", "name3"].map((name) => found.text(name)).find((text) => text !== "") ?? "";
}

function named(found: Found, action: "create" | "switch"): Action | { hint: string } | undefined {
  const name = nameIn(found);
  const from = found.text("from") || found.text("from2");
  if (/^(?:it|this|that|a|the|new|--|\.)$/i.test(name)) return undefined;
  const bad = [name, from].find((one) => one !== "" && !BRANCH.test(one));
  if (bad !== undefined) return { hint: `${code(bad)} cannot be a branch's name.` };
  return changeBranch({ action, name, ...(from === "" ? {} : { from }) });
}

function listBranches(): Action {
  return toolAction({
    name: "git_branches",
    title: "List branches",
    args: {},
    result: branchResult,
    answer: ({ current, branches: all }) => {
      const items = all.map((one) => (one === current ? `**${one}** (current)` : one));
      const summary = `There ${all.length === 1 ? "is" : "are"} ${count(all.length, "branch")}, and ${current} is checked out.`;
      return { text: `${summary}\n\n${bulleted(items)}`, summary };
    },
  });
}

function changeBranch(args: { action: "create" | "switch"; name: string; from?: string }): Action {
  const { action, name, from } = args;
  return toolAction({
    name: "git_branch",
    title: action === "switch" ? `Switch to ${name}` : `Create the branch ${name}${from ? ` from ${from}` : ""}`,
    args,
    changes: true,
    result: branchResult,
    answer: ({ current }) => {
      const summary = action === "create" ? `Created the branch ${name}.` : `Switched to ${name}.`;
      return { text: `${summary} ${code(current)} is checked out now.`, summary };
    },
  });
}

/** A branch that was never pushed gets its upstream with it, which is what git would tell a person to do. */
function push(remote: string, branchName: string): Action {
  const said = { ...(remote === "" ? {} : { remote }), ...(branchName === "" ? {} : { branch: branchName }) };
  return {
    name: "git_push",
    title: `Push${branchName ? ` ${branchName}` : ""}${remote ? ` to ${remote}` : ""}`,
    args: said,
    changes: true,
    completes: true,
    run: async (io) => {
      const status = await callTool(io, "git_status", {}, statusResult);
      if (status.outcome !== "done") return status;
      const args = { ...said, ...(status.result.upstream ? {} : { setUpstream: true }) };
      const reply = await callTool(io, "git_push", args, pushResult);
      if (reply.outcome !== "done") return reply;
      const summary = `Pushed ${reply.result.branch || "the branch"} to ${reply.result.remote}.`;
      return done(summary, summary);
    },
  };
}
