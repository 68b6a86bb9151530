/**
 * A process that a node starts for a run, with everything that comes from it. It is recorded before it is started, by the mark
 * that all of it carries in its environment, and again when its pid is known.
 */
export interface ProcessRecord {
  mark: string;
  node: string;
  sessionId: string;
  runId: string;
  /** What it is to a person, such as the command line. */
  title: string;
  /** Where it runs, as in a node's identity. */
  host: string;
  pid?: number;
  startedAt?: string;
}

export interface ProcessRecords {
  add(record: ProcessRecord): Promise<void>;
  started(mark: string, pid: number, startedAt: string): Promise<void>;
  /** Nothing of it is left. False when another node said so before. */
  remove(mark: string): Promise<boolean>;
  list(query?: { sessionId?: string; node?: string }): Promise<ProcessRecord[]>;
}
