import * as z from "zod";
import { DragomanError } from "../../../core/errors.ts";
import type { Event } from "../../../core/events.ts";
import { findLast, foldStart } from "../../../core/landmarks.ts";
import { type Caller, may } from "../../../core/roles.ts";
import type { Store } from "../../../core/store.ts";
import type { AnyTool } from "../../../core/tool.ts";
import { exportedEvent } from "../../exported-event.ts";
import { isoTime } from "../../iso-time.ts";
import { todosOf } from "../index.ts";
import type { Desk } from "./desk.ts";
import type { UiHandlers, Unhurried } from "./handlers.ts";
import type { Services } from "./services.ts";

type Reserved = Pick<
  UiHandlers,
  | "artifact.list"
  | "artifact.read"
  | "workspace.list"
  | "workspace.read"
  | "workspace.search"
  | "history.export"
  | "todos.list"
>;

const EXPORT_PAGE = 500;
const LARGEST_EXPORT_PAGE = 512 * 1024;

/** The namespaces that the document reserves. */
export function reservedHandlers(
  services: Services,
  desk: Desk,
  unhurried: Unhurried,
  caller: Caller | undefined,
): Reserved {
  const look = async (name: string, args: unknown) => lookAt((await desk.node()).tools, services.workspace, name, args);
  return {
    "artifact.list": unhurried(async ({ session_id, after, limit }) => {
      const sessionId = await desk.named(session_id);
      const { store } = (await desk.node()).runtime;
      const page = await store.read(sessionId, { after, limit, type: "artifact.created" });
      const artifacts = page.flatMap((event) => {
        if (event.type !== "artifact.created") return [];
        const { artifactId: artifact_id, runId: run_id, kind, name, bytes, sha256, at } = event;
        return [{ artifact_id, run_id, kind, name, bytes, sha256, created_at: isoTime(at) }];
      });
      const last = page.at(-1)?.seq;
      const more =
        last !== undefined && (await store.read(sessionId, { after: last, limit: 1, type: "artifact.created" }));
      return { artifacts, next_after: more && more.length > 0 ? last : undefined };
    }),
    "artifact.read": unhurried(async ({ session_id, artifact_id, offset, limit }) => {
      const sessionId = await desk.named(session_id);
      const bytes = await (await desk.node()).runtime.store.artifact(sessionId, artifact_id);
      if (!bytes) throw new DragomanError("invalid_params", `There is no artifact ${artifact_id} in this session.`);
      return { artifact_id, bytes: bytes.length, offset, ...pageOf(bytes, offset, limit) };
    }),
    "workspace.list": unhurried(async ({ path, depth, limit }) =>
      listed.parse(await look("list", { path, depth, limit })),
    ),
    "workspace.read": unhurried(async ({ path, start_line, max_lines }) => {
      const found = read.parse(await look("read", { path, startLine: start_line, maxLines: max_lines }));
      const { content, startLine, totalLines, truncated } = found;
      return { path: found.path, content, start_line: startLine, total_lines: totalLines, truncated };
    }),
    "workspace.search": unhurried(async ({ case_sensitive: caseSensitive, query, regex, path, glob, limit }) => {
      const found = searched.parse(await look("search", { query, regex, caseSensitive, path, glob, limit }));
      return { matches: found.matches, files_searched: found.filesSearched, truncated: found.truncated };
    }),
    "history.export": unhurried(async ({ session_id, format, after, limit }) => {
      const sessionId = await desk.named(session_id);
      const { store } = (await desk.node()).runtime;
      const told = !caller || may(caller, "approve") ? exportedEvent : withoutCallback;
      const page =
        format === "markdown"
          ? await markdownPage(store, sessionId, after, limit)
          : await jsonLines(store, sessionId, after, limit, told);
      const more = page.events > 0 && (await store.read(sessionId, { after: page.last, limit: 1 })).length > 0;
      const { content, events } = page;
      return { session_id: sessionId, format, content, events, next_after: more ? page.last : undefined };
    }),
    "todos.list": unhurried(async ({ session_id }) => {
      const sessionId = await desk.named(session_id);
      const plan = await findLast((await desk.node()).runtime.store, sessionId, "plan.updated", () => true);
      return plan ? { run_id: plan.runId, todos: todosOf(plan.steps) } : { todos: [] };
    }),
  };
}

/** Its address may be all that it takes to play the server to a plugin. */
function withoutCallback(logged: Event): Event {
  const event = exportedEvent(logged);
  if (!("clientTools" in event) || !event.clientTools) return event;
  const { callback: _, ...clientTools } = event.clientTools;
  return { ...event, clientTools };
}

