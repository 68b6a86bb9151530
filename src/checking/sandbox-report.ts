import * as z from "zod";
import type { Failure } from "./sandbox/failures.ts";
import type { SandboxOutcome } from "./sandboxed.ts";

/** What was seen of an interface in its sandbox. */
export interface SandboxReport {
  failures: Failure[];
  /** The screen that was open at the end. */
  screen: string;
  /** Why there was an end before everything was seen. */
  stopped?: string;
}

const MOST_CHARACTERS = 1_000_000;

const failure: z.ZodType<Failure> = z.object({
  kind: z.enum(["exception", "report", "shown", "nothing"]),
  screen: z.string(),
  text: z.string(),
  stack: z.string(),
  component: z.string(),
});
const report = z.object({ failures: z.array(failure), screen: z.string() });

/** The module ran where the text comes from, and may have changed anything there. */
export function sandboxReport({ report: text, stopped }: SandboxOutcome): SandboxReport {
  const seen = text === undefined || text.length > MOST_CHARACTERS ? undefined : readJson(text);
  const { success, data } = report.safeParse(seen);
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
