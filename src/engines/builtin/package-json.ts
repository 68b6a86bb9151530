import * as z from "zod";
import { type ActionIO, callTool } from "./action.ts";
import { readResult } from "./results.ts";

const strings = z.record(z.string(), z.string()).catch({});
const packageFile = z.object({
  name: z.string().optional().catch(undefined),
  version: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  scripts: strings,
  dependencies: strings,
  devDependencies: strings,
});
export type PackageFile = z.infer<typeof packageFile>;

/** Nothing, where it cannot be read: whoever runs npm will be told by it what is wrong with the file. */
export async function packageIn(io: ActionIO): Promise<PackageFile | undefined> {
  const reply = await callTool(io, "read", { path: "package.json" }, readResult);
  if (reply.outcome !== "done") return undefined;
  try {
    return packageFile.parse(JSON.parse(reply.result.content));
  } catch {
    return undefined;
  }
}

const LOCKS: [file: string, manager: string][] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lockb", "bun"],
  ["bun.lock", "bun"],
];

/** By its lock file. */
export function packageManager(files: Set<string>): string {
  return LOCKS.find(([file]) => files.has(file))?.[1] ?? "npm";
}
