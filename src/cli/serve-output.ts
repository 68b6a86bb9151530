import type { Writable } from "node:stream";

/** Of lines that nobody has read yet; further ones are dropped. */
const MOST_UNREAD_BYTES = 1024 * 1024;

export interface LogOutput {
  write(line: string): void;
  /** Resolves when all was read, or after so long. */
  flushed(longestMs: number): Promise<void>;
}

/**
 * An output for the lines of a log. Whoever started this process may not read them, and they must not gather here without bound: so
 * lines are dropped, and how many is told when it reads again.
 */
export function boundedOutput(output: Writable, mostUnread = MOST_UNREAD_BYTES): LogOutput {
  let dropped = 0;
  const tellDropped = () => {
    if (dropped === 0) return;
    const count = dropped;
    dropped = 0;
    output.write(`${JSON.stringify({ level: "warn", event: "log.dropped", lines: count })}\n`);
  };
  output.on("error", () => {}); // nobody reads it any more
  output.on("drain", tellDropped);
  return {
    write: (line) => {
      if (output.writableLength > mostUnread) dropped++;
      else output.write(line);
    },
    flushed: (longestMs) =>
      new Promise((resolve) => {
        if (output.writableLength === 0 || output.destroyed) return resolve();
        const timer = setTimeout(resolve, longestMs);
        output.write("", () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}
