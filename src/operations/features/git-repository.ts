import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DragomanError } from "../../core/errors.ts";
import { type DocumentName, documentLimits } from "../documents.ts";
import { etagOf, fileNames, textIn, tooLarge, unknownOutcome } from "./document-content.ts";
import { pathIn } from "./document-files.ts";
import type { StoredDocument } from "./feature-store.ts";
import type { GitPlace } from "./git-place.ts";
import { type GitAnswer, type GitCall, runGit, said, tryGit } from "./git-run.ts";

/** A document as a commit has it. */
export interface TreeDocument extends StoredDocument {
  mode: string;
  blob: string;
}

interface TreeEntry {
  /** From the workspace. */
  path: string;
  mode: string;
  blob: string;
  size: number;
}

export interface BranchFacts {
  /** The commit that the feature's branch is at; nothing where there is no such branch. */
  tip?: string;
  /** The working tree in which it is checked out. */
  worktree?: string;
  /** The commit at which the remote had it when it was last asked. */
  remoteTip?: string;
  /** A branch below it, which makes one of this name impossible. */
  below?: string;
}

type CallOptions = Omit<GitCall, "cwd" | "args" | "signal">;

/** git in one repository. */
export class GitRepository {
  readonly place: GitPlace;
  readonly #signal?: AbortSignal;

  constructor(place: GitPlace, signal?: AbortSignal) {
    this.place = place;
    this.#signal = signal;
  }

  /** The same for what must not stop half-way. */
  uninterrupted(): GitRepository {
    return new GitRepository(this.place);
  }

