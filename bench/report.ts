/**
 * One line of a report: `ours` against `bare` with the least ratio allowed, or of times the most (`ceiling`), or alone with the most
 * it may be. Where `enough` is reached, the ratio does not matter.
 */
export interface Figure {
  name: string;
  unit: string;
  ours: number;
  bare?: number;
  floor?: number;
  ceiling?: number;
  enough?: number;
  most?: number;
}

export function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** Prints a line for each figure, and with --json all of them once more for programs. Says whether every one is good enough. */
export function report(figures: Figure[]): boolean {
  const lines = figures.map((figure) => {
    const ratio = figure.bare === undefined ? undefined : figure.ours / figure.bare;
    const fast = (ratio ?? 1) >= (figure.floor ?? 0) || figure.ours >= (figure.enough ?? Number.POSITIVE_INFINITY);
    const ok =
      fast &&
      (ratio ?? 0) <= (figure.ceiling ?? Number.POSITIVE_INFINITY) &&
      figure.ours <= (figure.most ?? Number.POSITIVE_INFINITY);
    return { ...figure, ratio, ok };
  });
  for (const { name, unit, ours, bare, ratio, floor, ceiling, enough, most, ok } of lines) {
    const compared = bare === undefined ? "" : `${ratio?.toFixed(2)} of the bare ${round(bare)}`;
    const wanted = [
      floor === undefined ? [] : [`at least ${floor}`],
      ceiling === undefined ? [] : [`at most ${ceiling} times`],
      enough === undefined ? [] : [`${enough} ${unit} is enough`],
      most === undefined ? [] : [`at most ${most} ${unit}`],
    ].flat();
    const verdict = wanted.length === 0 ? "" : `${ok ? "ok" : "TOO SLOW"} (${wanted.join(", or ")})`;
    console.log(`${name.padEnd(28)} ${`${round(ours)} ${unit}`.padEnd(16)} ${compared.padEnd(24)} ${verdict}`);
  }
  if (process.argv.includes("--json")) console.log(JSON.stringify(lines));
  return lines.every(({ ok }) => ok);
}

const round = (number?: number) => (number === undefined ? undefined : Number(number.toPrecision(3)));
