import type { ErrorCode } from "../core/errors.ts";
import type { Artifact } from "../core/store.ts";
import type { CallRequest } from "./sqlite-calls.ts";

// What the writer thread is asked, and what it answers.

export interface WriterData {
  path: string;
  migrations: readonly string[];
}

export interface AppendRequest {
  sessionId: string;
  epoch: number;
  ats: number[];
  /** The type of each event, and its JSON (see `draftText`), a line each: one long text is far cheaper to send than many. */
  types: string;
  texts: string;
  /** Of the texts and the artifacts. */
  bytes: number;
  artifacts: Artifact[];
}

export type WriteRequest = AppendRequest | CallRequest;

export type Request = WriteRequest | "compact" | "close";

export interface Failure {
  code: ErrorCode;
  message: string;
}

/** The seq of the first event, and the times where they differ from the given ones. */
export type Appended = number | { first: number; ats: number[] };

/** To a call what it returned. */
export type Reply = Appended | { value: unknown } | Failure;

/** The first message of the thread is "ready" or a failure to open the file. */
export type WriterMessage = "ready" | Failure | Reply[];
