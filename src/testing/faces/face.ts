import { until } from "../scripted.ts";
import { WireEnd } from "../wire-end.ts";

/** What a protocol has shown of a run, in one form for all of them. */
export interface Seen {
  text: string;
  /** By the id of the call. */
  tools: Record<string, "running" | "done" | "failed">;
  /** By the id of the ask. */
  asks: Record<string, "open" | "closed">;
  end?: "completed" | "failed" | "cancelled";
}

export const nothingSeen = (): Seen => ({ text: "", tools: {}, asks: {} });

/** A session as a client of one protocol has it: from its first run on, and live. */
export interface Face {
  readonly dialect: string;
  /** The latest run. */
  seen(): Seen;
  prompt(text: string): Promise<void>;
  /** Says yes; fails when that was refused. */
  approve(askId: string): Promise<void>;
  /** The protocol's own code of the error that an answer to a closed ask gets. */
  lateAnswer(askId: string): Promise<unknown>;
  cancel(): Promise<void>;
  /** The last event of the log that it was told of. */
  lastSeq(): number;
  /** The ids of the sessions that it is told of. */
  sessions(): Promise<string[]>;
  close(): void;
}

/** A server, as whoever has a certain token comes in. */
export interface Door {
  url: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** A WebSocket. */
  wire(path: string): Promise<WireEnd>;
}

export function doorOf({ url }: { url: string }, token: string): Door {
  const authorization = `Bearer ${token}`;
  return {
    url,
    fetch: (path, init = {}) => fetch(url + path, { ...init, headers: { authorization, ...init.headers } }),
    wire: (path) => WireEnd.ofSocket(url.replace("http", "ws") + path, { authorization }),
  };
}

/** Where a face begins: what the session and its latest run are called. */
export interface Begun {
  sessionId: string;
  runId: string;
}

export async function sees(face: Face, fits: (seen: Seen) => boolean, what: string): Promise<Seen> {
  await until(() => fits(face.seen()), `${face.dialect} never saw ${what}: ${JSON.stringify(face.seen())}`);
  return face.seen();
}

export const openAsk = ({ asks }: Seen): string | undefined => Object.keys(asks).find((id) => asks[id] === "open");

/** The same words, whatever the wire does to blanks between blocks and lines. */
export const words = (text: string): string => text.replace(/\s+/g, " ").trim();
