import type { Chosen } from "./chosen.ts";
import { leaveWith, type Signals } from "./leave.ts";
import type { openNode, Role } from "./open-node.ts";
import type { Parts } from "./parts.ts";
import { stayingAlive } from "./staying-alive.ts";
import type { Terminal } from "./terminal/terminal.ts";

type Node = Awaited<ReturnType<typeof openNode>>;

interface Ending {
  /** Ends the process before the work has ended. */
  leave(code: number): void;
  /** What is to be done before the process ends, whatever ends it. */
  lastly: Set<() => Promise<unknown>>;
  signals: Signals;
}

interface Wanted {
  parts: Parts;
  workspace: string;
  chosen?: Chosen;
  role: Role;
  terminal?: Terminal;
}

/** Works as a node. What it has under way comes to its end before the process does. The work gives the exit code. */
export async function asNode(wanted: Wanted, work: (node: Node & Ending) => Promise<number>): Promise<void> {
  const { parts, workspace, chosen = {}, role, terminal } = wanted;
  const { openNode } = await import("./open-node.ts");
  const lastly = new Set<() => Promise<unknown>>();
  let node: Node | undefined;
  const stop = async () => {
    terminal?.close();
    await Promise.allSettled([...lastly].map((task) => task()));
    await node?.runtime.stop(0);
    await node?.store.close();
  };
  const signals: Signals = {};
  const leave = leaveWith(stop, signals);
  try {
    node = await openNode(parts, workspace, chosen, role);
    process.exitCode = await stayingAlive(work({ ...node, leave, lastly, signals }));
  } finally {
    await stop();
  }
}
