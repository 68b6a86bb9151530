import type { Clock } from "../../core/clock.ts";
import type { RetryPolicy } from "./retry-table.ts";
import { RATE_LIMITED, StudioError } from "./studio-error.ts";

/** A try has failed, and there will be another. */
export interface Retry {
  method: string;
  /** How many tries there were so far, and how many there are at most. */
  tries: number;
  of: number;
  /** How long is waited before the next one. Where there is no runtime, it waits for that besides. */
  inMs: number;
  /** Why this one failed. */
  error: StudioError;
}

interface Retried<Ready, T> {
  method: string;
  policy: RetryPolicy;
  clock: Clock;
  /** Gives it all up, with its reason. */
  signal: AbortSignal;
  /** What each try needs. Its failure is no failure of a try, and final. */
  ready(): Promise<Ready>;
  attempt(ready: Ready): Promise<T>;
  onRetry(retry: Retry): void;
}

/** Tries as often as the policy allows, one after the other. */
export async function retried<Ready, T>(given: Retried<Ready, T>): Promise<T> {
  const { method, policy, clock, signal } = given;
  const began = clock.now();
  for (let tries = 1; ; tries++) {
    const ready = await unlessAborted(given.ready(), signal);
    try {
      return await given.attempt(ready);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const inMs = policy.waitsMs[tries - 1];
      if (!(error instanceof StudioError) || !isFailedTry(error, inMs)) throw error;
      if (inMs === undefined) throw tries === 1 ? error : spent(method, tries, clock.now() - began, error);
      given.onRetry({ method, tries, of: policy.waitsMs.length + 1, inMs, error });
      await waited(clock, inMs, signal);
    }
  }
}

/**
 * It was not answered in time, its runtime was lost, or a part of what it said was. Whatever a runtime answers is final, but for "too many":
 * that is worth another try after a wait, so where the document has a backoff, and only there.
 */
function isFailedTry({ code }: StudioError, inMs: number | undefined): boolean {
  if (code === RATE_LIMITED) return inMs !== undefined && inMs > 0;
  return code === "timeout" || code === "closed" || code === "protocol";
}

function spent(method: string, tries: number, ms: number, last: StudioError): StudioError {
  const message = `${method} failed ${tries} times in ${Math.round(ms / 1000)} s, the last time so: ${last.message}`;
  return new StudioError(last.code, message, { method, tries, ms }, { cause: last });
}

function waited(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0) return Promise.resolve();
  let callOff = () => {};
  const passed = new Promise<void>((resolve) => {
    callOff = clock.after(ms, resolve);
  });
  return unlessAborted(passed, signal).finally(callOff);
}

/** What the promise gives, unless it is given up before; then the reason for that. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}
