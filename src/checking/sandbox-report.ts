import * as z from "zod";
import { type Failure, MOST_CHARACTERS, MOST_FAILURES } from "./sandbox/failures.ts";
import type { SandboxOutcome } from "./sandboxed.ts";

/** What was seen of an interface in its sandbox. */
export interface SandboxReport {
  failures: Failure[];
  /** The screen that was open at the end. */
  screen: string;
  /** Why there was an end before everything was seen. */
  stopped?: string;
}

const text = z.string().max(MOST_CHARACTERS);
const failure: z.ZodType<Failure> = z.object({
  kind: z.enum(["exception", "report", "shown", "nothing"]),
  screen: text,
  text,
  stack: text,
  component: text,
});
const report = z.object({ failures: z.array(failure).max(MOST_FAILURES), screen: text });

/** The module ran where the text comes from, and may have changed anything there. */
export function sandboxReport({ report: said, stopped }: SandboxOutcome): SandboxReport {
  const { success, data } = report.safeParse(said === undefined ? undefined : readJson(said));
  if (success) return { ...data, stopped };
  return { failures: [], screen: "", stopped: stopped ?? "its sandbox says nothing sensible" };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
