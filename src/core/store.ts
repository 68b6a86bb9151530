import type { Event, EventType, NewEvent } from "./events.ts";
import type { Mailbox } from "./mailbox.ts";
import type { Nodes } from "./nodes.ts";
import type { ProcessRecords } from "./process-records.ts";
import type { Pruned, Retention } from "./retention.ts";
import type { SessionSummary } from "./summary.ts";

/** The right to append to a session. A later claim raises the epoch, and whoever holds an earlier one is fenced off. */
export interface Fence {
  sessionId: string;
  epoch: number;
}

/** `lost` is the node that had the session before and ended, or fell silent, without giving it back. */
export interface Claimed extends Fence {
  lost?: string;
}

/** An event on its way to the log: the store gives it its `seq`, and a later `at` if the clock went back. */
export type Draft = NewEvent & { at: number };

/** What is too large for an event; the event holds its id. */
export interface Artifact {
  artifactId: string;
  bytes: Uint8Array;
}

/**
 * Events with `after` < seq < `before`, in order. With `before` alone they are the last ones before it, else the first ones
 * after `after`. A read ends early when it has `MAX_READ_BYTES`, but not before its first event.
 */
export interface Range {
  after?: number;
  before?: number;
  limit: number;
  type?: EventType;
}

export const MAX_READ_BYTES = 1024 * 1024;

export interface RunPlace {
  sessionId: string;
  seq: number;
}

export interface SessionQuery {
  workspace?: string;
  limit: number;
}

export interface Store {
  /**
   * Atomic: all of the events and artifacts, or none. Resolves when they are on disk. Appends to one session keep the order of the
   * calls. Fails with `stale_owner` when the fence is an old one, decided inside the transaction.
   */
  append(sessionId: string, drafts: Draft[], fence: Fence, artifacts?: Artifact[]): Promise<Event[]>;
  read(sessionId: string, range: Range): Promise<Event[]>;
  artifact(sessionId: string, artifactId: string): Promise<Uint8Array | undefined>;
  /**
   * A bell only: it says that there is something new, from whichever node, and the listener reads. It may ring once for several
   * appends, and for nothing.
   */
  wake(sessionId: string | "*", listener: (sessionId: string) => void): () => void;
  /** Something may come from another node at any moment: it is looked for often, until the returned function is called. */
  attend(): () => void;
  /**
   * Makes `node` the owner of the session, which need not exist yet, and fences off the one before. Nothing when another node has
   * it and lives; a node that has not joined, or was silent for too long, does not.
   */
  claim(sessionId: string, node: string): Promise<Claimed | undefined>;
  /** Gives the session back, for anyone to claim at once. An old fence gives nothing back. */
  release(fence: Fence): Promise<void>;
  session(sessionId: string): Promise<SessionSummary | undefined>;
  /** Where a run is in which log: its start, or while it waits in the queue the event that put it there. */
  runPlace(runId: string): Promise<RunPlace | undefined>;
  /** The sessions that have events, the latest changed first. */
  sessions(query: SessionQuery): Promise<SessionSummary[]>;
  /** Who shares the store, who has which session, and who could answer an ask. */
  readonly nodes: Nodes;
  /** Commands to the owner of a session from other nodes. */
  readonly mailbox: Mailbox;
  /** What nodes started outside of themselves, so that another one can end what they left behind. */
  readonly processes: ProcessRecords;
  /** Forgets what is older, or more, than is to be kept, in whole runs from the beginning of a log. */
  prune(retention: Retention): Promise<Pruned>;
  /** What this process had it gives back. */
  close(): Promise<void>;
}
