import { NdjsonDecoder } from "../../transports/ndjson.ts";
import { type CommandTarget, commandFor, RuntimeChild } from "../runtime-child.ts";
import type { Connect } from "./link.ts";

// What a page cannot have, loaded only where it is asked for.

export type SpawnOptions = CommandTarget;

/** A link to a runtime that is started for it, and that never outlives it. */
export function spawned(options: SpawnOptions, dialect = "ui"): Connect {
  const command = commandFor(options, dialect);
  return (events) => {
    const decoder = new NdjsonDecoder();
    return new RuntimeChild(command, {
      data: (chunk) => {
        for (const line of decoder.push(chunk)) events.line(line);
      },
      drain: () => events.drain(),
      log: (line) => events.log(line),
      closed: (message, neverBegan) => {
        for (const line of decoder.end()) events.line(line);
        events.closed({ message, neverBegan });
      },
    });
  };
}
