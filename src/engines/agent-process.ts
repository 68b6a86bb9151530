import type { Readable, Writable } from "node:stream";
import { DragomanError, messageOf } from "../core/errors.ts";
import type { Supervise, Supervised } from "../core/supervision.ts";
import { ProcessGroup, type Program } from "../tools/process-group.ts";
import { ProcessTree } from "../tools/process-tree.ts";
import { shortTitle } from "../tools/short-title.ts";

const GRACE_MS = 500;

export interface AgentProgram extends Program {
  /** What it is to a person. */
  title: string;
}

export interface AgentExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** An agent that is spoken to on its stdin and stdout. */
export interface AgentProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly tree: ProcessTree;
  /** Resolves when it has ended, for whatever reason. */
  readonly exited: Promise<AgentExit>;
  /** Ends it and everything that it started. Resolves when nothing is left of it. */
  end(graceMs?: number): Promise<void>;
}

/** Starts it in a group of its own, once it is recorded: should this process die, another one ends what it left behind. */
export async function startAgentProcess(program: AgentProgram, supervise: Supervise): Promise<AgentProcess> {
  const supervised = await supervise(shortTitle(program.title));
  try {
    return await started(program, supervised);
  } catch (error) {
    supervised.ended();
    throw new DragomanError("engine_unavailable", `${program.file} could not be started: ${messageOf(error)}.`);
  }
}

async function started(program: AgentProgram, supervised: Supervised): Promise<AgentProcess> {
  const group = new ProcessGroup(program, supervised.mark, "pipe");
  const { child } = group;
  const exited = new Promise<AgentExit>((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined || !stdin || !stdout || !stderr) throw new Error("it has no pipes");
  supervised.started(pid);
  // It may end while it is written to or read; that it has is told by `exited`.
  for (const stream of [child, stdin, stdout, stderr]) stream.on("error", () => {});
  const tree = new ProcessTree(supervised.mark, pid);
  const end = once(async (graceMs) => {
    await tree.end(graceMs);
    await group.kill(); // also where the system does not tell what comes from what
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
    supervised.ended();
  });
  return { pid, stdin, stdout, stderr, tree, exited, end: (graceMs = GRACE_MS) => end(graceMs) };
}

/** All who end it wait for the same end. */
function once(work: (graceMs: number) => Promise<void>): (graceMs: number) => Promise<void> {
  let ending: Promise<void> | undefined;
  return (graceMs) => {
    ending ??= work(graceMs);
    return ending;
  };
}
