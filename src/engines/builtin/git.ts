import { type Action, toolAction } from "./action.ts";
import { bulleted, code, count } from "./answer.ts";
import type { Family } from "./family.ts";
import { diff } from "./git-diff.ts";
import { COMMITS, log } from "./git-log.ts";
import { looksLikePath, pathIn } from "./paths.ts";
import { type StatusResult, statusResult } from "./results.ts";
import { ALL, type Found, SHOW, THE, WHAT_IS, wording } from "./wording.ts";

const CHANGED = "(?:changed|modified|edited|touched|uncommitted|unstaged|untracked|dirty)";
const CHANGES = "(?:changes|modifications|edits|work)";
const LOOK = `(?:list|check|${SHOW}|${WHAT_IS})`;

export const git: Family = {
  name: "git",
  can: "show git status, diff and log",
  examples: ["show git status", "show the diff of src/main.ts", "show the last 5 commits"],
  forms: [
    {
      pattern: wording`(?:${LOOK} )?${THE}(?:git |repo |repository |working tree )?status(?: of (?:the|this|my) (?:repo|repository|branch|working tree))?|git st|gst`,
      make: () => status(),
    },
    {
      pattern: wording`what(?: has|'s|s| have| did| all| is)?(?: i| we| you| files| been| just)* ${CHANGED}(?: (?:here|so far|since the last commit|in (?:the|this|my) (?:repo|repository|project|workspace|working tree)))?|what (?:did|have) (?:i|we) (?:change|changed|modify|edit|touch)`,
      make: () => status(),
    },
    {
      pattern: wording`(?:(?:which|what|list|any|are there any|are there|is there any|do (?:i|we) have any|do (?:i|we) have|${SHOW}) )?${ALL}(?:local |pending |current )?(?:(?:files (?:have |has |are |were |that (?:have |were |are )?)?(?:been )?${CHANGED})|${CHANGED} files|(?:uncommitted|unstaged|local|pending|open) ${CHANGES})(?: are there| do (?:we|i) have)?`,
      make: () => status(),
    },
    {
      pattern: wording`is (?:the |my |this )?(?:working (?:tree|copy|directory)|repo|repository|tree|workspace|git) (?:clean|dirty)`,
      make: () => status(),
    },
    {
      pattern: wording`(?:(?:${LOOK}|see|view|review) )?${THE}(?:git )?(?<staged>staged |cached )(?:diff|${CHANGES}|files)|git diff --(?:staged|cached)`,
      make: () => diff({ staged: true }),
    },
    {
      pattern: wording`(?:(?:${LOOK}|review) )?${ALL}(?:git )?(?:diff(?:erences?|s)?|${CHANGES})(?: (?:of|in|for|to|on|made (?:to|in)) (?:the )?(?:file )?(?<path>\S+))?`,
      make: (found) => diffOf(found),
    },
    { pattern: wording`git diff(?: --)? (?<path>\S+)|diff (?<path2>\S+)`, make: (found) => diffOf(found) },
    {
      pattern: wording`(?:(?:${LOOK} )?${ALL}(?:git )?(?:diff(?:erences?)?|changes) |compare |git diff )(?:(?:this|it|the (?:current )?branch|my branch|us|me|my changes) )?(?:against|with|to|from|since|vs\.?|versus|compared (?:to|with)|relative to|between (?:this|here|head) and) (?:the )?(?:branch )?(?<base>[\w./~^@-]+)(?: branch)?`,
      make: (found) => diff({ base: found.text("base") }),
    },
    {
      pattern: wording`(?:(?:${LOOK}) )?${ALL}(?:last|latest|recent|previous|newest|most recent) (?:(?<n>\d{1,4}|two|three|five|ten|few|couple(?: of)?) )?(?:git )?(?:commits|(?<one>commit))|(?:${LOOK} )?${THE}(?:git |commit )(?:log|history)(?: -n? ?(?<n2>\d{1,4}))?|(?:${LOOK} )(?:the )?(?:log|history|commits)|git log(?: --oneline)?(?: -n? ?(?<n3>\d{1,4}))?|what was (?:the )?(?:last|latest) (?<one2>commit)`,
      make: (found) => log({ most: numberIn(found) }),
    },
    {
      pattern: wording`(?:(?:${LOOK}) )?${THE}(?:git |commit )?(?:history|log|commits) (?:of|for|on|to) (?:the )?(?:file )?(?<path>\S+)|(?:who|when)(?: has| was| did)?(?: last)? (?:changed?|edited|touch(?:ed)?|wrote|written|modified|created?|added) (?:the )?(?:file )?(?<path2>\S+)(?: last)?|when was (?:the )?(?:file )?(?<path3>\S+) (?:last )?(?:changed|edited|touched|written|modified|created|added)(?: last)?`,
      make: (found) => {
        const name = ["path2", "path3"].find((one) => found.has(one)) ?? "path";
        const path = pathIn(found, name, { context: [] });
        return path === undefined ? undefined : log({ path, who: name !== "path" });
      },
    },
    {
      pattern: wording`(?:${SHOW} )?what(?: has|'s|s| have| did)?(?: i| we| you| been| just)* (?:changed?|modified|edited) (?:in|to|about) (?:the )?(?:file )?(?<path>\S+)`,
      make: (found) => diffOf(found),
    },
    { pattern: wording`diff|changes`, make: () => ({ ...diff({}), terse: true }) },
  ],
};

function status(): Action {
  return toolAction({
    name: "git_status",
    title: "Show git status",
    args: {},
    result: statusResult,
    answer: (result) => {
      const summary = statusSummary(result);
      const items = result.files.map(({ path, status: state }) => `${state} ${code(path)}`);
      return { text: result.clean ? summary : `${summary}\n\n${bulleted(items)}`, summary };
    },
  });
}

function statusSummary({ branch, upstream, ahead, behind, clean, files }: StatusResult): string {
  const on = branch.startsWith("(") ? "On no branch" : `On branch ${branch}`;
  const moves = [ahead > 0 ? `${ahead} ahead` : "", behind > 0 ? `${behind} behind` : ""].filter((one) => one !== "");
  const relation = upstream && moves.length > 0 ? ` (${moves.join(" and ")} of ${upstream})` : "";
  return `${on}${relation}: ${clean ? "nothing to commit, the working tree is clean" : `${count(files.length, "changed file")}`}.`;
}

function diffOf(found: Found): Action | undefined {
  const name = found.has("path2") ? "path2" : "path";
  if (!found.has(name)) return diff({});
  const text = found.text(name);
  if (/^(?:the|this|my)$/i.test(text)) return undefined;
  const path = found.literal(name) ? text : looksLikePath(text) ? text : undefined;
  return path === undefined ? undefined : diff({ paths: [path] });
}

const NUMBERS: Record<string, number> = { two: 2, three: 3, few: 5, couple: 2, "couple of": 2, five: 5, ten: 10 };

function numberIn(found: Found): number {
  const said = ["n", "n2", "n3"].map((name) => found.text(name)).find((text) => text !== "") ?? "";
  const isOne = found.has("one") || found.has("one2");
  return NUMBERS[said.toLowerCase()] ?? (Number(said) || (isOne ? 1 : COMMITS));
}
