import { DragomanError } from "../core/errors.ts";
import { gitEnvironment } from "./git-environment.ts";
import { type GitIO, runGit } from "./git-process.ts";

/** A key of git's configuration and the value that it is given instead. */
export type Setting = [key: string, value: string];

export const asOptions = (settings: Setting[]) => settings.flatMap(([key, value]) => ["-c", `${key}=${value}`]);

/** For every repository: nothing in the background that would be killed half-way, nobody asked, no program to check signatures. */
export const always: Setting[] = [
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["log.showSignature", "false"],
];

// Hooks need no configuration to be run, the rest does, but is not worth looking for.
export const untrusted: Setting[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["protocol.ext.allow", "never"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["push.recurseSubmodules", "no"],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["push.gpgSign", "false"],
  // One that lies in the working tree came with the files, its configuration included.
  ["safe.bareRepository", "explicit"],
];

/** The keys whose value is a program, or leads git to write or send somewhere unseen, and what is harmless in their place. */
const harmless: [RegExp, string][] = [
  [/^core\.(sshcommand)$/, "ssh"],
  [/^core\.(editor|alternaterefscommand)$|^sequence\.editor$|^gc\.recentobjectshook$|^hook\..*\.command$/, "true"],
  [/^core\.pager$|^pager\.|^tar\..*\.command$/, "cat"],
  [/^core\.askpass$|^credential\.(.*\.)?helper$|^init\.templatedir$|^alias\./, ""],
  [/^core\.gitproxy$/, "none"],
  [/^filter\..*\.(clean|smudge|process)$/, ""],
  [/^filter\..*\.required$/, "false"],
  [/^diff\.(external|.*\.(command|textconv))$|^interactive\.difffilter$/, ""],
  [/^merge\..*\.driver$|^gpg\.(.*\.)?(program|defaultkeycommand)$|^trailer\..*\.(command|cmd)$/, "false"],
  [
    /^(difftool|mergetool|browser|man)\..*\.(cmd|path)$|^lfs\.(customtransfer\..*\.path|extension\..*\.(clean|smudge))$/,
    "false",
  ],
  [/^lfs\.(.*\.)?standalonetransferagent$|^(http\.(.*\.)?|remote\..*\.)proxy$|^http\.(.*\.)?cookiefile$/, ""],
  [/^http\.(.*\.)?savecookies$/, "false"],
  [/^http\.(.*\.)?sslverify$/, "true"],
  [/^remote\..*\.receivepack$/, "git-receive-pack"],
  [/^remote\..*\.uploadpack$/, "git-upload-pack"],
  [/^submodule\..*\.update$/, "none"],
];

/** What no value makes harmless; of includes those that come into force while git works. */
const refused = /^core\.worktree$|^remote\..*\.vcs$|^includeif\.(onbranch|hasconfig):/;

export interface Safeguards {
  /** What takes the place of everything in a folder's own configuration that would make git run a program. */
  settings: Setting[];
  /** The keys that git would obey nevertheless. */
  obeyed: string[];
}

export async function safeguardsOf(workspace: string, io: GitIO): Promise<Safeguards> {
  const { settings, obeyed } = await ownSettings(workspace, io);
  // As `key=value`, a key with `=` in it would be another one.
  const unsayable = settings.map(([key]) => key).filter((key) => key.includes("="));
  return { settings: [...untrusted, ...settings], obeyed: [...obeyed, ...unsayable] };
}

/** The same as variables, for git when it is called by a command that is not ours, in one of these folders. */
export async function safeguardVariables(folders: string[], io: GitIO): Promise<Record<string, string>> {
  const found = await Promise.all(folders.map((folder) => ownSettings(folder, io).catch(unlessUnreadable)));
  const settings = [...untrusted, ...found.flatMap((each) => each?.settings ?? [])];
  const pairs = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) };
}

/** One that git cannot read was told of before, when it was asked about the line. */
function unlessUnreadable(error: unknown): undefined {
  if (error instanceof DragomanError && error.code.startsWith("tool_")) return undefined;
  throw error;
}

/** What a folder's own configuration has to be made harmless, and what of it cannot be. */
export async function ownSettings(folder: string, io: GitIO): Promise<Safeguards> {
  const keys = await ownKeys(folder, io);
  const settings = keys.flatMap((key): Setting[] => {
    const value = harmless.find(([pattern]) => pattern.test(lowered(key)))?.[1];
    return value === undefined ? [] : [[key, value]];
  });
  return { settings, obeyed: keys.filter((key) => refused.test(lowered(key))) };
}

/** The keys that come from the folder itself. Listing them runs nothing. */
async function ownKeys(workspace: string, io: GitIO): Promise<string[]> {
  const args = ["config", "--list", "--includes", "--show-scope", "--name-only", "-z"];
  const listed = await runGit({ ...io, args, cwd: workspace, env: gitEnvironment(workspace) });
  if (listed.truncated)
    throw new DragomanError("tool_failed", "The repository's configuration is too large to be read.");
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
