import * as z from "zod";
import type { Tool } from "../core/tool.ts";
import { GitCommand } from "./git-command.ts";
import { parseStatus, type RepositoryStatus } from "./git-status-format.ts";

const args = z.object({});

/** Of the workspace, not of the repository around it. A submodule has a configuration of its own. */
export async function statusOf(git: GitCommand, paths: string[] = ["."]): Promise<RepositoryStatus> {
  const submodules = git.trusted ? [] : ["--ignore-submodules=all"];
  const format = ["--porcelain=v2", "--branch", "--untracked-files=all", "-z"];
  const { stdout, truncated } = await git.run(["status", ...format, ...submodules, "--", ...paths]);
  const status = parseStatus(stdout, truncated);
  return { ...status, files: status.files.map((file) => ({ ...file, path: git.fromWorkspace(file.path) })) };
}

export const gitStatus: Tool<z.infer<typeof args>> = {
  name: "git_status",
  description: "Shows the branch and the changed files of the workspace.",
  kind: "read",
  risk: "read",
  args,
  intent: async () => ({ title: "Show the git status", targets: [] }),
  run: async (_, context, io) => ({ result: await statusOf(await GitCommand.open(context, io)) }),
  client: async () => ({ result: (given) => clientStatus.safeParse(given).data }),
};

/** Of one that is told in another form we would not know whether there is anything to commit. */
const clientStatus = z.looseObject({
  branch: z.string(),
  ahead: z.number().default(0),
  behind: z.number().default(0),
  clean: z.boolean(),
  files: z.array(z.looseObject({ path: z.string(), status: z.string() })),
});
