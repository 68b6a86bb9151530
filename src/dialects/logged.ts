/** A line for the log of the process. */
export interface Logged {
  level: "info" | "warn" | "error";
  event: string;
  [field: string]: unknown;
}
