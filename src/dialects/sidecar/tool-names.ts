// What our tools are called on this wire, and what is called otherwise in their arguments and results.

const wireNames = new Map([
  ["git_status", "git.status"],
  ["git_commit", "git.commit"],
  ["git_push", "git.push"],
  ["git_diff", "git.diff"],
  ["git_log", "git.log"],
  ["git_branches", "git.branches"],
  ["git_branch", "git.branch"],
  ["read", "fs.read"],
  ["list", "fs.list"],
  ["glob", "fs.glob"],
  ["search", "fs.search"],
  ["write", "fs.write"],
  ["edit", "fs.edit"],
  ["shell", "exec.run"],
]);

const coreNames = new Map([
  ...[...wireNames].map(([core, wire]) => [wire, core] as const),
  ["git.createBranch", "git_branch"] as const,
  ["git.switchBranch", "git_branch"] as const,
]);

interface WireCall {
  toolName: string;
  args: unknown;
}

/** A call as a plugin knows it. A tool that has no name of this wire has its own. */
export function wireCall(tool: string, args: unknown): WireCall {
  const branch = tool === "git_branch" ? branchCall(args) : undefined;
  return branch ?? { toolName: wireNames.get(tool) ?? tool, args };
}

const branchTools = new Map<unknown, string>([
  ["create", "git.createBranch"],
  ["switch", "git.switchBranch"],
]);

/** The wire has a tool for each of the actions. */
function branchCall(args: unknown): WireCall | undefined {
  if (!isObject(args)) return undefined;
  const { action, ...rest } = args;
  const toolName = branchTools.get(action);
  return toolName === undefined ? undefined : { toolName, args: rest };
}

/** The tool of ours that a name of the wire means. */
export function coreTool(toolName: string): string {
  return coreNames.get(toolName) ?? toolName;
}

/** A result of ours as the wire has it, where it has words of its own for it. */
export function wireResult(toolName: string, result: unknown): unknown {
  if (toolName !== "git.commit" || !isObject(result) || typeof result.hash !== "string") return result;
  return { commitSha: result.hash, message: result.subject, ...result };
}

/** What a plugin gave, with our words for what it says in those of the wire. */
export function coreResult(tool: string, result: unknown): unknown {
  if (tool !== "git_commit" || !isObject(result)) return result;
  const { commitSha, message } = result;
  return {
    ...(typeof commitSha === "string" && { hash: commitSha }),
    ...(typeof message === "string" && { subject: message.split("\n", 1)[0] }),
    ...result,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
