/** What is kept. A run under way, an open ask, what is queued and the latest run of all are always kept. */
export interface Retention {
  /** Runs that ended before this are forgotten. */
  endedBefore?: number;
  /** Of what is left, the oldest runs are forgotten until the events and artifacts take up no more than this. */
  maxBytes?: number;
  /** Says what would be forgotten, and forgets nothing. */
  dryRun?: boolean;
}

export interface Pruned {
  sessions: { sessionId: string; title?: string; runs: number; events: number; bytes: number; whole: boolean }[];
  /** What was taken up before and is now. */
  bytesBefore: number;
  bytesAfter: number;
}
