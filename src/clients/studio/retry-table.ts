export interface RetryPolicy {
  /** How long one try may take. */
  timeoutMs: number;
  /** How long is waited before each retry; there are as many retries as waits. */
  waitsMs: readonly number[];
}

/** "Timeout & Retry Policy" of the document. A backoff that it calls N/A is no wait. */
export const retryTable = {
  initialize: { timeoutMs: 10_000, waitsMs: [2000, 5000, 10_000] },
  generate: { timeoutMs: 60_000, waitsMs: [0] },
  customize: { timeoutMs: 30_000, waitsMs: [0] },
  chat: { timeoutMs: 15_000, waitsMs: [3000, 6000] },
} as const satisfies Record<string, RetryPolicy>;

export type RetryTable = Record<keyof typeof retryTable, RetryPolicy>;

/** The calls that are ours: not in the document's table, but a runtime that is silent must not leave them hanging either. */
const others: RetryPolicy = { timeoutMs: 30_000, waitsMs: [] };

export function policyFor(method: string, table: RetryTable): RetryPolicy {
  return Object.hasOwn(table, method) ? table[method as keyof RetryTable] : others;
}
