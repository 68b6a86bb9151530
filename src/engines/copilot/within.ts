import { type Clock, systemClock } from "../../core/clock.ts";
import { DragomanError } from "../../core/errors.ts";

/** What the work comes to, or a failure when it takes longer than that. */
export async function within<T>(ms: number, work: Promise<T>, clock: Clock = systemClock): Promise<T> {
  let callOff = () => {};
  const late = new Promise<never>((_, reject) => {
    const tooLong = new DragomanError("engine_failed", `Copilot gave no answer within ${ms / 1000} seconds.`);
    callOff = clock.after(ms, () => reject(tooLong));
  });
  return Promise.race([work, late]).finally(callOff);
}
