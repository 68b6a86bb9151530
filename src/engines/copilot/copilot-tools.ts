import type { Tool, ToolResultObject } from "@github/copilot-sdk";
import type { OfferedTool } from "../../core/engine.ts";
import type { ToolReply } from "../../core/tool.ts";

/** Tools of Copilot's own that do what a tool of the client does in their place. */
const counterparts: Record<string, string[]> = {
  shell: ["bash", "powershell"].flatMap((name) => [
    name,
    ...["read", "write", "stop", "list"].map((one) => `${one}_${name}`),
  ]),
  write: ["create", "apply_patch", "str_replace_editor"],
  edit: ["edit", "apply_patch", "str_replace_editor"],
  read: ["view"],
  search: ["grep", "rg"],
  glob: ["glob"],
};

export interface ClientTools {
  /** Their names as Copilot knows them. */
  names: ReadonlySet<string>;
  /** The same for the same tools: a session is made for those that there are. */
  key: string;
  config: { tools: Tool[]; excludedTools: string[] };
}

/** What the client of the session runs in our place, as tools of Copilot. The policy is ours, so Copilot asks nobody about them. */
export function clientTools(
  offered: readonly OfferedTool[],
  use: (name: string, args: unknown) => Promise<ToolResultObject>,
): ClientTools {
  const named = new Map(offered.map((tool) => [agentName(tool.name), tool]));
  const tools = [...named].map(
    ([name, tool]): Tool => ({
      name,
      description: tool.description,
      parameters: tool.parameters,
      handler: (args) => use(tool.name, args),
      overridesBuiltInTool: true,
      skipPermission: true,
      defer: "never",
    }),
  );
  const replaced = offered.flatMap(({ name }) => counterparts[name] ?? []);
  const excludedTools = [...new Set(replaced)].filter((name) => !named.has(name)).map((name) => `builtin:${name}`);
  return { names: new Set(named.keys()), key: JSON.stringify(offered), config: { tools, excludedTools } };
}

/** Copilot takes letters, digits, `_` and `-`. */
const agentName = (name: string) => name.replace(/[^a-zA-Z0-9_-]/g, "_");

/** How such a call went, for the model. */
export function resultFor(reply: ToolReply): ToolResultObject {
  if (reply.outcome === "done") return { textResultForLlm: textOf(reply.result), resultType: "success" };
  const resultType = reply.outcome === "denied" ? "rejected" : "failure";
  return { textResultForLlm: reply.message, resultType, error: reply.message };
}

const textOf = (result: unknown) => (typeof result === "string" ? result : JSON.stringify(result ?? null));
