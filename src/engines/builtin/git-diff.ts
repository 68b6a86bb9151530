import { type Action, type ActionEnd, type ActionIO, callTool, done } from "./action.ts";
import { bulleted, code, count, fenced } from "./answer.ts";
import { type DiffResult, diffResult, statusResult } from "./results.ts";

const MOST_DIFF_LINES = 300;
const MOST_NEW_FILES = 10;

interface Wanted {
  staged?: true;
  paths?: string[];
  base?: string;
}

export function diff(args: Wanted): Action {
  const of = args.paths ? ` of ${args.paths.join(", ")}` : args.base ? ` against ${args.base}` : "";
  return {
    name: "git_diff",
    title: `Show the ${args.staged ? "staged changes" : `diff${of}`}`,
    args: { ...args },
    run: async (io) => {
      const reply = await callTool(io, "git_diff", { ...args }, diffResult);
      if (reply.outcome !== "done") return reply;
      const isAll = Object.keys(args).length === 0;
      return told(reply.result, args.staged ? " staged" : "", of, isAll ? await newFiles(io) : []);
    },
  };
}

/** git's diff is silent about files that it does not know yet, which a person counts among the changes. */
async function newFiles(io: ActionIO): Promise<string[]> {
  const status = await callTool(io, "git_status", {}, statusResult);
  if (status.outcome !== "done") return [];
  return status.result.files.filter((file) => file.status === "untracked").map(({ path }) => path);
}

function told({ diff: text, files, truncated }: DiffResult, staged: string, of: string, added: string[]): ActionEnd {
  const names = added.slice(0, MOST_NEW_FILES).map(code).join(", ");
  const others = added.length > MOST_NEW_FILES ? ` and ${added.length - MOST_NEW_FILES} others` : "";
  const untracked = added.length > 0 ? `Not known to git yet: ${names}${others}.` : "";
  if (files.length === 0 && text === "") {
    const summary = `There are no${staged} changes${of}${untracked === "" ? "" : " in files that git knows"}.`;
    return done(untracked === "" ? summary : `${summary} ${untracked}`, summary);
  }
  const summary = `${count(files.length, "file")} changed${of}.`;
  const list = bulleted(files.map(({ path, added: plus, removed }) => `${code(path)} +${plus} -${removed}`));
  const lines = text.split("\n");
  const blocks = [summary, list, fenced(lines.slice(0, MOST_DIFF_LINES).join("\n"), "diff")];
  if (lines.length > MOST_DIFF_LINES || truncated) blocks.push("The diff is longer than what is shown here.");
  return done([...blocks, ...(untracked === "" ? [] : [untracked])].join("\n\n"), summary);
}
