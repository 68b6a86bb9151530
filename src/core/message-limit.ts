// The `operations` wire bounds an operation to 1000 messages. It is core that counts them, since it is core that must fail the
// run, on every dialect alike; the count is never less than what the dialect's fold makes of the same events.

const MOST = 1000;
/** What is kept free for the run's own end: an error, a result and the line before it. */
const RESERVED = 10;
/** From here on thinking is coalesced: a stretch of it is one message. */
const COALESCE_FROM = 800;
const MESSAGE_BYTES = 10 * 1024;

/** What is counted of an event. */
interface Counted {
  type: string;
  text?: string;
  of?: string;
  callId?: string;
}

export class MessageLimit {
  #count = 0;
  #stretch = "";

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
    if (event.type === "usage.updated") return 0;
    const { type, text, of = "", callId = "" } = event;
    const stretch = `${type} ${of} ${callId}`;
    const begins = this.#stretch === stretch ? 0 : 1;
    this.#stretch = stretch;
    if (text === undefined) return 1 + parts(JSON.stringify(event));
    if (type === "thinking.delta" && this.#count >= COALESCE_FROM) return begins + parts(text);
    return begins + lines(text) + parts(text);
  }
}

const parts = (text: string) => Math.floor((text.length * 3) / MESSAGE_BYTES);

function lines(text: string): number {
  let count = 0;
  for (const character of text) if (character === "\n" || character === "\r") count++;
  return count;
}
