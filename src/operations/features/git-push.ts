import { asDragomanError } from "../../core/errors.ts";
import type { Saved, SaveOptions } from "./feature-store.ts";
import type { GitRepository } from "./git-repository.ts";
import { said } from "./git-run.ts";

/** Less than it takes until a request that nobody answers is given up: whoever saves is told that it is saved. */
const PUSH_TIMEOUT_MS = 25_000;

/** Keys of a repository's own configuration that make git run nothing and send nothing elsewhere. */
const harmless =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|quotepath|hookspath|fsmonitor|splitindex|untrackedcache|worktree)|remote\..*\.(url|pushurl|fetch|tagopt|prune)|branch\..*|user\.(name|email)|push\.(default|autosetupremote)|pull\..*|init\.defaultbranch|submodule\..*\.(url|active)|extensions\.(worktreeconfig|objectformat)|gc\..*|gui\..*|color\..*|commit\.gpgsign|advice\..*)$/s;

/**
 * The one who receives in a folder on this machine has hooks and a configuration of its own, which no setting of ours reaches: git takes
 * ours out of its environment. So they are said in its own command: nothing is run there, checked out there, or fetched from there.
 */
const PLAIN_RECEIVER = [
  "GIT_ALLOW_PROTOCOL=none GIT_NO_LAZY_FETCH=1 git",
  "-c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.alternateRefsCommand=true",
  "-c receive.denyCurrentBranch=refuse -c receive.autogc=false -c gc.auto=0 -c maintenance.auto=false receive-pack",
].join(" ");

/** No others: what git does not know it looks for as a program. Those on this machine once the folder is trusted. */
const PROTOCOLS = "https:http:ssh:git";

const isOnThisMachine = (address: string) =>
  /^file:/i.test(address) || !/^([a-z][a-z0-9+.-]*:\/\/|[^/]+:)/i.test(address);

type PushResult = Pick<Saved, "pushed" | "warning">;
type PushOptions = Pick<SaveOptions, "supervise" | "onKill">;

/** Sends the feature's branch to the remote, never by force. What goes wrong is told: the commit stays as it is. */
export async function pushFeature(
  repository: GitRepository,
  feature: string,
  remote: string,
  trusted: boolean,
  options: PushOptions,
): Promise<PushResult> {
  try {
    const refusal = await refusalOf(repository, remote, trusted);
    const why = refusal ?? (await push(repository, feature, remote, trusted, options));
    if (why === undefined) return { pushed: true };
    return { pushed: false, warning: `Saved on the branch ${feature}, but not pushed: ${why}` };
  } catch (error) {
    const why = `${asDragomanError(error).message} ${byHand(feature, remote)}`;
    return { pushed: false, warning: `Saved on the branch ${feature}, but not pushed: ${why}` };
  }
}

const byHand = (feature: string, remote: string) => `To send it: git push ${remote} ${feature}`;

/** Why it is not even tried, and what to do. */
async function refusalOf(repository: GitRepository, remote: string, trusted: boolean): Promise<string | undefined> {
  const remotes = (await repository.text(["remote"])).split("\n");
  if (!remotes.includes(remote)) {
    return `there is no remote "${remote}". Add it: git remote add ${remote} <address>`;
  }
  const odd = trusted ? undefined : await oddKey(repository);
  if (odd !== undefined) {
    const advice = "Look at it, then trust the folder: dragoman trust";
    return `the repository's configuration has "${odd}", which git would obey. ${advice}`;
  }
  const addresses = await addressesOf(repository, remote);
  const here = addresses.filter(isOnThisMachine);
  if (here.length > 0 && !trusted) {
    const advice = "Look at where it leads, then trust the folder: dragoman trust";
    return `${remote} leads to a folder on this machine, whose configuration git would obey. ${advice}`;
  }
  if (here.length > 0 && here.length < addresses.length) {
    return `${remote} leads to this machine and elsewhere at once. Make two remotes of it, or push it yourself.`;
  }
  return undefined;
}

async function addressesOf(repository: GitRepository, remote: string): Promise<string[]> {
  return (await repository.text(["remote", "get-url", "--push", "--all", remote])).split("\n");
}

/** What went wrong, and what to do; nothing where it is sent. */
async function push(
  repository: GitRepository,
  feature: string,
  remote: string,
  trusted: boolean,
  options: PushOptions,
): Promise<string | undefined> {
  const receiver = await receiverOf(repository, remote);
  const refs = `refs/heads/${feature}:refs/heads/${feature}`;
  const plain = ["--no-verify", "--no-signed", "--recurse-submodules=no", "--no-follow-tags", "--porcelain"];
  const { exitCode, stdout, stderr } = await repository.try(["push", ...plain, ...receiver, "--", remote, refs], {
    ...options,
    env: { GIT_ALLOW_PROTOCOL: trusted ? `${PROTOCOLS}:file` : PROTOCOLS },
    timeoutMs: PUSH_TIMEOUT_MS,
  });
  if (exitCode === 0) return undefined;
  if (/\[rejected\]/.test(stdout.toString("utf8"))) {
    const advice = `Take them over first: git fetch ${remote}, then merge or rebase ${feature}`;
    return `${remote} has commits that are not here. ${advice}`;
  }
  return `${said(stderr)}. ${byHand(feature, remote)}`;
}

/** A program that the repository itself names is one that was trusted with it. */
async function receiverOf(repository: GitRepository, remote: string): Promise<string[]> {
  const isNamed = (await repository.try(["config", "--get", `remote.${remote}.receivepack`])).exitCode === 0;
  const isHere = (await addressesOf(repository, remote)).some(isOnThisMachine);
  return isHere && !isNamed ? [`--receive-pack=${PLAIN_RECEIVER}`] : [];
}

/** One that comes from the repository itself and that may not be harmless. */
async function oddKey(repository: GitRepository): Promise<string | undefined> {
  const listed = await repository.run(["config", "--list", "--includes", "--show-scope", "--name-only", "-z"]);
  const parts = listed.toString("utf8").split("\0");
  return parts.find((key, at) => {
    const isOwn = at % 2 === 1 && !["system", "global", "command"].includes(parts[at - 1] ?? "");
    return isOwn && !harmless.test(key);
  });
}
