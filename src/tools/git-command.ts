import { posix } from "node:path";
import { DragomanError } from "../core/errors.ts";
import type { ToolContext } from "../core/tool.ts";
import { gitEnvironment } from "./git-environment.ts";
import { judge, refuse } from "./git-judgement.ts";
import { placeQuestion } from "./git-place.ts";
import { type GitCall, type GitIO, type GitOutput, runGit, withoutCredentials } from "./git-process.ts";
import { always, asOptions, type Setting, safeguardsOf } from "./git-safeguards.ts";
import { realWorkspace } from "./workspace-path.ts";

const INTENT_TIMEOUT_MS = 30_000;
const LONGEST_MESSAGE = 2000;
const PREFIX_AT = placeQuestion.indexOf("--show-prefix") - 1;

interface CallOptions extends Pick<GitCall, "timeoutMs" | "maxOutput" | "show"> {
  /** Whether a remote may be called from a folder that is not trusted. */
  callsRemote?: boolean;
}

/**
 * git in one folder. In one that is not trusted, nothing that its configuration names is run, no other repository is shown, and no
 * remote is called unasked: one that holds back objects would be, to look at any of them.
 */
export class GitCommand {
  readonly workspace: string;
  readonly trusted: boolean;
  readonly #settings: Setting[];
  #prefix = "";
  readonly #io: GitIO;

  private constructor(workspace: string, trusted: boolean, settings: Setting[], io: GitIO) {
    this.workspace = workspace;
    this.trusted = trusted;
    this.#settings = settings;
    this.#io = io;
  }

  /** Fails where there is no repository. */
  static async open(context: ToolContext, given?: GitIO): Promise<GitCommand> {
    const workspace = await realWorkspace(context);
    const io = given ?? { signal: AbortSignal.timeout(INTENT_TIMEOUT_MS) };
    const own = context.trusted ? undefined : await safeguardsOf(workspace, io);
    const settings = [...always, ...(own?.settings ?? [])];
    const git = new GitCommand(workspace, context.trusted, settings, io);
    // A trusted one may do without a working tree.
    const { exitCode, stdout, stderr } = await git.try(own ? placeQuestion : placeQuestion.slice(0, -1));
    const verdict = own && (await judge(stdout, workspace, own.obeyed));
    if (verdict) refuse(verdict);
    git.#prefix = stdout.split("\n")[PREFIX_AT] ?? "";
    if (exitCode === 0) return git;
    if (!/not a git repository/i.test(stderr)) throw failure("rev-parse", stderr);
    throw new DragomanError("tool_failed", `${workspace} is not a git repository. Run git init in it first.`);
  }

  /** What git answers, whatever it is. */
  try(args: string[], { callsRemote = false, ...options }: CallOptions = {}): Promise<GitOutput> {
    return runGit({
      ...options,
      ...this.#io,
      args: ["--no-pager", "--no-optional-locks", "--literal-pathspecs", ...asOptions(this.#settings), ...args],
      cwd: this.workspace,
      env: { ...gitEnvironment(this.workspace), ...(this.trusted ? {} : secluded(callsRemote)) },
    });
  }

  /** Fails unless git succeeds, or there was more to read than is wanted. */
  async run(args: string[], options: CallOptions = {}): Promise<GitOutput> {
    const output = await this.try(args, options);
    if (output.exitCode === 0 || output.truncated) return output;
    const said = output.stderr || output.stdout;
    if (!this.trusted && /^warning: lazy fetching disabled|from promisor remote$/m.test(said)) throw heldBack();
    throw failure(args[0] ?? "", said);
  }

  async text(args: string[]): Promise<string> {
    return (await this.run(args)).stdout.replace(/\n$/, "");
  }

  /** A path as the workspace knows it: git counts from the top of the repository, which may be above. */
  fromWorkspace(path: string): string {
    return this.#prefix === "" ? path : posix.relative(this.#prefix, path) || ".";
  }

  /** The hash of what a revision means. Nothing that looks like an option gets this far. */
  async commitOf(revision: string): Promise<string> {
    refuseOption(revision, "revision");
    const { exitCode, stdout } = await this.try([
      "rev-parse",
      "--verify",
      "--quiet",
      "--end-of-options",
      `${revision}^{commit}`,
    ]);
    if (exitCode === 0) return stdout.trim();
    throw new DragomanError("tool_failed", `There is no commit "${revision}" here. Name a branch, a tag or a hash.`);
  }

  /** The branch that is checked out; nothing if none is. */
  async currentBranch(): Promise<string | undefined> {
    const { exitCode, stdout } = await this.try(["symbolic-ref", "--quiet", "--short", "HEAD"]);
    return exitCode === 0 ? stdout.trim() : undefined;
  }

  async checkBranchName(name: string): Promise<void> {
    refuseOption(name, "branch");
    const { exitCode } = await this.try(["check-ref-format", `refs/heads/${name}`]);
    if (exitCode !== 0 || name === "HEAD") {
      throw new DragomanError(
        "invalid_tool_args",
        `"${name}" cannot be the name of a branch. Use letters, digits, - and /.`,
      );
    }
  }
}

/** No setting of a repository's own has precedence over these, as `protocol.file.allow` has over `protocol.allow`. */
function secluded(callsRemote: boolean): Record<string, string> {
  return { GIT_NO_LAZY_FETCH: "1", ...(callsRemote ? {} : { GIT_ALLOW_PROTOCOL: "none" }) };
}

export function refuseOption(value: string, what: string): void {
  if (!value.startsWith("-")) return;
  throw new DragomanError(
    "invalid_tool_args",
    `The ${what} "${value}" begins with a dash, which git takes for an option.`,
  );
}

function heldBack(): DragomanError {
  const why = "Some of the repository's objects are still with its remote, which git may not call from here.";
  return new DragomanError("forbidden", `${why} Fetch them, or trust the folder; dragoman trust lifts this.`);
}

function failure(subcommand: string, said: string): DragomanError {
  const message = withoutCredentials(said).trim().slice(-LONGEST_MESSAGE);
  return new DragomanError("tool_failed", `git ${subcommand} failed: ${message || "it did not say why"}`);
}
