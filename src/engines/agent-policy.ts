import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import type { AgentCall } from "../core/engine.ts";
import { plainName, plainText } from "../core/plain-text.ts";
import type { Intent, Target, ToolContext } from "../core/tool.ts";
import { boundedDiff } from "../tools/file-diff.ts";
import { shell } from "../tools/shell.ts";
import { shortTitle } from "../tools/short-title.ts";
import { realWorkspace, targetOf } from "../tools/workspace-path.ts";

/** What an agent wants to do with a tool of its own. What is moved goes from the first path to the second. */
export type AgentAction =
  | { does: "run"; command: string; cwd?: string; description?: string }
  | { does: "write"; paths: string[]; diff?: string; how?: "delete" | "move" }
  | { does: "read"; paths: string[] }
  | { does: "fetch"; url: string }
  | { does: "other"; tool: string; args?: unknown; detail?: string };

type ActionOf<D extends AgentAction["does"]> = Extract<AgentAction, { does: D }>;
type Judged = Pick<AgentCall, "as" | "intent">;

/** More are not looked at one by one. */
const MOST_PATHS = 300;
const LONGEST_DETAIL = 4000;

/**
 * The action as our rules know it, so that what was allowed or denied holds whoever does it: a command is one of `shell`, a file that
 * is changed is one of `edit`, a new one of `write`. What it would do is told as far as the agent says it.
 */
export async function judgedAs(action: AgentAction, workspace: string, title?: string): Promise<Judged> {
  switch (action.does) {
    case "run":
      return { as: { name: "shell", risk: "execute" }, intent: (context) => intentToRun(action, context) };
    case "write":
      return judgedChange(action, workspace, title);
    case "read": {
      const { paths } = action;
      return {
        as: { name: "read", risk: "read" },
        intent: (context) => intentOn({ verb: "Read", paths, title }, context),
      };
    }
    case "fetch": {
      const url = plainName(action.url);
      return {
        as: { name: "fetch", risk: "execute" },
        intent: async () => ({ title: shortTitle(`Fetch ${url}`), detail: url, targets: [] }),
      };
    }
    case "other":
      return judgedByName(action, title);
  }
}

/** The action as arguments: what whoever is asked about it is shown, and says yes to. */
export function argsOf(action: AgentAction): unknown {
  if (action.does === "other") return action.args ?? {};
  const { does, ...about } = "paths" in action ? withPath(action) : action;
  return Object.fromEntries(Object.entries(about).filter(([field, value]) => field !== "diff" && value !== undefined));
}

function withPath({ paths, ...action }: ActionOf<"write" | "read">) {
  const [path, ...more] = paths;
  return more.length === 0 ? { ...action, path } : { ...action, paths };
}

/** A call that changes some files and makes others is more than a rule for new ones allows. */
async function judgedChange({ paths, diff, how }: ActionOf<"write">, workspace: string, title?: string) {
  const places = paths.slice(0, MOST_PATHS).map((path) => resolve(workspace, path));
  const isThere = how !== undefined || (await Promise.all(places.map(exists))).includes(true);
  const verb = how ? verbs[how] : isThere ? "Change" : "Write";
  const as = { name: isThere ? "edit" : "write", risk: "edit" } as const;
  return { as, intent: (context: ToolContext) => intentOn({ verb, paths, diff, title }, context) };
}

const verbs = { delete: "Delete", move: "Move" } as const;

function judgedByName({ tool, detail }: ActionOf<"other">, title?: string): Judged {
  const name = plainName(tool);
  const more = detail === undefined ? undefined : plainText(detail).slice(0, LONGEST_DETAIL).toWellFormed();
  const heading = shortTitle(title ?? `Use ${name}`);
  return { as: { name, risk: "execute" }, intent: async () => ({ title: heading, detail: more, targets: [] }) };
}

/** A folder that the command is run in is written into the line that is judged, for its paths mean something only from there. */
async function intentToRun({ command, cwd }: ActionOf<"run">, context: ToolContext): Promise<Intent> {
  const workspace = await realWorkspace(context);
  const folder = cwd === undefined ? "" : relative(workspace, resolve(workspace, cwd));
  if (folder === "") return shell.intent({ command, timeoutMs: 1 }, context);
  const place = isAbsolute(folder) || folder.startsWith("..") ? resolve(workspace, folder) : folder;
  return shell.intent({ command: `cd '${place.replaceAll("'", "'\\''")}' && ${command}`, timeoutMs: 1 }, context);
}

interface OnFiles {
  verb: "Read" | "Write" | "Change" | "Delete" | "Move";
  paths: string[];
  diff?: string;
  title?: string;
}

async function intentOn({ verb, paths, diff, title }: OnFiles, context: ToolContext): Promise<Intent> {
  const writes = verb !== "Read";
  const targets = await Promise.all(paths.slice(0, MOST_PATHS).map((path) => targetOf(path, context, { writes })));
  const unseen: Target[] = paths.length > MOST_PATHS ? [everywhere(writes)] : [];
  const [first] = targets;
  const names = targets.map(({ path }) => plainName(path));
  return {
    title: shortTitle(first ? `${verb} ${shownNames(names, paths.length, verb)}` : (title ?? `${verb} files`)),
    detail: names.length > 1 ? names.join("\n") : undefined,
    targets: [...targets, ...(first ? unseen : [everywhere(writes)])],
    path: first?.path,
    diff: diff === undefined ? undefined : boundedDiff(diff),
    basis: diff === undefined ? undefined : createHash("sha256").update(diff).digest("hex"),
  };
}

function shownNames([first, second]: string[], count: number, verb: OnFiles["verb"]): string {
  if (verb === "Move" && count === 2) return `${first} to ${second}`;
  return count > 1 ? `${first} and ${count - 1} more` : `${first}`;
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
