import { createHash } from "node:crypto";
import * as z from "zod";
import { DragomanError } from "../core/errors.ts";
import type { Intent, Tool, ToolContext } from "../core/tool.ts";
import { fieldsOf, textIn } from "./client-results.ts";
import { GitCommand, refuseOption } from "./git-command.ts";
import { withoutCredentials } from "./git-process.ts";

const PUSH_TIMEOUT_MS = 120_000;
const MAX_SHOWN = 20;

// The one who receives in a folder on this machine has hooks and a configuration of its own, which no setting of ours reaches: git takes
// ours out of its environment. So they are said in its own command: nothing is run there, checked out there, or fetched from there.
const PLAIN_RECEIVER = [
  "GIT_ALLOW_PROTOCOL=none GIT_NO_LAZY_FETCH=1 git",
  "-c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.alternateRefsCommand=true",
  "-c receive.denyCurrentBranch=refuse -c receive.autogc=false -c gc.auto=0 -c maintenance.auto=false receive-pack",
].join(" ");

const args = z.object({
  remote: z.string().min(1).max(200).default("origin"),
  branch: z.string().min(1).max(200).optional(),
  setUpstream: z.boolean().default(false),
});
type Args = z.infer<typeof args>;

interface Plan {
  branch: string;
  commit: string;
  addresses: string[];
}

async function plan({ remote, branch: wanted }: Args, git: GitCommand): Promise<Plan> {
  refuseOption(remote, "remote");
  const remotes = (await git.text(["remote"])).split("\n").filter((name) => name !== "");
  if (!remotes.includes(remote)) {
    const known = remotes.length > 0 ? `Choose one of: ${remotes.join(", ")}.` : "Add one with git remote add.";
    throw new DragomanError("tool_failed", `There is no remote "${remote}". ${known}`);
  }
  const branch = wanted ?? (await git.currentBranch());
  if (branch === undefined) throw new DragomanError("tool_failed", "No branch is checked out. Name the one to push.");
  await git.checkBranchName(branch);
  const commit = await git.commitOf(`refs/heads/${branch}`);
  const addresses = (await git.text(["remote", "get-url", "--push", "--all", remote])).split("\n");
  return { branch, commit, addresses };
}

async function intent(given: Args, context: ToolContext): Promise<Intent> {
  const git = await GitCommand.open(context);
  const { branch, commit, addresses } = await plan(given, git);
  const detail = [
    ...addresses.map((address) => `To ${withoutCredentials(address)}`),
    ...(await commitsToPush(given.remote, branch, commit, git)),
    ...(git.trusted || context.byClient
      ? []
      : ["The repository's hooks are not run, because the folder is not trusted."]),
  ].join("\n");
  const basis = createHash("sha256")
    .update(JSON.stringify([addresses, branch, commit]))
    .digest("hex");
  return { title: `Push ${branch} to ${given.remote}`, detail, targets: [], basis };
}

/** As far as is known here what the remote has. */
async function commitsToPush(remote: string, branch: string, commit: string, git: GitCommand): Promise<string[]> {
  const tracked = `refs/remotes/${remote}/${branch}`;
  const { exitCode } = await git.try(["show-ref", "--verify", "--quiet", tracked]);
  const range = exitCode === 0 ? [commit, `^${tracked}`] : [commit, "--not", `--remotes=${remote}`];
  const count = Number(await git.text(["rev-list", "--count", ...range, "--"]));
  if (count === 0) return ["Nothing new: the remote has all commits of it, as far as is known here."];
  const format = ["--no-show-signature", "--no-color", `--max-count=${MAX_SHOWN}`, "--format=  %h %s"];
  const lines = (await git.text(["log", ...format, ...range, "--"])).split("\n");
  const more = count > MAX_SHOWN ? [`  and ${count - MAX_SHOWN} more`] : [];
  return [count === 1 ? "1 commit:" : `${count} commits:`, ...lines, ...more];
}

const isOnThisMachine = (address: string) =>
  /^file:/i.test(address) || !/^([a-z][a-z0-9+.-]*:\/\/|[^/]+:)/i.test(address);

export const gitPush: Tool<Args> = {
  name: "git_push",
  description: "Sends the commits of a branch to a remote.",
  kind: "execute",
  risk: "publish",
  args,
  intent,
  async run(given, context, io) {
    const git = await GitCommand.open(context, io);
    const { branch, addresses } = await plan(given, git);
    const { remote, setUpstream } = given;
    const plain = git.trusted ? [] : ["--no-verify", "--no-signed", "--recurse-submodules=no"];
    const receiver = !git.trusted && addresses.some(isOnThisMachine) ? [`--receive-pack=${PLAIN_RECEIVER}`] : [];
    const options = [...plain, ...receiver, ...(setUpstream ? ["--set-upstream"] : [])];
    const refs = `refs/heads/${branch}:refs/heads/${branch}`;
    const pushed = await git.run(["push", ...options, "--", remote, refs], {
      timeoutMs: PUSH_TIMEOUT_MS,
      callsRemote: true,
      show: (text) => io.output(text),
    });
    const output = withoutCredentials(`${pushed.stdout}${pushed.stderr}`).trim();
    return { result: { remote, branch, output } };
  },
  client: async ({ remote, branch = "" }) => ({
    result: (given) => ({
      remote,
      branch,
      output: textIn(given) ?? "",
      ...fieldsOf(given, { branch: z.string(), output: z.string() }),
    }),
  }),
};
