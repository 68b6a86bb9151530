import { stat } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import type { AgentCall } from "../core/engine.ts";
import type { Intent, Target, ToolContext } from "../core/tool.ts";
import { shell } from "../tools/shell.ts";
import { shortTitle } from "../tools/short-title.ts";
import { realWorkspace, targetOf } from "../tools/workspace-path.ts";

/** What an agent wants to do with a tool of its own. */
export type AgentAction =
  | { does: "run"; command: string; cwd?: string }
  | { does: "write"; paths: string[]; diff?: string }
  | { does: "read"; paths: string[] }
  | { does: "fetch"; url: string }
  | { does: "other"; tool: string; detail?: string };

type Judged = Pick<AgentCall, "as" | "intent">;

/** More are not looked at one by one. */
const MOST_PATHS = 300;

/**
 * The action as our rules know it, so that what was allowed or denied holds whoever does it: a command is one of `shell`, a file that
 * is changed is one of `edit`, a new one of `write`. What it would do is told as far as the agent says it.
 */
export async function judgedAs(action: AgentAction, workspace: string, title?: string): Promise<Judged> {
  switch (action.does) {
    case "run":
      return { as: { name: "shell", risk: "execute" }, intent: (context) => intentToRun(action, context) };
    case "write": {
      const isThere = await exists(resolve(workspace, action.paths[0] ?? "."));
      const [name, verb] = isThere ? ["edit", "Change"] : ["write", "Write"];
      const { paths, diff } = action;
      return { as: { name, risk: "edit" }, intent: (context) => intentOn({ verb, paths, diff, title }, context) };
    }
    case "read": {
      const { paths } = action;
      return {
        as: { name: "read", risk: "read" },
        intent: (context) => intentOn({ verb: "Read", paths, title }, context),
      };
    }
    case "fetch": {
      const fetching = shortTitle(`Fetch ${action.url}`);
      return {
        as: { name: "fetch", risk: "execute" },
        intent: async () => ({ title: fetching, detail: action.url, targets: [] }),
      };
    }
    case "other": {
      const { tool, detail } = action;
      return {
        as: { name: tool, risk: "execute" },
        intent: async () => ({ title: shortTitle(title ?? `Use ${tool}`), detail, targets: [] }),
      };
    }
  }
}

/** A folder that the command is run in is written into the line that is judged, for its paths mean something only from there. */
async function intentToRun({ command, cwd }: { command: string; cwd?: string }, context: ToolContext): Promise<Intent> {
  const workspace = await realWorkspace(context);
  const folder = cwd === undefined ? "" : relative(workspace, resolve(workspace, cwd));
  if (folder === "") return shell.intent({ command, timeoutMs: 1 }, context);
  const place = isAbsolute(folder) || folder.startsWith("..") ? resolve(workspace, folder) : folder;
  return shell.intent({ command: `cd '${place.replaceAll("'", "'\\''")}' && ${command}`, timeoutMs: 1 }, context);
}

interface OnFiles {
  verb: string;
  paths: string[];
  diff?: string;
  title?: string;
}

async function intentOn({ verb, paths, diff, title }: OnFiles, context: ToolContext): Promise<Intent> {
  const writes = verb !== "Read";
  const targets = await Promise.all(paths.slice(0, MOST_PATHS).map((path) => targetOf(path, context, { writes })));
  const unseen: Target[] = paths.length > MOST_PATHS ? [everywhere(writes)] : [];
  const [first] = targets;
  const more = paths.length > 1 ? ` and ${paths.length - 1} more` : "";
  return {
    title: shortTitle(first ? `${verb} ${first.path}${more}` : (title ?? `${verb} files`)),
    detail: paths.length > 1 ? targets.map(({ path }) => path).join("\n") : undefined,
    targets: [...targets, ...(first ? unseen : [everywhere(writes)])],
    path: first?.path,
    diff,
  };
}

/** Where it is not known what would be touched, it may be anything. */
const everywhere = (writes: boolean): Target => ({
  path: "files that are not named",
  real: "/",
  outside: true,
  control: false,
  writes,
});

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
