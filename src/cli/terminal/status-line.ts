import type { Paint } from "./paint.ts";
import { duration } from "./wording.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
export const SPIN_MS = 100;

export const spinnerAt = (now: number) => frames[Math.floor(now / SPIN_MS) % frames.length] ?? "";

export interface Status {
  text: string;
  /** Of the context that is left, in percent; not known before the engine told it. */
  contextLeft: number | undefined;
  /** Since the run began. */
  elapsedMs?: number;
  hint: string;
}

/** The last line of the screen. What matters most comes first, since a narrow terminal shows no more. */
export function statusLine({ text, contextLeft, elapsedMs, hint }: Status, paint: Paint): string {
  const context = contextLeft === undefined ? [] : [`context ${contextLeft}% left`];
  const parts = [...context, ...(elapsedMs === undefined ? [] : [wholeSeconds(elapsedMs)]), hint];
  return `${paint.bold(text)}${paint.dim(` · ${parts.join(" · ")}`)}`;
}

/** A clock in tenths of a second would be all that moves. */
const wholeSeconds = (ms: number) => (ms < 10_000 ? `${Math.floor(ms / 1000)} s` : duration(ms));
