import { readdirSync, readFileSync } from "node:fs";

/** The processes of this machine that have this text in their command line, such as a number that nobody else sleeps for. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    return commandLine(name).includes(text) ? [Number(name)] : [];
  });
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // It has ended.
  }
}
