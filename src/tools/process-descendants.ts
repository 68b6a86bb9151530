import { readdir, readFile } from "node:fs/promises";

/** Carries a value of our own, by which a process is known that has left its group and its parents. */
export const MARK = "TOOL_CALL_MARK";

/**
 * The processes that come from one, also those that made a group or a session of their own: by their parents, and by the mark in
 * their environment where the parent is gone. Only Linux tells; elsewhere there are none.
 */
export async function descendantsOf(root: number, mark: string): Promise<number[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const known = await Promise.all(pids.map(async (pid) => ({ pid, parent: await parentOf(pid) })));
  const found = new Set(await marked(pids, mark));
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { pid, parent } of known) if (parent === root || found.has(parent)) found.add(pid);
  }
  found.delete(root);
  found.delete(process.pid);
  return [...found];
}

async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  // The name may have blanks and brackets in it; what follows the last bracket has not.
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
}

async function marked(pids: number[], mark: string): Promise<number[]> {
  const wanted = `${MARK}=${mark}`;
  const found = await Promise.all(
    pids.map(async (pid) => {
      const variables = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
      return variables.split("\0").includes(wanted);
    }),
  );
  return pids.filter((_, at) => found[at]);
}