  try(args: string[], options: CallOptions = {}): Promise<GitAnswer> {
    return tryGit({ ...options, cwd: this.place.workspace, args, signal: this.#signal });
  }

  run(args: string[], options: CallOptions = {}): Promise<Buffer> {
    return runGit({ ...options, cwd: this.place.workspace, args, signal: this.#signal });
  }

  async text(args: string[], options: CallOptions = {}): Promise<string> {
    return (await this.run(args, options)).toString("utf8").replace(/\n$/, "");
  }

  /** A path from the workspace as git says it, from the top. */
  fromTop(path: string): string {
    return `${this.place.prefix}${path}`;
  }

  /** The ref that HEAD is; nothing if none is checked out. */
  headRef(): Promise<string | undefined> {
    return this.#maybe(["symbolic-ref", "--quiet", "HEAD"]);
  }

  /** Nothing before the first commit. */
  headCommit(): Promise<string | undefined> {
    return this.#maybe(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  }

  /** Of a question to which 1 means no: whatever else goes wrong is no answer. */
  async #maybe(args: string[]): Promise<string | undefined> {
    const { exitCode, stdout, stderr } = await this.try(args);
    if (exitCode === 0) return stdout.toString("utf8").trim();
    if (exitCode === 1) return undefined;
    throw new DragomanError("tool_failed", `git ${args[0]} failed: ${said(stderr)}`);
  }

  /** The branch that the remote had as its own when it was cloned, by its name alone. */
  async defaultBranch(remote: string): Promise<string | undefined> {
    const prefix = `refs/remotes/${remote}/`;
    const ref = await this.#maybe(["symbolic-ref", "--quiet", `${prefix}HEAD`]);
    return ref?.startsWith(prefix) ? ref.slice(prefix.length) : undefined;
  }

  async branch(feature: string, remote: string): Promise<BranchFacts> {
    const [local, remotes] = [`refs/heads/${feature}`, `refs/remotes/${remote}/${feature}`];
    const format = "--format=%(refname)%00%(objectname)%00%(worktreepath)";
    const lines = (await this.text(["for-each-ref", "--count=50", format, local, remotes])).split("\n");
    const facts: BranchFacts = {};
    for (const [ref, commit, worktree] of lines.map((line) => line.split("\0"))) {
      if (ref === local) facts.tip = commit;
      if (ref === local && worktree && (await isThere(worktree))) facts.worktree = worktree;
      if (ref === remotes) facts.remoteTip = commit;
      if (ref?.startsWith(`${local}/`)) facts.below = ref.slice("refs/heads/".length);
    }
    return facts;
  }

  /** Whether a rebase or a bisection will come back to the branch, and move it from under whatever was put upon it. */
  async isBeingRebased(feature: string): Promise<boolean> {
    const files = ["rebase-merge/head-name", "rebase-apply/head-name"].map((name) => join(this.place.gitDir, name));
    const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
    return texts.some((text) => text.trim() === `refs/heads/${feature}`);
  }

  /** The documents that a commit has in a folder. Paths are from the workspace. */
  async documentsAt(commit: string, folder: string, names: readonly DocumentName[]): Promise<TreeDocument[]> {
    const wanted = names.map((name) => ({ name, paths: fileNames[name].map((file) => pathIn(folder, file)) }));
    const entries = await this.#entriesAt(
      commit,
      wanted.flatMap(({ paths }) => paths),
    );
    const found = wanted.flatMap(({ name, paths }) => {
      const [first] = paths.flatMap((path) => entries.get(path) ?? []);
      return first ? [{ name, ...first }] : [];
    });
    return Promise.all(found.map((one) => this.#document(one)));
  }

  /** What git has files as. */
  async modesAt(commit: string, paths: string[]): Promise<Map<string, string>> {
    const entries = await this.#entriesAt(commit, paths);
    return new Map([...entries].flatMap(([path, { mode }]) => (mode.startsWith("100") ? [[path, mode]] : [])));
  }

  async hasFolderAt(commit: string, folder: string): Promise<boolean> {
    return (await this.#entriesAt(commit, [folder])).get(folder)?.mode === "040000";
  }

  async blobAt(commit: string, path: string): Promise<string | undefined> {
    return (await this.#entriesAt(commit, [path])).get(path)?.blob;
  }

  async #entriesAt(commit: string, paths: string[]): Promise<Map<string, TreeEntry>> {
    if (paths.length === 0) return new Map();
    const args = ["ls-tree", "-z", "-l", "--full-tree", commit, "--", ...paths.map((path) => this.fromTop(path))];
    const lines = (await this.run(args)).toString("utf8").split("\0");
    const entries = lines.flatMap((line): [string, TreeEntry][] => {
      const tab = line.indexOf("\t");
      const [mode, , blob, size] = line.slice(0, Math.max(tab, 0)).split(/ +/);
      if (!mode || !blob) return [];
      const path = line.slice(tab + 1 + this.place.prefix.length);
      return [[path, { path, mode, blob, size: Number(size) }]];
    });
    return new Map(entries);
  }

  async #document({ name, path, mode, blob, size }: TreeEntry & { name: DocumentName }): Promise<TreeDocument> {
    if (mode === "120000")
      throw new DragomanError("forbidden", `${path} is a link in git. Put the document itself there.`);
    if (!mode.startsWith("100")) throw new DragomanError("tool_failed", `${path} is no file in git. Rename it.`);
    if (size > documentLimits[name]) throw tooLarge(name, path);
    const content = textIn(await this.run(["cat-file", "blob", blob]), name, path);
    return { name, path, content, etag: etagOf(content), mode, blob };
  }

  /** As it is, without the filters that the repository may name. */
  async blobOf(content: string, { write }: { write: boolean }): Promise<string> {
    return this.text(["hash-object", ...(write ? ["-w"] : []), "--stdin"], { input: content });
  }

  /** Whether the file ever had this content on the way to a commit. */
  async hasKnown(commit: string, path: string, blob: string): Promise<boolean> {
    if ((await this.#maybe(["cat-file", "-e", blob])) === undefined) return false;
    const options = ["-1", "--format=%H", "--no-ext-diff", "--no-textconv", `--find-object=${blob}`];
    return (await this.text(["log", ...options, commit, "--", path])) !== "";
  }

  /**
   * Moves a branch, if it still is where it was; `false` if it is not, or someone holds it. With no `from` it is made, with no `to`
   * it is taken away.
   */
  async moveBranch(feature: string, from: string | undefined, to: string | undefined, why: string): Promise<boolean> {
    const ref = `refs/heads/${feature}`;
    const zero = "0".repeat((to ?? from ?? "").length);
    const args = to === undefined ? ["-d", ref, from ?? zero] : ["-m", why, ref, to, from ?? zero];
    const { exitCode, stderr } = await this.#moveRef(feature, to, args);
    if (exitCode === 0) return true;
    if (/is at [0-9a-f]+ but expected|already exists|unable to resolve reference|File exists/i.test(stderr))
      return false;
    throw new DragomanError("tool_failed", `The branch ${feature} cannot be written: ${said(stderr)}`);
  }

  /** One that was stopped half-way may have moved it. */
  async #moveRef(
    feature: string,
    to: string | undefined,
    args: string[],
  ): Promise<Pick<GitAnswer, "exitCode" | "stderr">> {
    const answer = await this.try(["update-ref", ...args]).catch((error) => {
      if (error instanceof DragomanError && error.code === "timeout") return { exitCode: null, stderr: error.message };
      throw error;
    });
    if (answer.exitCode !== null) return answer;
    const ref = ["show-ref", "--verify", "--hash", `refs/heads/${feature}`];
    const tip = await this.try(ref).catch((error) => {
      throw unknownOutcome(feature, error);
    });
    // 128 is its answer where there is none, too.
    const isThere = tip.exitCode === 0;
    if (!isThere && !/not a valid ref/i.test(tip.stderr)) throw unknownOutcome(feature, said(tip.stderr));
    const isMoved = isThere ? tip.stdout.toString("utf8").trim() === to : to === undefined;
    return isMoved ? { exitCode: 0, stderr: "" } : answer;
  }
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
