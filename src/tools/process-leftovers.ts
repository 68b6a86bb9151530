import { thisHost } from "../core/process-identity.ts";
import type { ProcessRecord } from "../core/process-records.ts";
import type { Leftover } from "../core/supervision.ts";
import type { Descendant } from "./process-descendants.ts";
import { endMarkedGroups } from "./process-marked-groups.ts";
import { RoundUp } from "./process-roundup.ts";
import { processRow } from "./process-table.ts";

const GRACE_MS = 500;
/** A process carries its mark from when it has become the program that it was started for. */
const BECOMING_MS = 100;

/**
 * Ends everything that a lost node started on this machine and left running, and tells what it was. What only looks like it is left
 * alone: a process is ended because of its mark, or because of where it comes from, and never by its number alone.
 */
export async function endLeftovers(records: ProcessRecord[]): Promise<Leftover[]> {
  const here = records.filter(({ host, mark }) => host === thisHost() && mark !== "");
  if (here.length === 0) return [];
  if (!processRow(process.pid)) return endMarkedGroups(here);
  if (here.some(({ pid }) => pid === undefined)) await new Promise((resolve) => setTimeout(resolve, BECOMING_MS));
  const roundUp = new RoundUp(here);
  if (!(await roundUp.terminate())) return [];
  await roundUp.gone(GRACE_MS);
  await roundUp.kill();
  const [ended, remaining] = [roundUp.ended(), await roundUp.left()];
  return here.flatMap(({ mark, title }) => {
    const [pids, left] = [pidsOf(ended, mark), pidsOf(remaining, mark)];
    return pids.length + left.length > 0 ? [{ mark, title, pids, left }] : [];
  });
}

function pidsOf(all: Descendant[], wanted: string): number[] {
  return all.flatMap(({ mark, pid }) => (mark === wanted ? [pid] : [])).sort((a, b) => a - b);
}
