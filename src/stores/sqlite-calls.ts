import type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";
import { leaseCalls } from "./sqlite-leases.ts";
import { letterCalls } from "./sqlite-letters.ts";
import { processCalls } from "./sqlite-process-records.ts";
import { pruneCalls } from "./sqlite-prune-calls.ts";

/** A statement by its text, prepared when it is first needed. */
export type Sql = (text: string) => StatementSyncInstance;

export function statements(db: DatabaseSyncInstance): Sql {
  const prepared = new Map<string, StatementSyncInstance>();
  return (text) => {
    const statement = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
}

/** What the writer does besides appends: each is small, and done in its place among them, in the same transactions. */
export function writerCalls(sql: Sql) {
  return { ...leaseCalls(sql), ...letterCalls(sql), ...processCalls(sql), ...pruneCalls(sql) };
}

type Calls = ReturnType<typeof writerCalls>;
export type CallName = keyof Calls;
export type CallArguments<N extends CallName> = Parameters<Calls[N]>;
export type CallResult<N extends CallName> = ReturnType<Calls[N]>;

export interface CallRequest {
  call: CallName;
  args: unknown[];
}

/**
 * Whether it is answered only when it is on disk. What dies with the processes of the machine need not be: a kill loses nothing
 * that was committed, and what a power failure may lose of it nobody needs afterwards.
 */
export const isKeptOnDisk: Record<CallName, boolean> = {
  claim: true,
  release: false,
  join: false,
  leave: false,
  leaveAll: false,
  forget: false,
  renew: false,
  attend: false,
  post: false,
  take: false,
  answer: false,
  withdraw: false,
  addProcess: false,
  processStarted: false,
  removeProcess: false,
  cut: true,
  sweep: false,
};

/** What is done to events behind the back of the appends. */
export const changesLogs: readonly CallName[] = ["cut", "sweep"];
