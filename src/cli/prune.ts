import type { Pruned, Retention } from "../core/retention.ts";
import type { Store } from "../core/store.ts";
import { cell } from "./columns.ts";
import { INTERRUPTED } from "./leave.ts";
import { printable } from "./terminal/event-frames.ts";
import { SPIN_MS, spinnerAt } from "./terminal/status-line.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { cut, widthOf } from "./terminal/text-width.ts";
import { count, duration, oneLine, shortId, size } from "./terminal/wording.ts";
import { where } from "./where.ts";

export interface PruneOptions {
  store: Store;
  terminal: Terminal;
  retention: Omit<Retention, "dryRun">;
  dryRun: boolean;
  /** The user has said yes already. */
  yes: boolean;
  json: boolean;
  /** Puts the question at the terminal; left out where there is none. */
  ask?(question: string): Promise<boolean | "interrupted">;
  /** What the store takes up on the disk. */
  diskBytes(): number;
}

const MOST_SHOWN = 20;

/** Forgets old runs, when the user has seen which and agreed. Resolves with the exit code of the process. */
export async function pruneSessions(options: PruneOptions): Promise<number> {
  const { terminal } = options;
  try {
    return await (options.json ? pruneJson(options) : pruneAsked(options));
  } finally {
    terminal.close();
  }
}

async function pruneJson(options: PruneOptions): Promise<number> {
  const { terminal, dryRun } = options;
  const pruned = await withStatus(options, "Pruning", dryRun);
  terminal.out.add([printable(JSON.stringify({ ...pruned, dryRun }))]);
  return 0;
}

async function pruneAsked(options: PruneOptions): Promise<number> {
  const { terminal, dryRun } = options;
  const { out } = terminal;
  const planned = await withStatus(options, "Looking through the log", true);
  if (planned.sessions.length === 0) {
    out.add([`Nothing to prune: all ${size(planned.bytesBefore)} of the log are to be kept.`]);
    return 0;
  }
  out.add([...(await tableOf(options, planned)), "", wouldGo(planned)]);
  if (dryRun) return 0;
  const agreed = options.yes || (await agree(options));
  if (agreed !== true) return agreed === "interrupted" ? INTERRUPTED : 1;
  const before = options.diskBytes();
  const pruned = await withStatus(options, "Pruning", false);
  const told = `Pruned ${amount(pruned)}. The log has ${size(pruned.bytesAfter)} now.`;
  out.add([told, ...(await onDisk(options, before))]);
  return 0;
}

async function agree({ terminal, ask }: PruneOptions): Promise<boolean | "interrupted"> {
  if (!ask) {
    terminal.err.add(["Nothing was pruned: there is no terminal to ask at. Run it again with --yes."]);
    return false;
  }
  terminal.out.flush();
  const agreed = await ask("Forget that for good? y or n: ");
  if (agreed !== true) terminal.out.add(["Nothing was pruned."]);
  return agreed;
}

const amount = ({ sessions, bytesBefore, bytesAfter }: Pruned) => {
  const runs = sessions.reduce((sum, session) => sum + session.runs, 0);
  return `${count(runs, "run")} of ${count(sessions.length, "session")}, ${size(bytesBefore - bytesAfter)}`;
};

const wouldGo = (planned: Pruned) => `This would go: ${amount(planned)} of ${size(planned.bytesBefore)}.`;

async function onDisk({ store, diskBytes }: PruneOptions, before: number): Promise<string[]> {
  const after = diskBytes();
  if (after < before) return [`On the disk it takes up ${size(after)}, ${size(before - after)} less.`];
  const others = (await store.nodes.list()).filter(({ state }) => state !== "gone");
  if (others.length === 0) return [];
  const why = `${others.map(where).join(", ")} ${others.length === 1 ? "is" : "are"} at work on it`;
  return [`On the disk it takes up ${size(after)}, as before: ${why}. What is free in it is used first.`];
}

async function tableOf({ store, terminal }: PruneOptions, { sessions }: Pruned): Promise<string[]> {
  const { paint, width } = terminal.out;
  const rows = [["SESSION", "RUNS", "SIZE", "WHAT GOES"]];
  for (const { sessionId, runs, bytes, whole, title } of sessions.slice(0, MOST_SHOWN)) {
    const name = oneLine(title ?? (await store.session(sessionId))?.lastPrompt ?? "");
    const what = whole ? "all of it" : `its ${runs === 1 ? "oldest run" : `${runs} oldest runs`}, of`;
    rows.push([shortId(sessionId), String(runs), size(bytes), `${what}: ${name || "a session without a name"}`]);
  }
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? "")))) ?? [];
  const lines = rows.map((row) =>
    cut(
      row
        .map((text, column) => cell(text, widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
      width,
    ),
  );
  const more = sessions.length - MOST_SHOWN;
  return [
    paint.dim(lines[0] ?? ""),
    ...lines.slice(1),
    ...(more > 0 ? [paint.dim(`and ${count(more, "more session")}`)] : []),
  ];
}

/** A large log takes a while. */
async function withStatus(
  { store, terminal, retention }: PruneOptions,
  text: string,
  dryRun: boolean,
): Promise<Pruned> {
  const { err } = terminal;
  const since = performance.now();
  const show = () => err.show({ lines: [`${spinnerAt(Date.now())} ${text} · ${duration(performance.now() - since)}`] });
  const showing = setInterval(show, SPIN_MS);
  try {
    return await store.prune({ ...retention, dryRun });
  } finally {
    clearInterval(showing);
    err.show({ lines: [] });
    err.flush();
  }
}
