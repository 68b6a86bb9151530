/** What a shell takes for an end by ctrl-c. */
export const INTERRUPTED = 130;

/** A process that does not come to an end by itself is ended. */
const LONGEST_MS = 5000;

/** What the first signal does instead of ending the process, while there is something; the next one ends it. */
export interface Signals {
  first?(code: number): void;
}

/**
 * Ends the process on a signal, or when whoever read our output has gone, but not before `stop` has brought what is under way to
 * its end. Returns the function that does so.
 */
export function leaveWith(stop: () => Promise<void>, signals: Signals = {}): (code: number) => void {
  let leaving = false;
  const leave = (code: number) => {
    if (leaving) return;
    leaving = true;
    setTimeout(() => process.exit(code), LONGEST_MS).unref();
    stop().then(
      () => process.exit(code),
      () => process.exit(code),
    );
  };
  for (const [signal, number] of [
    ["SIGINT", 2],
    ["SIGTERM", 15],
    ["SIGHUP", 1],
  ] as const) {
    process.on(signal, () => {
      const first = signal === "SIGHUP" ? undefined : signals.first; // a terminal that is gone shows no end
      signals.first = undefined;
      (first ?? leave)(128 + number);
    });
  }
  process.stdout.on("error", () => leave(0));
  return leave;
}
