import { isOfEarlierStart, startOf } from "./process-identity.ts";
import type { ProcessRecord, ProcessRecords } from "./process-records.ts";
import type { Leftover, Supervised } from "./supervision.ts";

interface LeftoverOptions {
  records: ProcessRecords;
  node: string;
  host: string;
  newMark(): string;
  /** Left out where there is nothing that could end them: they stay recorded. */
  endProcesses?(records: ProcessRecord[]): Promise<Leftover[]>;
}

/** The processes of runs: this node's own are recorded, and those that lost nodes left running are ended. */
export class LeftoverProcesses {
  readonly #options: LeftoverOptions;

  constructor(options: LeftoverOptions) {
    this.#options = options;
  }

  /** Resolves when the process is recorded, and may be started. */
  async supervise(sessionId: string, runId: string, title: string): Promise<Supervised> {
    const { records, node, host, newMark } = this.#options;
    const mark = newMark();
    await records.add({ mark, node, sessionId, runId, title: title.slice(0, LONGEST_TITLE), host });
    // A record that could not be changed is one too many, and finds nothing.
    return {
      mark,
      started: (pid) => void records.started(mark, pid, startOf(pid) ?? "").catch(() => {}),
      ended: () => void records.remove(mark).catch(() => {}),
    };
  }

  /**
   * Ends what other nodes started for a session that is this node's now, or all that a gone node started, on this host. `checkOurs`
   * throws if the session has been taken since: then what was listed may be another one's work.
   */
  async end(query: { sessionId?: string; node?: string }, checkOurs?: () => Promise<void>): Promise<Leftover[]> {
    const { records, node, host, endProcesses } = this.#options;
    if (!endProcesses) return [];
    const others = (await records.list(query)).filter((record) => record.node !== node);
    const left = others.filter((record) => record.host === host || isOfEarlierStart(record.host));
    if (left.length === 0) return [];
    await checkOurs?.();
    const ended = await endProcesses(left.filter((record) => record.host === host));
    const found = new Map(ended.map((each) => [each.mark, each]));
    const told = left.map(async ({ mark }): Promise<Leftover[]> => {
      const each = found.get(mark);
      if (each && each.left.length > 0) return [each]; // it stays recorded, for whoever tries again
      const isFirst = await records.remove(mark); // else another node has said so
      return isFirst && each && each.pids.length > 0 ? [each] : [];
    });
    return (await Promise.all(told)).flat();
  }
}

const LONGEST_TITLE = 200;
