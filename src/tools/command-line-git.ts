import { firstOperand } from "./command-line-options.ts";
import { each, type Program } from "./command-line-program.ts";

/** `ext::sh -c ...` is a remote, too: what stands before the two colons is a program. */
const remoteHelper = (words: readonly string[]) =>
  words.some((word) => /^[\w+.-]+::/.test(word)) ? "it can run a program to reach a remote" : undefined;

/** What is pushed to a folder runs the hooks that lie there; any name but these may be one. */
const otherReceiver = (words: readonly string[]) => {
  const remote = words[firstOperand(words).at];
  return remote === undefined || ["origin", "upstream"].includes(remote)
    ? undefined
    : "it can push to a folder with hooks";
};

const diff = ["--output", "--ext-diff", "--textconv", "--no-index", "--show-signature"];
const transfer = ["--upload-pack", "--receive-pack", "--exec", "--recurse-submodules"];

const clone = [...transfer, "-u", "-c", "--config", "--template", "--separate-git-dir"];

// An alias may be called like anything but these (and `whatchanged`, which git gives up), and may run anything. What is not listed here (config, submodule, bisect, difftool,
// filter-branch, apply ...) runs programs or sets which ones are run.
export const gitSubcommands: ReadonlyMap<string, Program> = new Map([
  ...each(
    `status branch tag add rm mv checkout switch restore reset clean stash remote worktree rev-parse rev-list ls-files
    ls-tree merge-base name-rev show-ref for-each-ref symbolic-ref describe cherry reflog count-objects check-ignore
    check-attr version shortlog commit`,
    { opaqueOptions: diff, check: remoteHelper },
  ),
  ...each("log diff show diff-tree diff-index diff-files range-diff blame annotate", {
    opaqueOptions: [...diff, "--contents"],
  }),
  ...each("grep", { opaqueOptions: [...diff, "-O", "--open-files-in-pager"] }),
  ...each("cat-file", { opaqueOptions: ["--textconv", "--filters"] }),
  ...each("format-patch", { opaqueOptions: [...diff, "-o", "--output-directory"] }),
  ...each("archive", { opaqueOptions: ["-o", "--output", "--exec", "--remote"] }),
  ...each("fetch ls-remote", { opaqueOptions: transfer, check: remoteHelper }),
  ...each("push", { opaqueOptions: transfer, check: (words) => remoteHelper(words) ?? otherReceiver(words) }),
  ...each("clone init", { opaqueOptions: clone, check: remoteHelper }),
  ...each("pull merge cherry-pick revert", { opaqueOptions: [...transfer, "-s", "--strategy"], check: remoteHelper }),
  ...each("rebase", { opaqueOptions: ["-x", "--exec", "-i", "--interactive", "-s", "--strategy", "--edit-todo"] }),
]);
