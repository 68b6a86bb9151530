import type { Clock } from "../../core/clock.ts";

/** Waits so long, or until it is called off. */
export function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      callOff();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const callOff = clock.after(ms, end);
    signal.addEventListener("abort", end);
  });
}

export const LATE: unique symbol = Symbol("late");

/** What the work comes to, unless it takes longer than that. Whatever it comes to then is no matter. */
export async function within<T>(ms: number, work: Promise<T>, clock: Clock): Promise<T | typeof LATE> {
  work.catch(() => {});
  let callOff = () => {};
  const late = new Promise<typeof LATE>((resolve) => {
    callOff = clock.after(ms, () => resolve(LATE));
  });
  return Promise.race([work, late]).finally(callOff);
}
