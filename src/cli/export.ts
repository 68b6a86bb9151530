import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { extname } from "node:path";
import { pipeline } from "node:stream/promises";
import { DragomanError, messageOf } from "../core/errors.ts";
import type { Event } from "../core/events.ts";
import type { Range, Store } from "../core/store.ts";
import type { SessionSummary } from "../core/summary.ts";
import { readWhole, wholeInput } from "../core/whole.ts";
import type { Gap } from "../dialects/dialect.ts";
import { exportedEvent } from "../dialects/exported-event.ts";
import { markdownFold } from "../dialects/markdown.ts";
import { findSession } from "./find-session.ts";
import { printable } from "./terminal/event-frames.ts";

export const exportFormats = ["jsonl", "markdown"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportOptions {
  store: Store;
  stdout: NodeJS.WritableStream;
  session: string;
  /** By the extension of `output`, or else `jsonl`. */
  format?: string;
  /** A file; stdout, if not said. */
  output?: string;
}

const PAGE = 500;

/** Writes a session's log to a file or to stdout, a page at a time. Resolves with the exit code of the process. */
export async function exportSession(options: ExportOptions): Promise<number> {
  const { store, stdout, output } = options;
  const format = formatOf(options);
  const summary = await findSession(store, options.session);
  const parts = format === "jsonl" ? jsonlParts(store, summary) : markdownParts(store, summary);
  if (output === undefined || output === "-") await writeOut(stdout, parts);
  else await writeFile(output, parts);
  return 0;
}

/** Whoever reads may have had enough. */
async function writeOut(stdout: NodeJS.WritableStream, parts: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(parts, stdout, { end: false });
    await new Promise<void>((resolve) => stdout.write("", () => resolve())); // the last of it has left
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  }
}

function formatOf({ format, output }: ExportOptions): ExportFormat {
  const byName: Record<string, ExportFormat> = { ".md": "markdown", ".markdown": "markdown" };
  if (format === undefined) return byName[extname(output ?? "").toLowerCase()] ?? "jsonl";
  const known = exportFormats.find((each) => each === format);
  if (known) return known;
  throw new DragomanError("invalid_params", `There is no format "${format}". There are: ${exportFormats.join(", ")}.`);
}

/** Whole or not at all: a file that is there is replaced when the new one is complete. */
async function writeFile(path: string, parts: AsyncIterable<string>): Promise<void> {
  const partial = `${path}.${process.pid}.part`;
  try {
    await pipeline(parts, createWriteStream(partial, { flags: "wx", mode: 0o600 }));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    if (error instanceof DragomanError) throw error;
    throw new DragomanError("invalid_params", `Cannot write ${path}: ${messageOf(error)}`, undefined, { cause: error });
  }
}

/** As the log has it. The first line makes it a recording, which can be played again, and says how much was pruned before. */
async function* jsonlParts(store: Store, { sessionId, lastSeq }: SessionSummary): AsyncGenerator<string> {
  let begun = false;
  for await (const { page, gap } of pages(lastSeq, (range) => store.read(sessionId, range))) {
    if (begun && gap) throw prunedMeanwhile(gap);
    if (!begun) yield `${JSON.stringify({ recording: 1, sessionId, pruned: gap?.to })}\n`;
    begun = true;
    yield page.map((event) => `${printable(JSON.stringify(exportedEvent(event)))}\n`).join("");
  }
}

function prunedMeanwhile({ from, to }: Pruned): DragomanError {
  return new DragomanError("conflict", `Events ${from} to ${to} were pruned while the session was written. Try again.`);
}

async function* markdownParts(store: Store, summary: SessionSummary): AsyncGenerator<string> {
  const { sessionId, lastSeq } = summary;
  const fold = markdownFold(sessionId);
  for await (const { page, gap } of pages(lastSeq, (range) => readWhole(store, sessionId, range))) {
    if (gap?.from === 1) yield fold.push(asCreated(summary));
    if (gap) yield fold.gap(gap);
    for (const event of page) {
      const text = fold.push(await withWholeInput(store, sessionId, event));
      if (text !== "") yield text;
    }
  }
  const rest = fold.end();
  if (rest !== "") yield rest;
}

async function withWholeInput(store: Store, sessionId: string, event: Event): Promise<Event> {
  if (event.type !== "run.started" || event.input.artifactId === undefined) return event;
  return { ...event, input: await wholeInput(store, sessionId, event.input) };
}

/** The event that began the session, by what is still known of it. */
function asCreated({ createdAt: at, workspace, engine, model, title }: SessionSummary): Event {
  return { seq: 1, at, type: "session.created", workspace, engine, model, title };
}

type Pruned = Pick<Gap, "from" | "to">;

type Page = { page: Event[]; gap?: Pruned };

/** The log as it was, however it goes on meanwhile, with what was pruned before a page. */
async function* pages(lastSeq: number, read: (range: Range) => Promise<Event[]>): AsyncGenerator<Page> {
  for (let after = 0; ; ) {
    const page = await read({ after, before: lastSeq + 1, limit: PAGE });
    const [first, last] = [page[0], page.at(-1)];
    if (!first || !last) return;
    yield { page, ...(first.seq > after + 1 && { gap: { from: after + 1, to: first.seq - 1 } }) };
    after = last.seq;
  }
}
