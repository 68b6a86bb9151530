import type { Readable, Writable } from "node:stream";
import { NdjsonDecoder } from "../../transports/ndjson.ts";
import type { Connect } from "./link.ts";

export interface StreamTarget {
  /** What the server says. */
  input: Readable;
  /** What it is told. */
  output: Writable;
}

/** A link over a pair of byte streams, one message a line. Whoever brings them ends them; `close` ends the output. */
export function streamLink({ input, output }: StreamTarget): Connect {
  return (events) => {
    const decoder = new NdjsonDecoder();
    let tell = (reason: string) => {
      tell = () => {};
      for (const line of decoder.end()) events.line(line);
      events.closed({ message: `The connection ended: ${reason}` });
      resolveGone();
    };
    let resolveGone = () => {};
    const gone = new Promise<void>((resolve) => (resolveGone = resolve));
    input.on("data", (chunk: Uint8Array) => {
      for (const line of decoder.push(chunk)) events.line(line);
    });
    input.on("end", () => tell("the server says no more"));
    input.on("close", () => tell("its input was closed"));
    for (const stream of [input, output]) stream.on("error", (error) => tell(error.message));
    output.on("drain", () => events.drain());
    return {
      write: (text) => !output.writable || output.write(text),
      pause: () => void input.pause(),
      resume: () => void input.resume(),
      close: ({ now = false } = {}) => {
        output.end();
        if (now) tell("it was closed");
        return gone;
      },
    };
  };
}
