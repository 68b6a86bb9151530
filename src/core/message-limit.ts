import type { Emitted } from "./engine.ts";

// The `operations` wire bounds an operation to 1000 messages. It is core that counts them, since it is core that must fail the
// run, on every dialect alike; the count is never less than what the dialect's fold makes of the same events.

const MOST = 1000;
/** What is kept free for the run's own end: an error, a result and the line before it. */
const RESERVED = 10;
/** From here on thinking is coalesced: a stretch of it is one message. */
const COALESCE_FROM = 800;
const MESSAGE_BYTES = 10 * 1024;

export class MessageLimit {
  #count = 0;
  #stretch = "";

  /** Counts an event; says what is wrong when it is one too many. */
  count(event: Emitted): string | undefined {
    this.#count += this.#messages(event);
    if (this.#count <= MOST - RESERVED) return undefined;
    return `The operation said more than the ${MOST} messages that an operation may have. Ask for less at once.`;
  }

  #messages(event: Emitted): number {
    if (event.type === "usage.updated") return 0;
    const stretch = "callId" in event ? `${event.type} ${event.callId}` : event.type;
    const begins = this.#stretch === stretch ? 0 : 1;
    this.#stretch = stretch;
    if (event.type === "thinking.delta" && this.#count >= COALESCE_FROM) return begins + parts(event.text);
    if ("text" in event) return begins + lines(event.text) + parts(event.text);
    return 1 + parts(JSON.stringify(event));
  }
}

const parts = (text: string) => Math.floor((text.length * 3) / MESSAGE_BYTES);

function lines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
