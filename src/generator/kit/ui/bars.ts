import { isJsonObject } from "../api/json.ts";
import type { Json } from "../descriptor.ts";

export interface Bar {
  label: string;
  value: number;
  /** Of the longest one: 0 to 1. */
  share: number;
}

const mostBars = 12;

/** The largest numbers of a map; the rest of many becomes one bar. */
export function barsOf(value: Json): Bar[] {
  if (!isJsonObject(value)) return [];
  const numbers = Object.entries(value)
    .flatMap(([label, number]) => (typeof number === "number" ? [{ label, number }] : []))
    .sort((one, other) => other.number - one.number);
  const isMany = numbers.length > mostBars;
  const shown = isMany ? numbers.slice(0, mostBars - 1) : numbers;
  const rest = numbers.slice(shown.length);
  if (rest.length > 0) {
    const sum = rest.reduce((total, { number }) => total + number, 0);
    shown.push({ label: `${rest.length} others`, number: sum });
  }
  const most = Math.max(...shown.map(({ number }) => number), 0);
  return shown.map(({ label, number }) => ({
    label,
    value: number,
    share: most > 0 ? Math.max(0, number) / most : 0,
  }));
}
