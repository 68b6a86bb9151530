import { DragomanError } from "../core/errors.ts";
import { gitEnvironment } from "./git-environment.ts";
import { runGit } from "./git-process.ts";

/** A key of git's configuration and the value that it is given instead. */
export type Setting = [key: string, value: string];

/** For every repository: nothing in the background that would be killed half-way, nobody asked, no program to check signatures. */
export const always: Setting[] = [
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["log.showSignature", "false"],
];

// Hooks need no configuration to be run, the rest does, but is not worth looking for.
const untrusted: Setting[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["protocol.ext.allow", "never"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["push.recurseSubmodules", "no"],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["push.gpgSign", "false"],
];

/** The keys whose value is a program, and what is harmless in their place. */
const harmless: [RegExp, string][] = [
  [/^core\.(sshcommand)$/, "ssh"],
  [/^core\.(editor|alternaterefscommand)$|^sequence\.editor$/, "true"],
  [/^core\.pager$|^pager\./, "cat"],
  [/^core\.askpass$|^credential\.(.*\.)?helper$/, ""],
  [/^core\.gitproxy$/, "none"],
  [/^filter\..*\.(clean|smudge|process)$/, ""],
  [/^filter\..*\.required$/, "false"],
  [/^diff\.(external|.*\.(command|textconv))$|^interactive\.difffilter$/, ""],
  [/^merge\..*\.driver$|^gpg\.(.*\.)?(program|defaultkeycommand)$|^trailer\..*\.(command|cmd)$/, "false"],
  [/^remote\..*\.receivepack$/, "git-receive-pack"],
  [/^remote\..*\.uploadpack$/, "git-upload-pack"],
  [/^submodule\..*\.update$/, "none"],
];

/** What no value makes harmless. */
const refused = /^core\.worktree$|^remote\..*\.vcs$/;

/** What takes the place of everything in a folder's own configuration that would make git run a program. */
export async function safeguardsOf(workspace: string, signal: AbortSignal): Promise<Setting[]> {
  const found = (await ownKeys(workspace, signal)).flatMap((key): Setting[] => {
    const value = harmless.find(([pattern]) => pattern.test(lowered(key)))?.[1];
    const cannotBeSet = refused.test(lowered(key)) || (value !== undefined && /[=\n]/.test(key));
    if (cannotBeSet) {
      const why = `The repository's configuration has "${key}", which git would obey.`;
      throw new DragomanError("tool_failed", `${why} Look at it, and trust the folder if you want that.`);
    }
    return value === undefined ? [] : [[key, value]];
  });
  return [...untrusted, ...found];
}

/** The same as variables, as far as it goes, for git when it is called by a command that is not ours. */
export async function gitSafeguards(workspace: string, signal: AbortSignal): Promise<Record<string, string>> {
  const settings = await safeguardsOf(workspace, signal).catch(() => untrusted);
  const pairs = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}

/** The keys that come from the folder itself. Listing them runs nothing. */
async function ownKeys(workspace: string, signal: AbortSignal): Promise<string[]> {
  const args = ["config", "--list", "--includes", "--show-scope", "--name-only", "-z"];
  const listed = await runGit({ args, cwd: workspace, env: gitEnvironment(workspace), signal });
  // Without a repository there is nothing of its own; any other failure shows when git is really called.
  const parts = listed.exitCode === 0 ? listed.stdout.split("\0") : [];
  const keys = parts.flatMap((key, at) => {
    const isOwn = at % 2 === 1 && !["system", "global"].includes(parts[at - 1] ?? "");
    return isOwn ? [key] : [];
  });
  return [...new Set(keys)];
}

/** The names of sections and keys have no case, those in between have. */
function lowered(key: string): string {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
  return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}
