import type { Line } from "../../transports/ndjson.ts";
import type { LinkEnd } from "../link-end.ts";

// The seam between the client and what carries its lines: the pipes of a child process, or a WebSocket.

export interface LinkEvents {
  /** A line, or what was wrong with it. */
  line(line: Line): void;
  /** After a `write` that gave false: there is room again. */
  drain(): void;
  /** What the runtime says beside the protocol. */
  log(text: string): void;
  /** Exactly once, after the last line. */
  closed(end: LinkEnd): void;
}

export interface Link {
  /** The largest line that it takes; 16 MiB where it does not say. */
  readonly mostBytes?: number;
  /** Takes a line with its LF. False means that it was taken, but the next should wait for `drain`. */
  write(text: string): boolean;
  /** Stops the reading where it can, so that the runtime has to wait. A few lines that were read already may still come. */
  pause(): void;
  resume(): void;
  /** Lets the runtime finish and, if it does not, ends it; `now` does not wait for it. Resolves when it is gone. */
  close(options?: { now?: boolean }): Promise<void>;
}

/** Opens a link. Nothing is told before it has returned. */
export type Connect = (events: LinkEvents) => Link;
