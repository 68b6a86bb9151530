import { relative, resolve } from "node:path";
import type { ToolKind } from "../../core/tool.ts";
import { shortTitle } from "../../tools/short-title.ts";

const known: Record<string, { kind: ToolKind; does: string; with: string }> = {
  bash: { kind: "execute", does: "Run", with: "command" },
  powershell: { kind: "execute", does: "Run", with: "command" },
  create: { kind: "edit", does: "Write", with: "path" },
  edit: { kind: "edit", does: "Change", with: "path" },
  apply_patch: { kind: "edit", does: "Change files", with: "" },
  str_replace_editor: { kind: "edit", does: "Change", with: "path" },
  view: { kind: "read", does: "Read", with: "path" },
  grep: { kind: "search", does: "Search for", with: "pattern" },
  rg: { kind: "search", does: "Search for", with: "pattern" },
  glob: { kind: "search", does: "Find", with: "pattern" },
  web_fetch: { kind: "fetch", does: "Fetch", with: "url" },
  task: { kind: "other", does: "Have an agent do this:", with: "description" },
  ask_user: { kind: "other", does: "Ask:", with: "question" },
};

/** What is told of a call of one of Copilot's own tools. */
export function aboutCall(tool: string, args: unknown, workspace: string) {
  const { kind = "other", does = "", with: field = "" } = known[tool] ?? {};
  return {
    tool,
    args,
    kind,
    title: does === "" ? undefined : shortTitle(`${does} ${fieldOf(args, field, workspace)}`),
  };
}

function fieldOf(args: unknown, field: string, workspace: string): string {
  const given: unknown = typeof args === "object" && args !== null ? Reflect.get(args, field) : undefined;
  if (typeof given !== "string") return "";
  return field === "path" ? shownPath(given, workspace) : given;
}

/** As the user knows it: from the workspace, if it is in there. */
export function shownPath(path: string, workspace: string): string {
  const inside = relative(workspace, resolve(workspace, path));
  return inside.startsWith("..") ? path : inside || ".";
}
