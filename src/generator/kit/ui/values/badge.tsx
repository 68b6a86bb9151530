import type { ReactNode } from "react";
import { type BadgeTone, toneOf } from "./tone.ts";

export function Badge({ children, tone = "neutral" }: { children: ReactNode; tone?: BadgeTone }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}

/** One of a few values, in the colour that its word suggests. */
export function ValueBadge({ value, label }: { value: string; label: string }) {
  return <Badge tone={toneOf(value)}>{label}</Badge>;
}
