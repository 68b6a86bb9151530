import type { LinkEnd } from "../link-end.ts";

// The seam between the client and what carries its messages: a WebSocket, a socket of the system, or the pipes of a child process.

export type { LinkEnd } from "../link-end.ts";

export interface LinkEvents {
  /** It can be sent over. */
  opened(): void;
  /** The JSON text of a message. */
  message(text: string): void;
  /** Something came that is no text of a message, and was dropped. */
  unreadable(why: string): void;
  /** What the other side says beside the protocol. */
  log(line: string): void;
  /** Exactly once, and nothing after it. */
  closed(end: LinkEnd): void;
}

export interface Link {
  send(text: string): void;
  /** Bytes that were sent and have not left yet. */
  readonly unsent: number;
  /** Resolves when nothing is left of it; `now` does not wait for the other side. */
  close(options?: { now?: boolean }): Promise<void>;
}

/** Opens a link. Nothing is told before it has returned. */
export type Connect = (events: LinkEvents) => Link;

/** A message is one line, of so many bytes at most. */
export const MOST_BYTES = 16 * 1024 * 1024;
