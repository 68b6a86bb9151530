/** "21–40 of 47", as far as it is known. */
export function rangeText(before: number, rows: number, total: number | undefined): string {
  const count = (number: number) => new Intl.NumberFormat().format(number);
  if (rows === 0) return total === undefined ? "No rows" : `0 of ${count(total)}`;
  const range = `${count(before + 1)}–${count(before + rows)}`;
  return total === undefined ? range : `${range} of ${count(total)}`;
}

export function pageCount(total: number | undefined, pageSize: number): number | undefined {
  return total === undefined ? undefined : Math.max(1, Math.ceil(total / pageSize));
}

/** The pages to offer, with undefined for a gap: the first, the last, and those around. */
export function pageNumbers(page: number, count: number): (number | undefined)[] {
  if (count <= 7) return Array.from({ length: count }, (_, index) => index);
  const start = Math.max(1, Math.min(page - 1, count - 5));
  const end = Math.min(count - 2, Math.max(page + 1, 4));
  const middle = Array.from({ length: end - start + 1 }, (_, index) => start + index);
  return [
    0,
    ...(start > 1 ? [undefined] : []),
    ...middle,
    ...(end < count - 2 ? [undefined] : []),
    count - 1,
  ];
}

/** How many rows can be asked for: the usual, the present, and a few more within the limit. */
export function pageSizes(present: number, usual: number, most: number | undefined): number[] {
  const limit = most ?? Math.max(100, usual, present);
  const sizes = [10, 20, 50, 100, usual, present].filter((size) => size > 0 && size <= limit);
  return [...new Set([...sizes, present])].sort((one, other) => one - other);
}
