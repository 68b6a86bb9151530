import { atMost } from "../core/at-most.ts";
import { asDragomanError, type DragomanError } from "../core/errors.ts";
import type { Speak } from "./stdio-dialects.ts";

/** What was said by the end of a run may still be on its way to the UI; a UI that does not read is not waited for longer. */
const LONGEST_FAREWELL_MS = 1000;
/** What the UI sent before it closed is answered, and a run that it asked for is started, before all comes to its end. */
const LONGEST_LAST_ANSWER_MS = 5000;

interface StdioOptions {
  /** Connects whoever started this process, in the dialect that it speaks. */
  speak: Speak;
  /** Gives what is under way its grace, the usual one if not said, and brings it to its end in the log. */
  stop(graceMs?: number): Promise<void>;
  /** Diagnostics, for a person. */
  say(text: string): void;
}

export interface Serving {
  /** Resolves with the exit code when the UI has closed either stream, or it failed, and what was under way has come to its end. */
  ended: Promise<number>;
  /** It cannot go on: what was asked is answered, and it ends. */
  fail(): void;
  /** Brings everything to its end at once, and tells the UI. */
  leave(): Promise<void>;
}

/** Speaks a dialect on stdin and stdout. */
export function serveStdio({ speak, stop, say }: StdioOptions): Serving {
  const tell = (error: unknown) => {
    const known: DragomanError = asDragomanError(error);
    say(`dragoman: ${process.env.DRAGOMAN_DEBUG ? known.stack : known.message}\n`);
  };
  let end = (_code: number) => {};
  const closed = new Promise<number>((resolve) => {
    end = resolve;
  });
  const fail = () => end(1);
  const connection = speak({ onEnd: () => end(0), onFatal: fail, onFault: tell, onError: tell });
  const leave = async (graceMs?: number) => {
    connection.detach();
    await stop(graceMs);
    await atMost(LONGEST_FAREWELL_MS, connection.drained());
    connection.close();
  };
  const ended = closed.then(async (code) => {
    connection.detach();
    await atMost(LONGEST_LAST_ANSWER_MS, connection.settled());
    await leave();
    return code;
  });
  return { ended, fail, leave: () => leave(0) };
}
