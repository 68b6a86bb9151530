import { lstat } from "node:fs/promises";
import * as z from "zod";
import type { Tool } from "../core/tool.ts";
import { executedTarget, intentToLook } from "./intended.ts";
import { type Entry, type EntryType, Walk } from "./walk.ts";
import { realWorkspace } from "./workspace-path.ts";

const args = z.object({
  path: z.string().min(1).default(".").describe("The folder, from the workspace or absolute."),
  depth: z.int().min(1).max(100).default(1).describe("How many folders deep to look."),
  limit: z.int().min(1).max(10_000).default(1000),
});

interface Listed {
  path: string;
  type: EntryType;
  bytes?: number;
}

export const list: Tool<z.infer<typeof args>> = {
  name: "list",
  description: "Lists what is in a folder, without what git ignores. Links are listed, not followed.",
  kind: "read",
  risk: "read",
  args,
  intent: (args, context) => intentToLook((path) => `List ${path}`, args, context),

  async run(args, context, io) {
    const target = await executedTarget(args, context, false);
    const walk = new Walk(target, await realWorkspace(context), io.signal, { depth: args.depth });
    const entries: Listed[] = [];
    let truncated = false;
    for await (const entry of walk.entries()) {
      truncated = entries.length === args.limit;
      if (truncated) break;
      entries.push(await listed(entry));
    }
    return { result: { path: target.path, entries, truncated: truncated || walk.incomplete } };
  },
};

async function listed({ path, type, real }: Entry): Promise<Listed> {
  if (type !== "file") return { path, type };
  const stats = await lstat(real).catch(() => undefined); // gone since its folder was read
  return { path, type, bytes: stats?.size };
}
