import type { ReactNode } from "react";
import { formatValue } from "../../api/format.ts";
import type { Field, Json } from "../../descriptor.ts";
import { type BadgeTone, toneOf } from "./tone.ts";

export function Badge({ children, tone = "neutral" }: { children: ReactNode; tone?: BadgeTone }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}

/** One of a few values, in the colour that was wished for or that its word suggests. */
export function ValueBadge({ field, value }: { field: Field; value: Json }) {
  const tone = toneOfOption(field, value) ?? toneOf(String(value));
  return <Badge tone={tone}>{formatValue(field, value)}</Badge>;
}

export function toneOfOption(field: Field, value: Json): BadgeTone | undefined {
  return field.options?.find((option) => option.value === value)?.tone;
}
