import { setTimeout as wait } from "node:timers/promises";
import type { Examination, StoreFacts } from "../stores/sqlite-examine.ts";
import { type Finding, ok, problem, warning } from "./doctor-finding.ts";
import { count, size } from "./terminal/wording.ts";
import { where } from "./where.ts";

const ABOUT = "log";
/** A journal is emptied now and then; one that only grows is held open by someone who reads. */
const LARGE_JOURNAL = 64 * 1024 * 1024;
const RESTORE =
  "Stop every Dragoman, then restore a backup, or move the file away with its -wal and -shm: a new one is made.";

/** The file that the sessions are in. */
export function examineLog({ path, bytes, journalBytes, facts, error }: Examination): Finding[] {
  if (error) return [problem(ABOUT, error.message, adviceFor(error.code))];
  if (!facts) return [ok(ABOUT, `${path} is not there yet, and is made when it is needed`)];
  const journal = journalBytes > 0 ? `, its journal ${size(journalBytes)}` : "";
  const text = `${path}: ${count(facts.sessions, "session")}, ${size(bytes)}${journal}, version ${facts.version}`;
  return [ok(ABOUT, text), ...damageIn(facts), ...versionOf(facts), ...journalOf(journalBytes, facts)];
}

function adviceFor(code: string): string {
  if (code === "store_newer") return "Update Dragoman, or use another DRAGOMAN_HOME.";
  return code === "store_corrupt" ? RESTORE : "See who uses the file, and whether its disk is well; then try again.";
}

function damageIn({ damage }: StoreFacts): Finding[] {
  const [first, ...others] = damage;
  if (first === undefined) return [];
  const more = others.length > 0 ? `, and ${others.length} more` : "";
  return [problem(ABOUT, `It is damaged: ${first.replace(/\s+/g, " ")}${more}.`, RESTORE)];
}

function versionOf({ version, knownVersion }: StoreFacts): Finding[] {
  if (version === knownVersion) return [];
  return [
    ok(ABOUT, `It is brought to version ${knownVersion} when Dragoman next opens it; older ones cannot read it then`),
  ];
}

function journalOf(bytes: number, { nodes }: StoreFacts): Finding[] {
  if (bytes < LARGE_JOURNAL) return [];
  const text = `Its journal has grown to ${size(bytes)}.`;
  if (!nodes.some(({ state }) => state !== "gone"))
    return [warning(ABOUT, text, "Any command empties it: dragoman sessions")];
  return [
    warning(ABOUT, text, "It is emptied when nobody has read or written for a moment; stop what you do not need."),
  ];
}

const LOOKS = { times: 20, everyMs: 100 };

/** Whether one process writes all the time that it is looked at: everyone else waits for it, and in the end fails. */
export async function examineLock(
  writer: () => number | undefined,
  nodes: StoreFacts["nodes"],
  { times, everyMs } = LOOKS,
): Promise<Finding[]> {
  const pid = writer();
  for (let look = 1; pid !== undefined && look < times; look++) {
    await wait(everyMs);
    if (writer() !== pid) return [];
  }
  if (pid === undefined) return [];
  const node = nodes.find((one) => one.pid === pid);
  const seconds = Math.round((times * everyMs) / 1000);
  const text = `${node ? where(node) : `pid ${pid}`} has had it locked for ${seconds} s or more, and nobody else can write.`;
  return [problem(ABOUT, text, `If that stays so, end that process: kill -9 ${pid}`)];
}
