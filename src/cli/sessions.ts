import { homedir } from "node:os";
import { sep } from "node:path";
import { DragomanError } from "../core/errors.ts";
import type { Store } from "../core/store.ts";
import type { SessionSummary } from "../core/summary.ts";
import { plainText } from "../dialects/plain-text.ts";
import { cell } from "./columns.ts";
import { printable } from "./terminal/event-frames.ts";
import type { Place } from "./terminal/screen.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { cut, widthOf } from "./terminal/text-width.ts";
import { count, oneLine, shortId } from "./terminal/wording.ts";

export interface SessionsOptions {
  store: Store;
  terminal: Terminal;
  workspace: string;
  /** Those of every workspace. */
  all: boolean;
  limit: number;
  /** A summary a line. */
  json: boolean;
}

/** Of other workspaces so many are counted. */
const MOST_COUNTED = 1000;
const NARROW = 70;
const GAP = "  ";

/** Lists sessions, the latest changed first. Resolves with the exit code of the process. */
export async function sessions({ store, terminal, workspace, all, limit, json }: SessionsOptions): Promise<number> {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new DragomanError("invalid_params", "--limit takes a number of sessions, 1 or more.");
  }
  const { out } = terminal;
  try {
    const found = await store.sessions({ workspace: all ? undefined : workspace, limit });
    if (json) out.add(found.map((summary) => printable(JSON.stringify(summary))));
    else {
      const elsewhere = all ? 0 : await countElsewhere(store, workspace);
      out.add(sessionLines({ found, workspace, all, limit, elsewhere, now: Date.now(), home: homedir() }, out));
    }
    return 0;
  } finally {
    terminal.close();
  }
}

async function countElsewhere(store: Store, workspace: string): Promise<number> {
  return (await store.sessions({ limit: MOST_COUNTED })).filter((summary) => summary.workspace !== workspace).length;
}

export interface SessionList {
  found: SessionSummary[];
  workspace: string;
  all: boolean;
  limit: number;
  elsewhere: number;
  now: number;
  home: string;
}

export function sessionLines(list: SessionList, place: Pick<Place, "paint" | "width">): string[] {
  const { found, workspace, all, limit, elsewhere, home } = list;
  const { dim } = place.paint;
  const where = all ? "" : ` in ${fromHome(workspace, home)}`;
  const others = `${count(elsewhere, "session")}${elsewhere >= MOST_COUNTED ? " or more" : ""} elsewhere: dragoman sessions --all`;
  const notes = elsewhere > 0 ? [dim(others)] : [];
  if (found.length === 0) return [`No sessions${where}. Start one: dragoman run "<prompt>"`, ...notes];
  const more = found.length === limit ? [dim(`the latest ${limit}; more with --limit`)] : [];
  const table = place.width < NARROW ? narrowTable(list, place) : wideTable(list, place);
  return [...table, ...more, ...notes];
}

function wideTable({ found, all, now, home }: SessionList, { paint, width }: Pick<Place, "paint" | "width">): string[] {
  const head = ["SESSION", "CHANGED", "STATUS", ...(all ? ["WORKSPACE"] : []), "MESSAGES", "LAST PROMPT"];
  const rows = found.map((summary) => [
    shortId(summary.sessionId),
    when(summary.updatedAt, now),
    statusOf(summary),
    ...(all ? [cut(fromHome(summary.workspace, home), 30)] : []),
    String(summary.messages),
    oneLine(summary.lastPrompt ?? summary.title ?? ""),
  ]);
  const widths = head.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? "")].map(widthOf)),
  );
  const line = (row: string[]) => row.map((text, column) => cell(text, widths[column] ?? 0)).join(GAP);
  return [paint.dim(cut(line(head).trimEnd(), width)), ...rows.map((row) => cut(line(row).trimEnd(), width))];
}

/** Two lines for each where there is no room for a table. */
function narrowTable(
  { found, all, now, home }: SessionList,
  { paint, width }: Pick<Place, "paint" | "width">,
): string[] {
  return found.flatMap((summary) => {
    const about = [shortId(summary.sessionId), when(summary.updatedAt, now), statusOf(summary)].join(GAP);
    const where = all ? [paint.dim(cut(`${GAP}${fromHome(summary.workspace, home)}`, width))] : [];
    return [
      cut(about, width),
      ...where,
      paint.dim(cut(`${GAP}${oneLine(summary.lastPrompt ?? summary.title ?? "")}`, width)),
    ];
  });
}

function statusOf({ asks, run, closed, queued }: SessionSummary): string {
  if (asks.some(({ kind }) => kind !== "tool")) return "waits for an answer";
  if (run?.status === "running" || run?.status === "cancelling") return run.status;
  if (closed) return "closed";
  if (queued.length > 0) return "queued";
  return run?.status ?? "new";
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function when(at: number, now: number): string {
  const ago = Math.max(0, now - at);
  if (ago < MINUTE) return "just now";
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)} min ago`;
  if (ago < DAY) return `${Math.floor(ago / HOUR)} h ago`;
  if (ago < 7 * DAY) return `${count(Math.floor(ago / DAY), "day")} ago`;
  const date = new Date(at);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function fromHome(path: string, home: string): string {
  const shown = path === home ? "~" : path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
  return plainText(shown).replaceAll("\n", " ");
}
