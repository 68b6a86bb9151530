import { messageOf } from "../core/errors.ts";
import { isOfEarlierStart, thisHost } from "../core/process-identity.ts";
import type { ProcessRecord } from "../core/process-records.ts";
import type { Store } from "../core/store.ts";
import type { Leftover } from "../core/supervision.ts";
import type { Examination } from "../stores/sqlite-examine.ts";
import type { Mended } from "./doctor-finding.ts";
import { leftBehind } from "./doctor-nodes.ts";
import { oneLine } from "./terminal/wording.ts";
import { where } from "./where.ts";

interface MendOptions {
  examination: Examination;
  openStore(): Promise<Store>;
  endProcesses(records: ProcessRecord[]): Promise<Leftover[]>;
}

/** Ends what processes that are gone left running, and forgets them. Their sessions stay for whoever opens them. */
export async function mendStore({ examination, openStore, endProcesses }: MendOptions): Promise<Mended[]> {
  const { facts, error } = examination;
  if (!facts || error || facts.damage.length > 0) return []; // there is nothing to mend, or nothing that could be
  const isSomeoneGone = facts.nodes.some(({ state }) => state === "gone");
  if (!isSomeoneGone && leftBehind(facts).length === 0) return [];
  try {
    const store = await openStore();
    try {
      return [...(await endLeftovers(store, endProcesses)), ...(await forgetGone(store))];
    } finally {
      await store.close();
    }
  } catch (error) {
    return [{ done: false, text: messageOf(error) }];
  }
}

async function endLeftovers(store: Store, endProcesses: MendOptions["endProcesses"]): Promise<Mended[]> {
  const recorded = { nodes: await store.nodes.list(), processes: await store.processes.list() };
  const left = leftBehind(recorded).filter(({ host }) => host === thisHost() || isOfEarlierStart(host));
  const ended = await endProcesses(left.filter(({ host }) => host === thisHost())); // elsewhere a pid is someone else
  const kept = new Set(ended.flatMap((each) => (each.left.length > 0 ? [each.mark] : [])));
  await Promise.all(left.flatMap(({ mark }) => (kept.has(mark) ? [] : [store.processes.remove(mark)])));
  return ended.flatMap(({ title, pids, left: remaining }) => [
    ...(pids.length > 0 ? [{ done: true, text: `Ended ${oneLine(title)} (pid ${pids.join(", ")}).` }] : []),
    ...(remaining.length > 0
      ? [{ done: false, text: `Could not end ${oneLine(title)} (pid ${remaining.join(", ")}).` }]
      : []),
  ]);
}

async function forgetGone(store: Store): Promise<Mended[]> {
  const gone = (await store.nodes.list()).filter(({ state }) => state === "gone");
  await Promise.all(gone.map(({ node }) => store.nodes.forget(node)));
  return gone.map((node) => ({ done: true, text: `Forgot ${where(node)}.` }));
}
