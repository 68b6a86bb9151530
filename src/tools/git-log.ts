import * as z from "zod";
import type { Tool } from "../core/tool.ts";
import { GitCommand } from "./git-command.ts";
import { targetOf } from "./workspace-path.ts";

const args = z.object({
  limit: z.int().min(1).max(500).default(20),
  path: z.string().min(1).optional(),
});
type Args = z.infer<typeof args>;

export interface Commit {
  hash: string;
  author: string;
  /** ISO 8601. */
  date: string;
  subject: string;
}

/** The latest first. A repository without commits has none. */
async function commitsOf({ limit, path }: Args, git: GitCommand): Promise<Commit[]> {
  const head = await git.try(["rev-parse", "--verify", "--quiet", "HEAD"]);
  if (head.exitCode !== 0) return [];
  // Signatures are not shown: checking one runs a program that the repository may name.
  const format = ["--no-show-signature", "--no-color", "-z", "--format=%h%x00%an%x00%aI%x00%s"];
  const { stdout } = await git.run(["log", `--max-count=${limit}`, ...format, "--", ...(path ? [path] : [])]);
  const fields = stdout.split("\0");
  const commits: Commit[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [hash = "", author = "", date = "", subject = ""] = fields.slice(at, at + 4);
    commits.push({ hash, author, date, subject });
  }
  return commits;
}

export const gitLog: Tool<Args> = {
  name: "git_log",
  description: "Lists the latest commits, of everything or of one file or folder.",
  kind: "read",
  risk: "read",
  args,
  intent: async ({ path }, context) => ({
    title: path === undefined ? "List the latest commits" : `List the latest commits of ${path}`,
    targets: path === undefined ? [] : [await targetOf(path, context, { writes: false })],
  }),
  run: async (given, context, io) => ({
    result: { commits: await commitsOf(given, await GitCommand.open(context, io)) },
  }),
};
