import type { Writable } from "node:stream";
import { type LinkEvents, MessageLink } from "./message-link.ts";
import { encodeLine, type Line, NdjsonDecoder } from "./ndjson.ts";

const MOST_UNSENT_BYTES = 4 * 1024 * 1024;

/** Where bytes come from; a stream, or what reads into one buffer again and again. */
export interface Source {
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  on(event: "end" | "error" | "close", listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

interface Lines {
  input: Source;
  output: Writable;
  maxLineBytes?: number;
}

/** Lines in, lines out, over a pair of byte streams. A tick's lines leave in one write. */
export function lineLink({ input, output, maxLineBytes }: Lines, events: LinkEvents): MessageLink {
  const decoder = new NdjsonDecoder({ maxBytes: maxLineBytes });
  let ended = false;
  const link = new MessageLink({
    write: (messages, sent) => output.write(messages.map(encodeLine).join(""), sent),
    pause: () => void (ended || input.pause()),
    resume: () => void (ended || input.resume()),
    mostUnsentBytes: MOST_UNSENT_BYTES,
    onSent: () => events.onSent?.(),
    onClosed: () => events.onClosed?.(),
  });
  const take = (lines: Line[]) => {
    for (const line of lines) events.onMessage(line);
  };
  const end = () => {
    if (ended) return;
    ended = true;
    take(decoder.end());
    events.onEnd();
  };
  input.on("data", (chunk: Buffer) => take(decoder.push(chunk)));
  for (const event of ["end", "error", "close"] as const) input.on(event, end);
  for (const event of ["error", "close"] as const) output.on(event, () => link.close());
  return link;
}
