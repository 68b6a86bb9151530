/** What one socket, and one caller with all of them, may take of this process. */
export interface SocketLimits {
  messageBytes: number;
  /** Of one message. Each may hold on to 64 KB of what came with it; a browser makes 17 of the largest message. */
  fragments: number;
  /** Pieces in which what is not whole yet may have come: each costs more than its few bytes. */
  pieces: number;
  /** Of one sign-in, or of one token where it came without. */
  perCaller: number;
  /** A socket of which more than this has not left is cut: its other side does not read. */
  unsentBytes: number;
  pingEveryMs: number;
  /** Within this the other side has to do its part of a close. */
  closeMs: number;
}

export const defaultSocketLimits: SocketLimits = {
  messageBytes: 1024 * 1024,
  fragments: 64,
  pieces: 4096,
  perCaller: 100,
  unsentBytes: 4 * 1024 * 1024,
  pingEveryMs: 30_000,
  closeMs: 2_000,
};
