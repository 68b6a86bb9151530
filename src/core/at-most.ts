import { type Clock, systemClock } from "./clock.ts";

/** Waits for the work, but no longer than that. What goes wrong with it is no matter here. */
export async function atMost(ms: number, work: Promise<void>, clock: Clock = systemClock): Promise<void> {
  let callOff = () => {};
  const late = new Promise<void>((resolve) => {
    callOff = clock.after(ms, resolve);
  });
  await Promise.race([work.catch(() => {}), late]).finally(callOff);
}
