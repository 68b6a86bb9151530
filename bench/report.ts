/**
 * One line of a report: `ours` against `bare` with the least ratio allowed, or alone with the most it may be. Where `enough` is
 * reached, the ratio does not matter.
 */
export interface Figure {
  name: string;
  unit: string;
  ours: number;
  bare?: number;
  floor?: number;
  enough?: number;
  most?: number;
}

export function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** Prints a table for people and a JSON line for programs. Says whether every figure is good enough. */
export function report(figures: Figure[]): boolean {
  const lines = figures.map((figure) => {
    const ratio = figure.bare === undefined ? undefined : figure.ours / figure.bare;
    const fast = (ratio ?? 1) >= (figure.floor ?? 0) || figure.ours >= (figure.enough ?? Number.POSITIVE_INFINITY);
    const ok = fast && figure.ours <= (figure.most ?? Number.POSITIVE_INFINITY);
    return { ...figure, ratio, ok };
  });
  console.table(
    Object.fromEntries(
      lines.map(({ name, unit, ours, bare, ratio, floor, enough, most, ok }) => [
        name,
        { ours: round(ours), bare: round(bare), unit, ratio: round(ratio), floor, enough, most, ok },
      ]),
    ),
  );
  console.log(JSON.stringify(lines));
  return lines.every(({ ok }) => ok);
}

const round = (number?: number) => (number === undefined ? undefined : Number(number.toPrecision(3)));
