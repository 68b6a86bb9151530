// The `operations` wire bounds an operation to 1000 messages. It is core that counts them, since it is core that must fail the
// run, on every dialect alike; the count is never less than what the dialect's fold makes of the same events.

const MOST = 1000;
/** What is kept free for the run's own end: an error, or the line before the last one, and the last one. */
const RESERVED = 10;
/** From here on thinking is coalesced: a stretch of it is one message. */
const COALESCE_FROM = 800;
const MESSAGE_BYTES = 10_000;

/** What is counted of an event. */
interface Counted {
  type: string;
  text?: string;
  of?: string;
  callId?: string;
  args?: unknown;
  result?: unknown;
  diff?: unknown;
}

export class MessageLimit {
  #count = 0;
  /** Deltas of one kind that follow each other, and how many bytes they have. */
  #stretch = "";
  #bytes = 0;

  get counted(): number {
    return this.#count;
  }

  /** Counts an event; says what is wrong when it is one too many. */
  count(event: Counted): string | undefined {
    this.#count += this.#messages(event);
    if (this.#count <= MOST - RESERVED) return undefined;
    return `The operation said more than the ${MOST} messages that an operation may have. Ask for less at once.`;
  }

  #messages(event: Counted): number {
    const { type, text, of = "", callId = "" } = event;
    if (type === "usage.updated") return 0;
    const isDelta = type === "thinking.delta" || type === "text.delta" || type === "tool.output";
    const stretch = isDelta ? `${type} ${of} ${callId}` : "";
    const begins = isDelta && this.#stretch === stretch ? 0 : 1;
    if (begins) this.#bytes = 0;
    this.#stretch = stretch;
    const before = parts(this.#bytes);
    this.#bytes += Buffer.byteLength(text ?? JSON.stringify(spokenOf(event)));
    const coalesced = text === undefined || (type === "thinking.delta" && this.#count >= COALESCE_FROM);
    return begins + parts(this.#bytes) - before + (coalesced ? 0 : lines(text));
  }
}

/** What a person reads of an event: not what a tool is given and gives, nor what of a result is for programs. */
function spokenOf(event: Counted): Counted {
  if (event.type === "tool.requested") return { ...event, args: undefined };
  if (event.type === "tool.finished") return { ...event, result: undefined, diff: undefined };
  if (event.type === "run.completed") return { ...event, result: { ...(event.result as object), data: undefined } };
  return event;
}

/** How many more messages so many bytes may be; a cut at the end of a line leaves a message half empty at the worst. */
const parts = (bytes: number) => 2 * Math.floor(bytes / (MESSAGE_BYTES - 4));

function lines(text: string): number {
  let count = 0;
  for (const character of text) if (character === "\n" || character === "\r") count++;
  return count;
}
