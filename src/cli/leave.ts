/** A process that does not come to an end by itself is ended. */
const LONGEST_MS = 5000;

/**
 * Ends the process on a signal, or when whoever read our output has gone, but not before `stop` has brought what is under way to
 * its end. Returns the function that does so.
 */
export function leaveWith(stop: () => Promise<void>): (code: number) => void {
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
    process.on(signal, () => leave(128 + number));
  }
  process.stdout.on("error", () => leave(0));
  return leave;
}
