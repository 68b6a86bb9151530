import { homedir } from "node:os";
import { sep } from "node:path";
import { DragomanError } from "../core/errors.ts";
import type { Owner } from "../core/nodes.ts";
import { plainText } from "../core/plain-text.ts";
import type { Store } from "../core/store.ts";
import type { SessionSummary } from "../core/summary.ts";
import { cell } from "./columns.ts";
import { ownerThere, stateOf } from "./session-state.ts";
import { printable } from "./terminal/event-frames.ts";
import type { Place } from "./terminal/screen.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { cut, widthOf } from "./terminal/text-width.ts";
import { count, oneLine, shortId } from "./terminal/wording.ts";
import { shortWhere } from "./where.ts";

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
    const summaries = await store.sessions({ workspace: all ? undefined : workspace, limit });
    const found = withOwners(summaries, await store.nodes.owners());
    if (json) out.add(found.map((one) => printable(JSON.stringify(jsonOf(one)))));
    else {
      const elsewhere = all ? 0 : await countElsewhere(store, workspace);
      out.add(sessionLines({ found, workspace, all, limit, elsewhere, now: Date.now(), home: homedir() }, out));
    }
    return 0;
  } finally {
    terminal.close();
  }
}

export interface Found {
  summary: SessionSummary;
  owner?: Owner;
}

function withOwners(summaries: SessionSummary[], owners: Owner[]): Found[] {
  const byId = new Map(owners.map((owner) => [owner.sessionId, owner]));
  return summaries.map((summary) => ({ summary, owner: byId.get(summary.sessionId) }));
}

function jsonOf({ summary: { agentSession: _, ...summary }, owner }: Found) {
  if (!owner) return summary;
  const { node, title, version, host, pid, state } = owner;
  return { ...summary, owner: { node, title, version, host, pid, state } };
}

async function countElsewhere(store: Store, workspace: string): Promise<number> {
  return (await store.sessions({ limit: MOST_COUNTED })).filter((summary) => summary.workspace !== workspace).length;
}

export interface SessionList {
  found: Found[];
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

/** Of the last prompt so much is to be seen, or columns are left out, these first. */
const PROMPT_WIDTH = 12;
const DISPENSABLE = ["MESSAGES", "ENGINE"];

type Column = [title: string, cellOf: (found: Found) => string];

function wideTable(list: SessionList, { paint, width }: Pick<Place, "paint" | "width">): string[] {
  const { found } = list;
  const prompt: Column = ["LAST PROMPT", promptOf];
  const columns = [...fitting(columnsOf(list), found, width - PROMPT_WIDTH), prompt];
  const widths = columns.map((column) => widthOfColumn(column, found));
  const line = (row: string[]) =>
    cut(
      row
        .map((text, at) => cell(text, widths[at] ?? 0))
        .join(GAP)
        .trimEnd(),
      width,
    );
  const rows = found.map((one) => line(columns.map(([, cellOf]) => cellOf(one))));
  return [paint.dim(line(columns.map(([title]) => title))), ...rows];
}

function columnsOf({ found, all, now, home }: SessionList): Column[] {
  return [
    ["SESSION", ({ summary }) => shortId(summary.sessionId)],
    ["CHANGED", ({ summary }) => when(summary.updatedAt, now)],
    ["STATUS", ({ summary, owner }) => stateOf(summary, owner)],
    ["ENGINE", engineOf],
    ...(found.some((one) => whereOf(one) !== "") ? ([["WHERE", (one) => whereOf(one) || "-"]] as Column[]) : []),
    ...(all ? ([["WORKSPACE", ({ summary }) => cut(fromHome(summary.workspace, home), 30)]] as Column[]) : []),
    ["MESSAGES", ({ summary }) => String(summary.messages)],
  ];
}

function fitting(columns: Column[], found: Found[], width: number): Column[] {
  const taken = (of: Column[]) => of.reduce((sum, column) => sum + widthOfColumn(column, found) + GAP.length, 0);
  return DISPENSABLE.reduce(
    (left, title) => (taken(left) <= width ? left : left.filter(([other]) => other !== title)),
    columns,
  );
}

const widthOfColumn = ([title, cellOf]: Column, found: Found[]) =>
  Math.max(...[title, ...found.map(cellOf)].map(widthOf));

const engineOf = ({ summary }: Found) => oneLine(summary.engine);

const promptOf = ({ summary }: Found) => oneLine(summary.lastPrompt ?? summary.title ?? "");

/** Two lines for each where there is no room for a table. */
function narrowTable(
  { found, all, now, home }: SessionList,
  { paint, width }: Pick<Place, "paint" | "width">,
): string[] {
  return found.flatMap((one) => {
    const { summary, owner } = one;
    const about = [shortId(summary.sessionId), when(summary.updatedAt, now), stateOf(summary, owner), whereOf(one)];
    const workspace = all ? [paint.dim(cut(`${GAP}${fromHome(summary.workspace, home)}`, width))] : [];
    return [
      cut(about.join(GAP).trimEnd(), width),
      ...workspace,
      paint.dim(cut(`${GAP}${engineOf(one)} · ${promptOf(one)}`, width)),
    ];
  });
}

/** The process that has it. */
function whereOf({ owner }: Found): string {
  const there = ownerThere(owner);
  if (!there) return "";
  return there.state === "silent" ? `${shortWhere(there)}, silent` : shortWhere(there);
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

export function fromHome(path: string, home: string): string {
  const shown = path === home ? "~" : path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
  return plainText(shown).replaceAll("\n", " ");
}
