import { type Action, type Said, toolAction } from "./action.ts";
import { bulleted, code, count } from "./answer.ts";
import { type Commit, logResult } from "./results.ts";

export const COMMITS = 20;
/** The tool gives no more. */
const MOST_COMMITS = 500;

interface Wanted {
  most?: number;
  path?: string;
  /** It was asked who it was. */
  who?: boolean;
}

export function log({ most = COMMITS, path, who = false }: Wanted): Action {
  const of = path === undefined ? "" : ` of ${path}`;
  return toolAction({
    name: "git_log",
    title: most === 1 ? `Show the last commit${of}` : `Show the last ${count(most, "commit")}${of}`,
    args: { limit: Math.min(Math.max(most, 1), MOST_COMMITS), ...(path === undefined ? {} : { path }) },
    result: logResult,
    answer: ({ commits }): Said => {
      const [latest] = commits;
      if (!latest) {
        const summary = path === undefined ? "There are no commits yet." : `No commit has changed ${path}.`;
        return { text: summary, summary };
      }
      const by = `${latest.author} on ${dayOf(latest)}`;
      if (most === 1) return said(`The last commit${of} is by ${by}.`, commits);
      if (who) return said(`${path} was last changed by ${by}.`, commits);
      if (commits.length === 1) return said(`Here is the only commit${of}.`, commits);
      const which = commits.length < most ? "all" : "the last";
      return said(`Here are ${which} ${count(commits.length, "commit")}${of}, the latest first.`, commits);
    },
  });
}

function said(summary: string, commits: Commit[]): Said {
  const items = commits.map((commit) => {
    const { hash, subject, author } = commit;
    return `${code(hash)} ${code(subject)} (${author}, ${dayOf(commit)})`;
  });
  return { text: `${summary}\n\n${bulleted(items, { most: MOST_COMMITS })}`, summary };
}

const dayOf = ({ date }: Commit) => date.slice(0, 10);
