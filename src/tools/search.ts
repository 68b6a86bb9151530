import { stat } from "node:fs/promises";
import { basename } from "node:path";
import * as z from "zod";
import type { Target, Tool } from "../core/tool.ts";
import { boundedRegex } from "./bounded-regex.ts";
import { FileSearch } from "./file-search.ts";
import { executedTarget, intentToLook } from "./intended.ts";
import { pathGlob } from "./path-glob.ts";
import { searchExpression } from "./search-expression.ts";
import { type Entry, Walk } from "./walk.ts";
import { realWorkspace } from "./workspace-path.ts";

const args = z.object({
  query: z.string().min(1).max(10_000),
  regex: z.boolean().default(false).describe("Whether the query is a JavaScript regular expression."),
  caseSensitive: z.boolean().default(false),
  wholeWord: z.boolean().default(false),
  path: z.string().min(1).default(".").describe("The folder or file to search, from the workspace or absolute."),
  glob: z.string().min(1).max(1000).optional().describe("Only files like this, such as *.ts or src/**/*.md."),
  limit: z.int().min(1).max(10_000).default(200),
});
const SHOWN_QUERY = 80;
type Args = z.infer<typeof args>;

export const search: Tool<Args> = {
  name: "search",
  description:
    "Finds the lines with a text or a regular expression in the files of a folder, without what git ignores.",
  kind: "search",
  risk: "read",
  args,

  async intent(args, context) {
    checked(args);
    const query = args.query.length > SHOWN_QUERY ? `${args.query.slice(0, SHOWN_QUERY)}...` : args.query;
    return intentToLook((path) => `Search for ${query}${path === "." ? "" : ` in ${path}`}`, args, context);
  },

  async run(args, context, io) {
    const { expression, fits } = checked(args);
    const target = await executedTarget(args, context, false);
    const walk = new Walk(target, await realWorkspace(context), io.signal);
    const search = new FileSearch(boundedRegex(expression), args.limit, io.signal);
    for await (const entry of await filesOf(target, walk)) {
      if (entry.type !== "file" || !fits(entry.below)) continue;
      if (!(await search.file(entry))) break;
    }
    const { matches, filesSearched, incomplete } = search;
    return { result: { matches, filesSearched, truncated: incomplete || walk.incomplete } };
  },
};

/** Fails for what cannot be searched for. */
function checked(args: Args) {
  const expression = searchExpression(args);
  if (args.glob === undefined) return { expression, fits: () => true };
  // As with ignore files, a pattern without a slash is about a name, wherever it is.
  const matching = pathGlob(args.glob.includes("/") ? args.glob : `**/${args.glob}`);
  return { expression, fits: (path: string) => matching([path], 1).length > 0 };
}

async function filesOf(target: Target, walk: Walk): Promise<AsyncIterable<Entry> | Iterable<Entry>> {
  const stats = await stat(target.real).catch(() => undefined);
  if (!stats?.isFile()) return walk.entries();
  return [{ path: target.path, below: basename(target.real), real: target.real, type: "file" }];
}
