import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { ProcessRecord } from "../core/process-records.ts";
import type { Leftover } from "../core/supervision.ts";
import { MARK } from "./process-descendants.ts";

const GRACE_MS = 500;
const LOOK_AGAIN_MS = 50;
const LOOK_TIMEOUT_MS = 5000;

/**
 * Where there is no /proc: ends the groups whose leader is there and shows its mark. A system that does not show it, or that has no
 * `ps`, gets nothing ended: by its number alone it may be anyone's.
 */
export async function endMarkedGroups(records: ProcessRecord[]): Promise<Leftover[]> {
  const ended = await Promise.all(records.map(endGroup));
  return ended.flatMap((each) => each ?? []);
}

async function endGroup({ mark, title, pid }: ProcessRecord): Promise<Leftover | undefined> {
  // We may come from it ourselves.
  if (pid === undefined || pid <= 1 || process.env[MARK] === mark) return undefined;
  if (!(await isMarkedLeader(pid, mark))) return undefined;
  send(-pid, "SIGTERM");
  send(-pid, "SIGCONT");
  const deadline = performance.now() + GRACE_MS;
  while (send(-pid, 0) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  // While one of a group is there, its number is nobody else's.
  send(-pid, "SIGKILL");
  return { mark, title, pids: [pid], left: [] };
}

async function isMarkedLeader(pid: number, mark: string): Promise<boolean> {
  const args = ["eww", "-o", "pgid=,command=", "-p", String(pid)];
  const { stdout } = await promisify(execFile)("ps", args, { timeout: LOOK_TIMEOUT_MS }).catch(() => ({ stdout: "" }));
  const [group, ...words] = stdout.trim().split(/\s+/);
  return Number(group) === pid && words.includes(`${MARK}=${mark}`);
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // It has ended by itself.
  }
}
