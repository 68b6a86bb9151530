/** How long it takes when no other program is in its way: the least of a few times. */
export function leastMs(act: () => void, times = 5): number {
  const took = Array.from({ length: times }, () => {
    const begun = performance.now();
    act();
    return performance.now() - begun;
  });
  return Math.min(...took);
}
