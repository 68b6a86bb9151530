import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { extname } from "node:path";
import { pipeline } from "node:stream/promises";
import { DragomanError, messageOf } from "../core/errors.ts";
import type { Event } from "../core/events.ts";
import type { Store } from "../core/store.ts";
import { readWhole, wholeInput } from "../core/whole.ts";
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
  const { sessionId } = await findSession(store, options.session);
  const parts = format === "jsonl" ? jsonlParts(store, sessionId) : markdownParts(store, sessionId);
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

/** As the log has it. The first line makes it a recording, which can be played again. */
async function* jsonlParts(store: Store, sessionId: string): AsyncGenerator<string> {
  yield `${JSON.stringify({ recording: 1, sessionId })}\n`;
  for await (const page of pages((after) => store.read(sessionId, { after, limit: PAGE }))) {
    yield page.map((event) => `${printable(JSON.stringify(event))}\n`).join("");
  }
}

async function* markdownParts(store: Store, sessionId: string): AsyncGenerator<string> {
  const fold = markdownFold(sessionId);
  for await (const page of pages((after) => readWhole(store, sessionId, { after, limit: PAGE }))) {
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

async function* pages(read: (after: number) => Promise<Event[]>): AsyncGenerator<Event[]> {
  for (let after = 0; ; ) {
    const page = await read(after);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.seq;
  }
}
