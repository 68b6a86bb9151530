/** What one caller, and all of them together, may take of this process. */
export interface HttpLimits {
  headerBytes: number;
  /** Within this the headers of a request are there, counted from the connection for the first one. */
  headersMs: number;
  /** Within this the whole request is there. */
  requestMs: number;
  /** How long a connection stays open between two requests. */
  keepAliveMs: number;
  /** A connection that takes nothing of its answer, or is sent nothing of it, for so long is cut. */
  stallMs: number;
  /** How often the above are looked at. */
  checkEveryMs: number;
  connections: number;
  /** Streams and sockets that one token, with its sign-ins, has open. */
  streamsPerCaller: number;
  bodyBytes: number;
  /** Of all requests under way together. */
  bodyBytesInAll: number;
  /** Of large answers that have not left yet, of all requests together. */
  answerBytesInAll: number;
  /** For so long the rest of a refused body is read and dropped, so that its sender gets to read why. */
  lingerMs: number;
}

export const defaultLimits: HttpLimits = {
  headerBytes: 16 * 1024,
  headersMs: 4_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
  stallMs: 60_000,
  checkEveryMs: 500,
  connections: 2048,
  streamsPerCaller: 1500,
  bodyBytes: 16 * 1024 * 1024,
  bodyBytesInAll: 64 * 1024 * 1024,
  answerBytesInAll: 64 * 1024 * 1024,
  lingerMs: 2_000,
};
