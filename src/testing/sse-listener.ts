import { SseDecoder } from "../transports/sse.ts";
import { until } from "./scripted.ts";
import type { ServeProcess } from "./serve-process.ts";
import type { WireMessage } from "./ui-wire.ts";

export interface Heard {
  id: string;
  event: string;
  data: WireMessage;
}

/** One GET of a session's stream, and what it has brought so far. */
export class SseListener {
  readonly heard: Heard[] = [];
  ended = false;
  readonly #abort = new AbortController();

  static async open(
    server: Pick<ServeProcess, "fetch">,
    sessionId: string,
    headers: Record<string, string> = {},
  ): Promise<SseListener> {
    const listener = new SseListener();
    const { signal } = listener.#abort;
    const response = await server.fetch(`/stream/${sessionId}`, { headers, signal });
    if (!response.ok || !response.body) throw new Error(`${response.status}: ${await response.text()}`);
    void listener.#read(response.body).catch(() => {
      listener.ended = true;
    });
    return listener;
  }

  async hears(fits: (heard: Heard) => boolean, what = "an event"): Promise<Heard> {
    const find = () => this.heard.find(fits);
    await until(() => find() !== undefined, what);
    return find() as Heard;
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new SseDecoder();
    for await (const chunk of body) {
      for (const event of decoder.push(chunk)) {
        if (event instanceof Error) throw event;
        this.heard.push({ ...event, data: JSON.parse(event.data) });
      }
    }
    this.ended = true;
  }
}
