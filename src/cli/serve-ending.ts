import { INTERRUPTED } from "./leave.ts";

/** Whoever stops a service by SIGTERM, or by closing its stdin, wanted what it gets; the others see by what it was ended. */
const codes = { SIGTERM: 0, SIGINT: INTERRUPTED, SIGHUP: 129 } as const;

interface EndingOptions {
  /** Whether the end of stdin ends it, too. */
  untilStdinEnds: boolean;
  /** The first signal was not enough. */
  onHurry(): void;
}

/** Resolves with the exit code when the process is told to end. A third signal ends it on the spot. */
export function toldToEnd({ untilStdinEnds, onHurry }: EndingOptions): Promise<number> {
  return new Promise((resolve) => {
    let times = 0;
    for (const [signal, code] of Object.entries(codes)) {
      process.on(signal, () => {
        times++;
        if (times === 1) resolve(code);
        else if (times === 2) onHurry();
        else process.exit(code);
      });
    }
    if (!untilStdinEnds) return;
    for (const event of ["end", "close", "error"]) process.stdin.on(event, () => resolve(codes.SIGTERM));
    process.stdin.resume();
  });
}
