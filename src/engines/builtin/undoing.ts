import { type Action, toolAction, type Unclear } from "./action.ts";
import { code } from "./answer.ts";
import type { Family } from "./family.ts";
import { isIt, pathIn, shellWord } from "./paths.ts";
import { shellResult } from "./results.ts";
import { shellAnswer } from "./shell-answer.ts";
import { wording } from "./wording.ts";

const UNDO = "(?:undo|revert|discard|drop|reset|restore|throw away|roll back|rollback|get rid of)";
const CHANGES =
  "(?:(?:all )?(?:of )?(?:the |my |our |these |those )?(?:local |uncommitted |unstaged )?(?:changes|edits|modifications|work))";

/** What git takes back, gets or puts aside. Each is a command, so that it is seen and asked about as it is. */
export const undoing: Family = {
  name: "undoing",
  can: "discard changes, stash, pull",
  examples: ["discard the changes in src/main.ts", "undo the last commit", "pull"],
  forms: [
    {
      pattern: wording`${UNDO} (?:${CHANGES} (?:in|to|of|on) )?(?:the )?(?:file )?(?<path>\S+)`,
      make: (found, scene) => {
        if (/^(?:it|that|this)$/i.test(found.text("path"))) return NOTHING_KEPT;
        const path = pathIn(found, "path", scene);
        if (path === undefined || isIt(path)) return undefined;
        return byGit(
          `Discard the changes in ${path}`,
          `git restore -- ${shellWord(path)}`,
          `Discarded the changes in ${path}.`,
        );
      },
    },
    {
      pattern: wording`${UNDO} ${CHANGES}|${UNDO} everything`,
      make: () =>
        byGit(
          "Discard all changes",
          "git restore -- .",
          "Discarded the changes in all files that git knows; new files are still there.",
        ),
    },
    {
      pattern: wording`(?:undo|revert|uncommit|take back)(?: (?:the |my |our )?(?:last|latest|previous) commit)|uncommit`,
      make: () =>
        byGit(
          "Undo the last commit",
          "git reset --soft HEAD~1",
          "Undid the last commit. Its changes are staged, as they were before it.",
        ),
    },
    {
      pattern: wording`undo(?: (?:the |my |your )?(?:last |latest )?(?:change|edit|action|step|thing))?`,
      make: () => NOTHING_KEPT,
    },
    {
      pattern: wording`(?:git )?pull(?: (?:the )?(?:latest|newest|changes|latest changes|from (?:origin|the remote|remote|upstream)))*|(?:get|fetch) (?:the )?(?:latest|newest)(?: (?:changes|code|version|commits))?(?: from (?:origin|the remote|git))?`,
      make: () => byGit("Pull", "git pull --ff-only"),
    },
    {
      pattern: wording`(?:git )?stash(?: ${CHANGES}| it| everything| all)?`,
      make: () => byGit("Stash the changes", "git stash push"),
    },
    {
      pattern: wording`(?:git )?(?:unstash|stash pop|pop (?:the |my )?stash|apply (?:the |my )?stash)(?: ${CHANGES})?`,
      make: () => byGit("Bring back what was stashed", "git stash pop"),
    },
  ],
};

const NOTHING_KEPT: Unclear = {
  hint: `I keep no copies to go back to, but git may have one: ${code("discard the changes in <file>")}, or ${code("undo the last commit")}.`,
};

/** `summary`: what is said instead of its output, when it succeeded. */
function byGit(title: string, command: string, summary?: string): Action {
  return toolAction({
    name: "shell",
    title,
    args: { command },
    changes: true,
    result: shellResult,
    answer: (result) =>
      summary !== undefined && result.exitCode === 0 ? { text: summary, summary } : shellAnswer(command, result),
  });
}