async function jsonLines(store: Store, sessionId: string, after: number, limit: number, told: (event: Event) => Event) {
  const lines: string[] = [];
  let last = after;
  let characters = 0;
  for (const event of await store.read(sessionId, { after, limit })) {
    const line = `${JSON.stringify(told(event))}\n`;
    if (lines.length > 0 && characters + line.length > LARGEST_EXPORT_PAGE) break;
    lines.push(line);
    characters += line.length;
    last = event.seq;
  }
  return { content: lines.join(""), last, events: lines.length };
}

/** The fold of a run begins at its start, wherever the page does. */
async function markdownPage(store: Store, sessionId: string, after: number, limit: number) {
  const { markdownFold } = await import("../../markdown.ts");
  const fold = markdownFold(sessionId);
  const parts: string[] = [];
  let at = (await foldStart(store, sessionId, after)) - 1;
  let events = 0;
  let characters = 0;
  let more = true;
  while (more && events < limit && characters < LARGEST_EXPORT_PAGE) {
    const page = await store.read(sessionId, { after: at, limit: Math.min(limit, EXPORT_PAGE) });
    more = page.length > 0;
    for (const event of page) {
      if (events >= limit || characters >= LARGEST_EXPORT_PAGE) break;
      const from = Math.max(at, after) + 1;
      if (event.seq > from) parts.push(fold.gap({ from, to: event.seq - 1 }));
      const text = fold.push(event);
      at = event.seq;
      if (at <= after) continue;
      parts.push(text);
      characters += text.length;
      events++;
    }
  }
  if (!more) parts.push(fold.end());
  return { content: parts.join(""), last: at, events };
}

/** Text where the bytes are UTF-8, cut between two characters. */
function pageOf(bytes: Uint8Array, offset: number, limit: number) {
  const page = bytes.subarray(offset, offset + limit);
  const text = wholeCharacters(page);
  const taken = text === undefined ? page.length : text.taken;
  const next_offset = taken > 0 && offset + taken < bytes.length ? offset + taken : undefined;
  if (text) return { encoding: "utf8" as const, content: text.content, next_offset };
  return { encoding: "base64" as const, content: Buffer.from(page).toString("base64"), next_offset };
}

const LONGEST_CHARACTER = 4;

function wholeCharacters(page: Uint8Array): { content: string; taken: number } | undefined {
  for (let cut = 0; cut < LONGEST_CHARACTER && cut <= page.length; cut++) {
    const taken = page.length - cut;
    if (taken === 0 && page.length > 0) return undefined;
    try {
      return {
        content: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(page.subarray(0, taken)),
        taken,
      };
    } catch {}
  }
  return undefined;
}

/** The UI's user looks around in the workspace, and nowhere else; nobody is asked. */
async function lookAt(
  tools: ReadonlyMap<string, AnyTool>,
  workspace: string,
  name: string,
  args: unknown,
): Promise<unknown> {
  const tool = tools.get(name);
  if (!tool) throw new DragomanError("unknown_tool", `This runtime has no tool to ${name} with.`);
  const parsed = tool.args.parse(args);
  const context = { workspace, trusted: false };
  const { targets } = await tool.intent(parsed, context);
  const outside = targets.find((target) => target.outside);
  if (outside) throw new DragomanError("forbidden", `${outside.path} lies outside of the workspace.`);
  const signal = AbortSignal.timeout(LONGEST_LOOK_MS);
  const io = { signal, output: async () => {}, onKill: () => () => {}, supervise: noProcess };
  const { result } = await tool.run(parsed, context, io);
  return result;
}

const noProcess = () => Promise.reject(new DragomanError("forbidden", "Whoever only looks starts no process."));

const LONGEST_LOOK_MS = 30_000;

const listed = z.object({
  path: z.string(),
  entries: z.array(
    z.object({ path: z.string(), type: z.enum(["file", "directory", "symlink", "other"]), bytes: z.int().optional() }),
  ),
  truncated: z.boolean(),
});
const read = z.object({
  path: z.string(),
  content: z.string(),
  startLine: z.int(),
  totalLines: z.int().optional(),
  truncated: z.boolean(),
});
const searched = z.object({
  matches: z.array(z.object({ path: z.string(), line: z.int(), column: z.int(), text: z.string() })),
  filesSearched: z.int(),
  truncated: z.boolean(),
});
