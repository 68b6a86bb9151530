/** From the least to the most. */
export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogEntry {
  level: LogLevel;
  /** What happened, as `noun.past`: "http.refused". */
  event: string;
  [field: string]: unknown;
}

/** Where what happens is told to whoever looks after this process. */
export type Log = (entry: LogEntry) => void;

/** Text from elsewhere for the log: short, one line, and without anything that looks like one of our tokens or sign-ins. */
export function loggable(text: string): string {
  return text
    .slice(0, 2000)
    .replace(/(drg|sess)_[\w-]*/g, "$1_…")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\ufffd");
}
