import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DragomanError } from "../../core/errors.ts";
import type { GitRepository } from "./git-repository.ts";
import { said } from "./git-run.ts";

const LONGEST_MESSAGE = 10_000;
const NOBODY = { name: "Dragoman", email: "dragoman@localhost" };

export interface CommitFile {
  /** From the workspace. */
  path: string;
  content: string;
  /** What git has it as; a plain file, if not said. */
  mode?: string;
}

/** One entry of an index. */
export interface IndexEntry {
  /** From the top of the repository. */
  path: string;
  mode: string;
  blob: string;
}

export interface BuiltCommit {
  entries: IndexEntry[];
  /** The new commit; the one it was to be put upon, where nothing would differ from that. */
  commit?: string;
  changed: boolean;
}

/** Variables that say whose commit it is. */
export type Identity = Record<string, string>;

/** Makes the objects of a commit. No branch, no index and no file of the working tree is touched. */
export async function buildCommit(
  repository: GitRepository,
  base: string | undefined,
  files: readonly CommitFile[],
  message: string,
  identity: Identity,
): Promise<BuiltCommit> {
  const entries: IndexEntry[] = [];
  for (const { path, content, mode = "100644" } of files) {
    entries.push({ path: repository.fromTop(path), mode, blob: await repository.blobOf(content, { write: true }) });
  }
  const tree = await treeWith(repository, base, entries);
  if (base !== undefined && (await repository.text(["rev-parse", "--verify", `${base}^{tree}`])) === tree) {
    return { entries, commit: base, changed: false };
  }
  const parent = base === undefined ? [] : ["-p", base];
  const args = ["commit-tree", "--no-gpg-sign", ...parent, "-F", "-", tree];
  const commit = await repository.text(args, { input: messageText(message), env: identity });
  return { entries, commit, changed: true };
}

async function treeWith(repository: GitRepository, base: string | undefined, entries: IndexEntry[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "dragoman-index-"));
  try {
    const env = { GIT_INDEX_FILE: join(folder, "index") };
    if (base !== undefined) await repository.run(["read-tree", base], { env });
    await enterInto(repository, env.GIT_INDEX_FILE, entries);
    return await repository.text(["write-tree"], { env });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Puts entries into an index file, and leaves all others as they are. */
export async function enterInto(repository: GitRepository, index: string, entries: IndexEntry[]): Promise<void> {
  const infos = entries.flatMap(({ mode, blob, path }) => ["--cacheinfo", `${mode},${blob},${path}`]);
  const options = { env: { GIT_INDEX_FILE: index } };
  // Not by --index-info, which would put a document in the place of whatever is in its way.
  const { exitCode, stderr } = await repository.try(["update-index", "--add", ...infos], options);
  if (exitCode === 0) return;
  if (/both a file and (as )?a directory|cannot add to the index/i.test(stderr)) {
    const paths = entries.map(({ path }) => path).join(", ");
    throw new DragomanError(
      "tool_failed",
      `In git, something is in the way of ${paths}: a file where a folder must be, or the reverse. Rename it.`,
    );
  }
  throw new DragomanError("tool_failed", `git update-index failed: ${said(stderr)}`);
}

function messageText(message: string): string {
  const text = message.replaceAll("\0", "").trim().slice(0, LONGEST_MESSAGE).toWellFormed();
  return `${text || "Save documents"}\n`;
}

/** The author is whoever it is done for, the committer whoever git knows here. One guessed from the machine's name is nobody. */
export async function identityFor(repository: GitRepository, by: string | undefined): Promise<Identity> {
  const author = by === undefined ? undefined : personIn(by);
  const knows = async (variable: string) =>
    (await repository.try(["-c", "user.useConfigOnly=true", "var", variable])).exitCode === 0;
  const who = author ?? ((await knows("GIT_AUTHOR_IDENT")) ? undefined : NOBODY);
  const committer = (await knows("GIT_COMMITTER_IDENT")) ? undefined : NOBODY;
  return {
    ...(who ? { GIT_AUTHOR_NAME: who.name, GIT_AUTHOR_EMAIL: who.email } : {}),
    ...(committer ? { GIT_COMMITTER_NAME: committer.name, GIT_COMMITTER_EMAIL: committer.email } : {}),
  };
}

/** Of `Name <address>`, or of a name alone. */
export function personIn(by: string): { name: string; email: string } {
  const [name = "", address = ""] = by.slice(0, 300).split("<");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const plain = (text: string) => text.replace(/[\u0000-\u001f\u007f<>]+/g, " ").trim();
  return { name: plain(name) || NOBODY.name, email: plain(address.split(">")[0] ?? "") || NOBODY.email };
}
