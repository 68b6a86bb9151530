import { shortened } from "./problem.ts";
import type { CodeReading } from "./read-code.ts";

/** Nothing is known of code that was not read, so it is refused. */
export function unread(what: string, why: string): CodeReading {
  const message = shortened(`The code cannot be read: ${why}.`);
  return {
    unreadable: { stage: "parse", message },
    refused: [{ what: `code ${what}`, line: 1, column: 1 }],
    unchecking: [],
  };
}
