import type { PermissionRequest } from "@github/copilot-sdk";
import { plainName } from "../../core/plain-text.ts";
import { shortTitle } from "../../tools/short-title.ts";
import type { AgentAction } from "../agent-policy.ts";
import { changedFile, shownDiff } from "./copilot-diff.ts";
import { shownPath } from "./copilot-own-tools.ts";

type Kind = PermissionRequest["kind"];
type RequestOf<K extends Kind> = Extract<PermissionRequest, { kind: K }>;

const actions: { [K in Kind]: (request: RequestOf<K>, workspace: string) => AgentAction } = {
  shell: ({ fullCommandText, resolvedWorkingDirectory, intention }) => ({
    does: "run",
    command: fullCommandText,
    cwd: resolvedWorkingDirectory,
    description: intention,
  }),
  write: changeOf,
  read: ({ path }) => ({ does: "read", paths: [path] }),
  url: ({ url }) => ({ does: "fetch", url }),
  mcp: ({ serverName, toolName, args }) => other(`${serverName}/${withoutServer(toolName, serverName)}`, args),
  memory: ({ fact, subject }) => other("memory", { subject, fact }, [subject, fact].filter((text) => text).join(": ")),
  "custom-tool": ({ toolName, args }) => other(toolName, args),
  hook: ({ toolName, hookMessage, toolArgs }) => other(toolName, toolArgs, hookMessage),
  "extension-management": ({ operation, extensionName }) =>
    other("extension", { operation, extensionName }, `${operation} ${extensionName}`),
  "extension-permission-access": ({ extensionName, capabilities }) =>
    other("extension", { extensionName, capabilities }, `${extensionName} wants ${capabilities.join(", ")}`),
  "extension-env-access": ({ extensionName, environmentVariables }) =>
    other(
      "extension",
      { extensionName, environmentVariables },
      `${extensionName} wants ${environmentVariables.join(", ")}`,
    ),
  factory: ({ operation, name, description }) =>
    other("factory", { operation, name, description }, `${operation} ${name}: ${description}`),
};

/** Where it would move a file from, and that it would delete it, Copilot says in the diff alone. */
function changeOf({ fileName, diff }: RequestOf<"write">, workspace: string): AgentAction {
  const shown = shownDiff(diff, workspace) ?? (diff.trim() || undefined);
  const { from, to } = changedFile(diff) ?? {};
  if (from !== undefined && to === undefined) {
    return { does: "write", paths: [...new Set([from, fileName])], diff: shown, how: "delete" };
  }
  if (from !== undefined && from !== to) return { does: "write", paths: [from, fileName], diff: shown, how: "move" };
  return { does: "write", paths: [fileName], diff: shown };
}

/** What Copilot asks to be allowed, as our rules know it. What is new to us is asked about under its own name. */
export function actionOf(request: PermissionRequest, workspace: string): AgentAction {
  const known = actions[request.kind] as ((request: PermissionRequest, workspace: string) => AgentAction) | undefined;
  return known ? known(request, workspace) : other((request as { kind: string }).kind, request);
}

/** What of an action was said no to. */
export const shownAction = (action: AgentAction, workspace: string) => shortTitle(wordsFor(action, workspace));

function wordsFor(action: AgentAction, workspace: string): string {
  switch (action.does) {
    case "run":
      return `run ${action.command}`;
    case "write":
    case "read": {
      const how = "how" in action ? action.how : undefined;
      const paths = action.paths.map((path) => plainName(shownPath(path, workspace)));
      return `${how ?? action.does} ${paths.join(how === "move" ? " to " : ", ")}`;
    }
    case "fetch":
      return `fetch ${action.url}`;
    case "other":
      return `use ${action.tool.slice(action.tool.indexOf(":") + 1)}`;
  }
}

const withoutServer = (tool: string, server: string) =>
  tool.startsWith(`${server}-`) ? tool.slice(server.length + 1) : tool;

/** Under a name that none of our tools has: a rule about `edit` or `shell` says nothing of what a server or an extension calls so. */
function other(name: string, about: unknown, detail?: string): AgentAction {
  const args = about ?? {};
  const said = detail ?? (typeof args === "string" ? args : JSON.stringify(args));
  return { does: "other", tool: `copilot:${name}`, args, detail: said };
}
