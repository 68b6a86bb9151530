const inAll = 400_000;
const always = 100;

/**
 * How many properties of one object are looked at. Each operation may be about the same wide one, so what thousands of
 * operations may be about is narrower.
 */
export function mostProperties(operations: number): number {
  return Math.max(always, Math.floor(inAll / Math.max(1, operations)));
}
