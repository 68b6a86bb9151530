import type { Readable, Writable } from "node:stream";
import { asDragomanError, type DragomanError } from "../core/errors.ts";
import type { Services } from "../dialects/ui/server/index.ts";
import { connectUi } from "../transports/ui-connection.ts";

/** What was said by the end of a run may still be on its way to the UI; a UI that does not read is not waited for longer. */
const LONGEST_FAREWELL_MS = 1000;

interface StdioOptions {
  input: Readable;
  output: Writable;
  services: Services;
  /** Gives what is under way its grace and brings it to its end in the log. */
  stop(): Promise<void>;
  /** Diagnostics, for a person. */
  say(text: string): void;
}

/** Speaks `ui` on stdin and stdout until the UI closes either, and then brings what is under way to its end. */
export async function serveStdio({ input, output, services, stop, say }: StdioOptions): Promise<void> {
  const tell = (error: unknown) => {
    const known: DragomanError = asDragomanError(error);
    say(`dragoman: ${process.env.DRAGOMAN_DEBUG ? known.stack : known.message}\n`);
  };
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const connection = connectUi({ services, input, output, onEnd: end, onFault: tell, onError: tell });
  await ended;
  connection.detach();
  await stop();
  await Promise.race([
    connection.drained().catch(() => {}),
    new Promise((done) => setTimeout(done, LONGEST_FAREWELL_MS).unref()),
  ]);
  connection.close();
}
