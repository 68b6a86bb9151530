import type { Readable, Writable } from "node:stream";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { atMost } from "../../core/at-most.ts";
import { Firewall } from "./firewall.ts";

const UPDATE = "session/update";
/** How long the end of what an agent says may come after it has stopped to listen. */
const LAST_WORDS_MS = 500;

export interface MessageStreamOptions {
  /** Nothing more is read before it resolves. */
  onUpdate(params: unknown): Promise<void>;
  onStray(line: string): void;
}

/**
 * An agent's pipes as a stream of messages. Updates are taken out on the way, one after the other: the SDK's connection does not wait for
 * whoever handles them, and so the answer to a prompt could overtake what was said before it, and a flood of them would be held in memory.
 */
export function messageStream(stdin: Writable, stdout: Readable, options: MessageStreamOptions): Stream {
  const asked = new Set<unknown>();
  const messages = protocolIn(stdout, options, asked);
  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        const { value, done } = await messages.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void stdout.destroy(),
    },
    { highWaterMark: 0 },
  );
  const writable = new WritableStream<AnyMessage>({
    write(message) {
      if ("method" in message && "id" in message) asked.add(message.id);
      return written(stdin, message).catch(async (error) => {
        await atMost(LAST_WORDS_MS, closed(stdout)); // whoever is told that it is gone stops listening
        throw error;
      });
    },
  });
  return { readable, writable };
}

async function* protocolIn(
  stdout: Readable,
  { onUpdate, onStray }: MessageStreamOptions,
  asked: Set<unknown>,
): AsyncGenerator<AnyMessage, void> {
  let come: AnyMessage[] = [];
  const firewall = new Firewall({ onMessage: (message) => come.push(message), onStray });
  for await (const chunk of chunksOf(stdout)) {
    if (chunk) firewall.push(chunk);
    else firewall.end();
    const taken = come;
    come = [];
    for (const message of taken) {
      if ("method" in message) {
        if (message.method === UPDATE && !("id" in message)) await onUpdate(message.params);
        else yield message;
      } else if (asked.delete(message.id)) {
        yield message;
        // What was asked has come to its end before anything is heard that was said after it.
        await new Promise((resolve) => setImmediate(resolve));
      } else onStray(`(an answer to a request that was not made) ${JSON.stringify(message).slice(0, 200)}`);
    }
  }
}

/** All of it, then nothing. A stream that breaks has ended: what became of the process is told elsewhere. */
async function* chunksOf(stdout: Readable): AsyncGenerator<Uint8Array | undefined> {
  try {
    yield* stdout;
  } catch {}
  yield undefined;
}

const closed = (stream: Readable) => new Promise<void>((resolve) => stream.once("close", resolve));

function written(stdin: Writable, message: AnyMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
