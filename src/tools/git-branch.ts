import * as z from "zod";
import { DragomanError } from "../core/errors.ts";
import type { Intent, Target, Tool, ToolContext } from "../core/tool.ts";
import { fieldsOf } from "./client-results.ts";
import { branchesOf } from "./git-branches.ts";
import { GitCommand } from "./git-command.ts";
import { targetOf } from "./workspace-path.ts";

const MAX_SHOWN = 10;

const args = z.object({
  action: z.enum(["create", "switch"]),
  name: z.string().min(1).max(200),
  from: z.string().min(1).max(200).optional(),
});
type Args = z.infer<typeof args>;

/** The commit that will be checked out; nothing if the one that is there stays. */
async function check({ action, name, from }: Args, git: GitCommand): Promise<string | undefined> {
  await git.checkBranchName(name);
  const { current, branches } = await branchesOf(git);
  if (action === "switch") {
    if (from !== undefined)
      throw new DragomanError("invalid_tool_args", 'Only a new branch has a "from". Leave it out.');
    if (branches.includes(name)) return git.commitOf(`refs/heads/${name}`);
    const known = branches.slice(0, MAX_SHOWN).join(", ") || "none";
    throw new DragomanError("tool_failed", `There is no branch "${name}". Create it, or choose one of: ${known}.`);
  }
  if (branches.includes(name) || current === name) {
    throw new DragomanError("conflict", `There is a branch "${name}" already. Switch to it, or choose another name.`);
  }
  return from === undefined ? undefined : git.commitOf(from);
}

async function intent(given: Args, context: ToolContext): Promise<Intent> {
  const git = await GitCommand.open(context);
  const commit = await check(given, git);
  const { action, name, from } = given;
  const title = action === "create" ? `Create the branch ${name}` : `Switch to the branch ${name}`;
  return {
    title,
    ...(from === undefined ? {} : { detail: `from ${from}` }),
    targets: commit ? await controlFilesIn(commit, git, context) : [],
    ...(commit ? { basis: commit } : {}),
  };
}

/** A branch brings its own files with it, and among them may be those that decide what is allowed. */
async function controlFilesIn(commit: string, git: GitCommand, context: ToolContext): Promise<Target[]> {
  const submodules = git.trusted ? [] : ["--ignore-submodules=all"];
  const diff = await git.run([
    "diff",
    "--name-only",
    "--relative",
    "--no-ext-diff",
    "-z",
    ...submodules,
    commit,
    "--",
    ".",
  ]);
  const suspicious = diff.stdout.split("\0").filter((path) => /(^|\/)(\.git|\.agents|dragoman)/i.test(path));
  const targets = await Promise.all(suspicious.map((path) => targetOf(path, context, { writes: true })));
  return targets.filter(({ control }) => control);
}

export const gitBranch: Tool<Args> = {
  name: "git_branch",
  description: "Creates a branch and switches to it, or switches to one that is there.",
  kind: "edit",
  risk: "edit",
  args,
  intent,
  async run(given, context, io) {
    const git = await GitCommand.open(context, io);
    const commit = await check(given, git);
    const { action, name } = given;
    const create = action === "create" ? ["--no-track", "--create", name, ...(commit ? [commit] : [])] : [name];
    await git.run(["switch", "--quiet", "--no-guess", "--no-recurse-submodules", ...create], {
      show: (text) => io.output(text),
    });
    return { result: await branchesOf(git) };
  },
  client: async ({ name }) => ({
    result: (given) => ({
      current: name,
      branches: [name],
      ...fieldsOf(given, { current: z.string(), branches: z.array(z.string()) }),
    }),
  }),
};
