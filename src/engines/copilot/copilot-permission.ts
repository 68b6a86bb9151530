import type { PermissionRequest } from "@github/copilot-sdk";
import type { AgentAction } from "../agent-policy.ts";
import { shownPath } from "./copilot-own-tools.ts";

type Kind = PermissionRequest["kind"];
type RequestOf<K extends Kind> = Extract<PermissionRequest, { kind: K }>;

const LONGEST_DETAIL = 4000;

const actions: { [K in Kind]: (request: RequestOf<K>, workspace: string) => AgentAction } = {
  shell: ({ fullCommandText, resolvedWorkingDirectory }) => ({
    does: "run",
    command: fullCommandText,
    cwd: resolvedWorkingDirectory,
  }),
  write: ({ fileName, diff }, workspace) => ({ does: "write", paths: [fileName], diff: shownDiff(diff, workspace) }),
  read: ({ path }) => ({ does: "read", paths: [path] }),
  url: ({ url }) => ({ does: "fetch", url }),
  mcp: ({ serverName, toolName, args }) => other(`${serverName}/${withoutServer(toolName, serverName)}`, args),
  memory: ({ fact, subject }) => other("memory", [subject, fact].filter((text) => text).join(": ")),
  "custom-tool": ({ toolName, args }) => other(toolName, args),
  hook: ({ toolName, hookMessage, toolArgs }) => other(toolName, hookMessage ?? toolArgs),
  "extension-management": ({ operation, extensionName }) => other("extension", [operation, extensionName].join(" ")),
  "extension-permission-access": ({ extensionName, capabilities }) =>
    other("extension", `${extensionName} wants ${capabilities.join(", ")}`),
  "extension-env-access": ({ extensionName, environmentVariables }) =>
    other("extension", `${extensionName} wants ${environmentVariables.join(", ")}`),
  factory: ({ operation, name, description }) => other("factory", `${operation} ${name}: ${description}`),
};

/** What Copilot asks to be allowed, as our rules know it. What is new to us is asked about under its own name. */
export function actionOf(request: PermissionRequest, workspace: string): AgentAction {
  const known = actions[request.kind] as ((request: PermissionRequest, workspace: string) => AgentAction) | undefined;
  return known ? known(request, workspace) : other((request as { kind: string }).kind, request);
}

/** What of an action was said no to. */
export function shownAction(action: AgentAction, workspace: string): string {
  switch (action.does) {
    case "run":
      return `run ${action.command}`;
    case "write":
    case "read":
      return `${action.does} ${action.paths.map((path) => shownPath(path, workspace)).join(", ")}`;
    case "fetch":
      return `fetch ${action.url}`;
    case "other":
      return `use ${action.tool.slice(action.tool.indexOf(":") + 1)}`;
  }
}

const withoutServer = (tool: string, server: string) =>
  tool.startsWith(`${server}-`) ? tool.slice(server.length + 1) : tool;

/** Under a name that none of our tools has: a rule about `edit` or `shell` says nothing of what a server or an extension calls so. */
function other(name: string, about: unknown): AgentAction {
  const tool = `copilot:${name}`;
  const detail = typeof about === "string" ? about : JSON.stringify(about ?? {});
  return { does: "other", tool, detail: detail.slice(0, LONGEST_DETAIL).toWellFormed() };
}

/** Copilot names files by their whole paths. */
export function shownDiff(diff: string, workspace: string): string {
  return diff.replace(/^\n/, "").replaceAll(` a${workspace}/`, " a/").replaceAll(` b${workspace}/`, " b/");
}
