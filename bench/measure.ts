import { median } from "./report.ts";

/** Thousands in a second. */
export async function rate(count: number, work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return count / (performance.now() - from);
}

/** Each side in turn, round after round, so that what else the machine does hits all of them; the median of each. */
export async function interleaved<K extends string>(
  rounds: number,
  sides: Record<K, () => Promise<number>>,
): Promise<Record<K, number>> {
  const names = Object.keys(sides) as K[];
  const rates = new Map<K, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) rates.get(name)?.push(await sides[name]());
  }
  return Object.fromEntries(names.map((name) => [name, median(rates.get(name) ?? [])])) as Record<K, number>;
}

/** The number that `p` of a hundred are not above. */
export function percentile(numbers: number[], p: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * p) / 100) - 1)] ?? Number.NaN;
}
