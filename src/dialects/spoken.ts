import type { RunResult } from "../core/events.ts";

/** The end of what a run has said aloud, to know whether its result still has to be told. */
export interface Spoken {
  text: string;
}

/** A result that is longer is an artifact, and its text an excerpt of the beginning. */
const KEPT = 64 * 1024;

export function speak(spoken: Spoken, text: string): void {
  spoken.text += text;
  if (spoken.text.length > 2 * KEPT) spoken.text = spoken.text.slice(-KEPT);
}

/** Whether this part of a result was said already, at the end or as the whole of it. */
export function wasSpoken(spoken: Spoken, text: string, { artifactId }: Pick<RunResult, "artifactId">): boolean {
  if (artifactId !== undefined) return spoken.text.length > KEPT / 2; // what is long was either streamed or not
  const wanted = text.trim();
  return wanted === "" || spoken.text.trimEnd().endsWith(wanted);
}
