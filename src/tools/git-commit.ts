import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { DragomanError } from "../core/errors.ts";
import { onOneLine } from "../core/policy.ts";
import type { Intent, Tool, ToolContext } from "../core/tool.ts";
import { fieldsOf } from "./client-results.ts";
import { GitCommand } from "./git-command.ts";
import { fitsSubject, messageFields, subjectOf, tooLongSubject } from "./git-commit-message.ts";
import { statusOf } from "./git-status.ts";
import { targetOf } from "./workspace-path.ts";

const COMMIT_TIMEOUT_MS = 300_000;
const MAX_SHOWN = 20;

const args = z
  .object({ ...messageFields, paths: z.array(z.string().min(1)).max(1000).optional(), all: z.boolean().default(false) })
  .refine(fitsSubject, tooLongSubject)
  .refine(({ paths, all }) => !(all && paths?.length), 'Give either "paths" or "all", not both.');
type Args = z.infer<typeof args>;

/** What would be in the commit. Fails if that is nothing, or if git does not know whose commit it is. */
async function plan({ paths = [], all }: Args, git: GitCommand): Promise<string[]> {
  await checkIdentity(git);
  await refuseSubmodules(git, all ? ["."] : paths);
  const files = all || paths.length > 0 ? await changed(git, all ? ["."] : paths) : await staged(git);
  if (files.length > 0) return files;
  if (paths.length > 0) throw nothing(`There are no changes in ${paths.join(", ")}.`);
  if (all) throw nothing("There are no changes in the workspace.");
  throw nothing('Nothing is staged. Name the "paths", or commit "all".');
}

const nothing = (why: string) => new DragomanError("tool_failed", `There is nothing to commit. ${why}`);

async function changed(git: GitCommand, paths: string[]): Promise<string[]> {
  return (await statusOf(git, paths)).files.map(({ path }) => path);
}

async function staged(git: GitCommand): Promise<string[]> {
  const names = await git.run(["diff", "--cached", "--name-only", "--no-ext-diff", "-z"]);
  return pathsIn(names.stdout, git);
}

function pathsIn(text: string, git: GitCommand): string[] {
  const names = text.split("\0").filter((name) => name !== "");
  return names.map((name) => git.fromWorkspace(name));
}

/** To look whether a submodule has changed, git goes into it, and there obeys another configuration. */
async function refuseSubmodules(git: GitCommand, paths: string[]): Promise<void> {
  if (git.trusted || paths.length === 0) return;
  const { stdout } = await git.run(["ls-files", "--stage", "-z", "--", ...paths]);
  const submodule = stdout.split("\0").find((entry) => entry.startsWith("160000 "));
  if (submodule === undefined) return;
  const name = submodule.slice(submodule.indexOf("\t") + 1);
  throw new DragomanError(
    "tool_failed",
    `${name} is a submodule with a configuration of its own. Name paths without it, or trust the folder.`,
  );
}

/** One that is guessed from the machine's name is nobody's. */
async function checkIdentity(git: GitCommand): Promise<void> {
  const { exitCode } = await git.try(["-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"]);
  if (exitCode === 0) return;
  const commands = 'git config --global user.name "Your Name" and git config --global user.email you@example.com';
  throw new DragomanError("tool_failed", `git does not know who you are. Run ${commands}, then commit again.`);
}

async function intent(given: Args, context: ToolContext): Promise<Intent> {
  const git = await GitCommand.open(context);
  const files = await plan(given, git);
  const subject = subjectOf(given);
  const more = files.length > MAX_SHOWN ? [`  and ${files.length - MAX_SHOWN} more`] : [];
  const detail = [
    subject,
    ...(given.body ? ["", given.body] : []),
    "",
    ...files.slice(0, MAX_SHOWN).map((file) => `  ${onOneLine(file)}`),
    ...more,
    ...(git.trusted || context.byClient
      ? []
      : ["", "The repository's hooks are not run, because the folder is not trusted."]),
  ].join("\n");
  const targets = await Promise.all((given.paths ?? []).map((path) => targetOf(path, context, { writes: false })));
  return { title: `Commit ${subject}`, detail, targets, basis: await basisOf(files, git) };
}

/** Changes when there is another commit in between, or other files, or one of them is written to. */
async function basisOf(files: string[], git: GitCommand): Promise<string> {
  const head = await git.try(["rev-parse", "--verify", "--quiet", "HEAD"]);
  const index = await git.run(["diff", "--cached", "--raw", "--no-ext-diff"]);
  const seen = await Promise.all(
    files.map(async (file) => {
      const stats = await lstat(join(git.workspace, file)).catch(() => undefined);
      return [file, stats?.size, stats?.mtimeMs];
    }),
  );
  return createHash("sha256")
    .update(JSON.stringify([head.stdout, index.stdout, seen]))
    .digest("hex");
}

export const gitCommit: Tool<Args> = {
  name: "git_commit",
  description: "Makes a commit with a conventional message: of the given paths, of all changes, or of what is staged.",
  kind: "execute",
  risk: "execute",
  args,
  intent,
  async run(given, context, io) {
    const git = await GitCommand.open(context, io);
    await plan(given, git);
    const { paths = [], all, body } = given;
    const subject = subjectOf(given);
    const chosen = all ? ["."] : paths;
    if (chosen.length > 0) await git.run(["add", "--all", "--", ...chosen]);
    const message = [`--message=${subject}`, ...(body ? [`--message=${body}`] : []), "--cleanup=whitespace"];
    const unhooked = git.trusted ? [] : ["--no-verify", "--no-gpg-sign"];
    // Only what was named: other files may have been staged before.
    const only = paths.length > 0 ? ["--only", "--", ...paths] : [];
    await git.run(["commit", "--quiet", ...message, ...unhooked, ...only], {
      timeoutMs: COMMIT_TIMEOUT_MS,
      show: (text) => io.output(text),
    });
    const hash = await git.text(["rev-parse", "HEAD"]);
    const names = await git.run(["diff-tree", "--no-commit-id", "--name-only", "--root", "-r", "-z", hash]);
    return { result: { hash, subject, files: pathsIn(names.stdout, git) } };
  },
  client: async (given) => ({
    result: (answer) => ({
      hash: "",
      subject: subjectOf(given),
      files: given.paths ?? [],
      ...fieldsOf(answer, { hash: z.string(), subject: z.string(), files: z.array(z.string()) }),
    }),
  }),
};
