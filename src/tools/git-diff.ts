import * as z from "zod";
import type { Tool } from "../core/tool.ts";
import { GitCommand } from "./git-command.ts";
import { targetOf } from "./workspace-path.ts";

const MAX_DIFF = 256 * 1024;
const MAX_FILES = 1000;

const args = z.object({
  staged: z.boolean().default(false),
  paths: z.array(z.string().min(1)).max(1000).default([]),
  base: z.string().min(1).max(200).optional(),
});
type Args = z.infer<typeof args>;

interface FileChange {
  path: string;
  added: number;
  removed: number;
}

async function run({ staged, paths, base }: Args, git: GitCommand) {
  const commit = base === undefined ? [] : [await git.commitOf(base)];
  const plain = git.trusted ? [] : ["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"];
  const of = [
    ...plain,
    "--no-color",
    "--relative",
    ...(staged ? ["--cached"] : []),
    ...commit,
    "--",
    ...(paths.length ? paths : ["."]),
  ];
  const counts = await git.run(["diff", "--numstat", "-z", ...of]);
  const diff = await git.run(["diff", ...of], { maxOutput: MAX_DIFF });
  const files = parseNumstat(counts.stdout);
  const truncated = diff.truncated || counts.truncated || files.length > MAX_FILES;
  const shown = diff.truncated ? diff.stdout.slice(0, diff.stdout.lastIndexOf("\n") + 1) : diff.stdout;
  return { diff: shown, files: files.slice(0, MAX_FILES), truncated };
}

/** `added TAB removed TAB path NUL`; of a renamed file the path is empty and both names follow. Binary files have no numbers. */
export function parseNumstat(text: string): FileChange[] {
  const fields = text.split("\0").slice(0, -1);
  const files: FileChange[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const [added = "", removed = "", ...name] = (fields[at] ?? "").split("\t");
    let path = name.join("\t");
    if (path === "") {
      at += 2;
      path = fields[at] ?? "";
    }
    files.push({ path, added: Number(added) || 0, removed: Number(removed) || 0 });
  }
  return files;
}

export const gitDiff: Tool<Args> = {
  name: "git_diff",
  description: "Shows what has changed: in the working folder, staged for the next commit, or since another commit.",
  kind: "read",
  risk: "read",
  args,
  async intent({ staged, paths, base }, context) {
    const targets = await Promise.all(paths.map((path) => targetOf(path, context, { writes: false })));
    const of = staged ? "staged changes" : "changes";
    return { title: base === undefined ? `Show the ${of}` : `Show the ${of} since ${base}`, targets };
  },
  run: async (given, context, io) => ({ result: await run(given, await GitCommand.open(context, io)) }),
};
