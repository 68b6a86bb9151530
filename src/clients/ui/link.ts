import type { Line } from "../../transports/ndjson.ts";
import type { UiError } from "./ui-error.ts";

// The seam between the client and what carries its lines: pipes to a child process today, a WebSocket just as well.

export interface LinkEvents {
  /** A line, or what was wrong with it. */
  line(line: Line): void;
  /** After a `write` that gave false: there is room again. */
  drain(): void;
  /** What the runtime says beside the protocol. */
  log(text: string): void;
  /** Exactly once, after the last line. */
  closed(reason: UiError): void;
}

export interface Link {
  /** Takes a line with its LF. False means that it was taken, but the next should wait for `drain`. */
  write(text: string): boolean;
  /** Stops the reading, so that the runtime has to wait. A few lines that were read already may still come. */
  pause(): void;
  resume(): void;
  /** Lets the runtime finish and, if it does not, ends it; `now` does not wait for it. Resolves when it is gone. */
  close(options?: { now?: boolean }): Promise<void>;
}

/** Opens a link. Nothing is told before it has returned. */
export type Connect = (events: LinkEvents) => Link;
