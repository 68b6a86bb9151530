import { SseDecoder, type SseEvent } from "../../transports/sse.ts";
import { isObject } from "../is-object.ts";
import { jsonIn } from "./http-answer.ts";
import { Patience } from "./patience.ts";
import type { SidecarEvent } from "./protocol.ts";
import type { ServerLink } from "./server-link.ts";
import { SidecarError } from "./sidecar-error.ts";

const EVENT_STREAM = "text/event-stream";

interface Wanted {
  link: ServerLink;
  sessionId: string;
  /** The id of the last event that is known; "" if none is. */
  after: string;
  signal: AbortSignal;
  /** How long the server may take to answer. */
  timeoutMs: number;
  /** How long it may be silent then. */
  silenceMs: number;
}

/** One connection of a stream: what it tells that is not known yet. */
export class EventConnection {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #patience: Patience;
  readonly #silenceMs: number;
  readonly #decoder = new SseDecoder();
  #known: string;
  #named = "";

  /** `undefined` when the session is closed and nothing will follow. */
  static async open({ link, sessionId, after, signal, timeoutMs, silenceMs }: Wanted) {
    const patience = new Patience("The stream", timeoutMs, signal);
    try {
      const headers: Record<string, string> = { accept: EVENT_STREAM, ...(after && { "last-event-id": after }) };
      const path = `stream/${encodeURIComponent(sessionId)}`;
      const response = await link.send(path, { method: "GET", headers }, patience.signal);
      if (response.status !== 204) return new EventConnection(streamIn(response), { after, patience, silenceMs });
    } catch (error) {
      patience.end();
      throw error;
    }
    patience.end();
    return undefined;
  }

  private constructor(
    body: ReadableStream<Uint8Array>,
    { after, patience, silenceMs }: { after: string; patience: Patience; silenceMs: number },
  ) {
    this.#reader = body.getReader();
    this.#known = after;
    this.#patience = patience;
    this.#silenceMs = silenceMs;
  }

  /** What the server asked to wait before the next connection. */
  get retryMs(): number | undefined {
    return this.#decoder.retry;
  }

  /** The next events, also none; `undefined` at the end. */
  async read(): Promise<SidecarEvent[] | undefined> {
    this.#patience.within(this.#silenceMs);
    const { done, value } = await this.#reader.read();
    this.#patience.within(Number.POSITIVE_INFINITY); // whoever takes them may do so in his own time
    return done ? undefined : this.#decoder.push(value).flatMap((event) => this.#new(event));
  }

  close(): void {
    this.#patience.end();
    this.#reader.cancel().catch(() => {});
  }

  #new(event: SseEvent | Error): SidecarEvent[] {
    if (event instanceof Error) throw new SidecarError("overflow", event.message);
    const { id } = event;
    // The format gives an event without an id that of the one before; what is told twice comes on another connection.
    if (id === this.#named) return [eventOf(event)];
    this.#named = id;
    if (!isAfter(id, this.#known)) return [];
    this.#known = id;
    return [{ ...eventOf(event), id }];
  }
}

function streamIn(response: Response): ReadableStream<Uint8Array> {
  const type = response.headers.get("content-type") ?? "nothing";
  if (response.body && type.startsWith(EVENT_STREAM)) return response.body;
  response.body?.cancel().catch(() => {});
  throw new SidecarError("protocol", `The stream was answered with ${type} and not with ${EVENT_STREAM}`);
}

function eventOf({ event, data: text }: SseEvent): SidecarEvent {
  const data = jsonIn(text, `The data of an event "${event}"`);
  if (!isObject(data)) throw new SidecarError("protocol", `The data of an event "${event}" is no object`);
  return { event, data } as SidecarEvent; // the server's own table says what an event of that name has in it
}

const EVENT_ID = /^(\d{1,15})\.(\d{1,15})$/;
/** The number of an event in the log, as other protocols have it. */
const LOG_SEQ = /^\d{1,15}$/;

export const isCursor = (id: string) => EVENT_ID.test(id) || LOG_SEQ.test(id);

/** Ids are `<seq>.<k>`: the k-th message that the event seq became. */
function isAfter(id: string, known: string): boolean {
  const [seq, k] = numbersIn(id);
  if (known === "") return true;
  const [knownSeq, knownK] = LOG_SEQ.test(known) ? [Number(known), Number.POSITIVE_INFINITY] : numbersIn(known);
  return seq > knownSeq || (seq === knownSeq && k > knownK);
}

function numbersIn(id: string): [number, number] {
  const [, seq, k] = EVENT_ID.exec(id) ?? [];
  if (seq === undefined)
    throw new SidecarError("protocol", `The server numbers an event ${JSON.stringify(id.slice(0, 50))}`);
  return [Number(seq), Number(k)];
}
