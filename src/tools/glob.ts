import { stat } from "node:fs/promises";
import * as z from "zod";
import type { Tool } from "../core/tool.ts";
import { executedTarget, intentToLook } from "./intended.ts";
import { pathGlob } from "./path-glob.ts";
import { type Entry, Walk } from "./walk.ts";
import { realWorkspace } from "./workspace-path.ts";

const args = z.object({
  pattern: z.string().min(1).max(1000).describe("Such as src/**/*.ts or *.{js,json}, from the folder."),
  path: z.string().min(1).default(".").describe("The folder to look in, from the workspace or absolute."),
  limit: z.int().min(1).max(10_000).default(1000),
});

const BATCH = 500;

export const glob: Tool<z.infer<typeof args>> = {
  name: "glob",
  description: "Finds files by their paths, at any depth with **, without what git ignores.",
  kind: "search",
  risk: "read",
  args,

  async intent(args, context) {
    pathGlob(args.pattern);
    return intentToLook((path) => `Find ${args.pattern}${path === "." ? "" : ` in ${path}`}`, args, context);
  },

  async run(args, context, io) {
    const matching = pathGlob(args.pattern);
    const target = await executedTarget(args, context, false);
    const walk = new Walk(target, await realWorkspace(context), io.signal);
    const files: string[] = [];
    for await (const batch of batches(walk.entries())) {
      // One more than is given, to know whether there are more.
      const found = matching(
        batch.map(({ below }) => below),
        args.limit + 1 - files.length,
      );
      files.push(...found.map(({ index }) => batch[index]?.path ?? ""));
      if (files.length > args.limit) break;
    }
    const truncated = files.length > args.limit || walk.incomplete;
    return { result: { files: files.slice(0, args.limit), truncated } };
  },
};

async function* batches(entries: AsyncIterable<Entry>): AsyncGenerator<Entry[]> {
  let batch: Entry[] = [];
  for await (const entry of entries) {
    if (await isFile(entry)) batch.push(entry);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** A link to a file is one as well. */
async function isFile({ type, real }: Entry): Promise<boolean> {
  if (type !== "symlink") return type === "file";
  const stats = await stat(real).catch(() => undefined);
  return stats?.isFile() ?? false;
}
