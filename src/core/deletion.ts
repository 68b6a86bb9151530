// What takes something away for good. It is asked about whatever a client allows for its own runs.

const deleters = new Set(["rm", "rmdir", "unlink", "shred", "truncate", "srm", "wipe", "del", "rd"]);

type Words = readonly string[];

const isFlag = (word: string, letters: RegExp, names: readonly string[]) =>
  names.some((name) => word === name || word.startsWith(`${name}=`)) ||
  (/^-[A-Za-z]+$/.test(word) && letters.test(word));

const has = (words: Words, letters: RegExp, names: readonly string[]) =>
  words.some((word) => isFlag(word, letters, names));

const NO_LETTER = /$^/;

/** The subcommands of git that throw work away, some of them only with certain words. */
const gitDeleters: Record<string, (words: Words) => boolean> = {
  clean: () => true,
  rm: () => true,
  restore: () => true,
  checkout: (words) => words.includes("--") || words.includes(".") || has(words, /[fB]/, ["--force"]),
  switch: (words) => has(words, /[fC]/, ["--force", "--discard-changes", "--force-create"]),
  reset: (words) => has(words, NO_LETTER, ["--hard", "--merge", "--keep"]),
  stash: (words) => words.includes("drop") || words.includes("clear"),
  branch: (words) => has(words, /[dDfM]/, ["--delete", "--force"]),
  tag: (words) => has(words, /[df]/, ["--delete", "--force"]),
  worktree: (words) => words.includes("remove") || words.includes("prune"),
  reflog: (words) => words.includes("delete") || words.includes("expire"),
  "update-ref": () => true,
  "filter-branch": () => true,
  gc: () => true,
  prune: () => true,
  push: isForcePush,
};

/** It changes or removes what the remote has: by an option, or by how the branch is written. */
function isForcePush(words: Words): boolean {
  const names = ["--force", "--force-with-lease", "--force-if-includes", "--delete", "--mirror", "--prune"];
  return has(words, /[fd]/, names) || words.some((word) => /^[+:]/.test(word));
}

/** The words after git's own options, which come before the subcommand. */
function gitCommand(words: Words): Words {
  const withValue = new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"]);
  let at = 1;
  while (words[at]?.startsWith("-")) at += withValue.has(words[at] ?? "") ? 2 : 1;
  return words.slice(at);
}

/** Whether a simple command deletes, or overwrites what others have, as far as its words tell. */
export function isDeletion(words: Words): boolean {
  const program = (words[0] ?? "").split(/[/\\]/).at(-1) ?? "";
  if (deleters.has(program)) return true;
  if (program !== "git") return false;
  const [subcommand = "", ...rest] = gitCommand(words);
  return gitDeleters[subcommand]?.(rest) ?? false;
}
