import { isTerminal, type NewEvent, type NewEventOf } from "./events.ts";

const MASK = "[redacted]";

/** Shorter ones occur in any text by chance, and masking them would hide the text instead. */
const SHORTEST_SECRET = 4;

type Delta = NewEventOf<"thinking.delta" | "text.delta" | "tool.output">;

/**
 * Keeps known secrets out of the log, also one that comes in pieces: of each stream of text it holds back what may be the
 * beginning of a secret until the stream goes on or ends.
 */
export class Redactor {
  readonly #secrets = new Set<string>();
  readonly #held = new Map<string, Delta>();

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret);
  }

  add(secret: string): void {
    if (secret.length < SHORTEST_SECRET) return;
    this.#secrets.add(secret);
    this.#secrets.add(JSON.stringify(secret).slice(1, -1)); // as it looks inside of JSON that is itself a string
  }

  /** The events to be logged in place of this one. */
  redact(event: NewEvent): NewEvent[] {
    if (this.#secrets.size === 0) return [event];
    if (isDelta(event)) return this.#continue(event);
    return [...this.#release(event), this.#redactAll(event) as NewEvent];
  }

  #continue(event: Delta): NewEvent[] {
    const key = streamOf(event);
    const text = (this.#held.get(key)?.text ?? "") + event.text;
    const [safe, held] = this.#split(text);
    if (held) this.#held.set(key, { ...event, text: held });
    else this.#held.delete(key);
    return safe ? [{ ...event, text: safe }] : [];
  }

  /** What is held of the streams that this event ends: it did not become a secret. */
  #release(event: NewEvent): NewEvent[] {
    if (this.#held.size === 0) return [];
    const ends = (held: Delta) =>
      isTerminal(event)
        ? held.runId === event.runId
        : event.type === "tool.finished" && held.type === "tool.output" && held.callId === event.callId;
    const released = [...this.#held].filter(([, held]) => ends(held));
    for (const [key] of released) this.#held.delete(key);
    return released.map(([, held]) => held);
  }

  /** The text with every secret masked, and its end that may yet become one. */
  #split(text: string): [safe: string, held: string] {
    let safe = "";
    let rest = text;
    for (let match = this.#first(rest); match; match = this.#first(rest)) {
      safe += rest.slice(0, match.at) + MASK;
      rest = rest.slice(match.at + match.length);
    }
    const held = this.#beginning(rest);
    return [safe + rest.slice(0, rest.length - held), rest.slice(rest.length - held)];
  }

  #first(text: string): { at: number; length: number } | undefined {
    let first: { at: number; length: number } | undefined;
    for (const secret of this.#secrets) {
      const at = text.indexOf(secret);
      if (at < 0) continue;
      if (!first || at < first.at || (at === first.at && secret.length > first.length))
        first = { at, length: secret.length };
    }
    return first;
  }

  /** How many of the last characters are the beginning of a secret. */
  #beginning(text: string): number {
    let longest = 0;
    for (const secret of this.#secrets) {
      for (let length = Math.min(secret.length - 1, text.length); length > longest; length--) {
        if (secret.startsWith(text.slice(text.length - length))) longest = length;
      }
    }
    return longest;
  }

  #mask(text: string): string {
    let masked = text;
    for (const secret of this.#secrets) if (masked.includes(secret)) masked = masked.replaceAll(secret, MASK);
    return masked;
  }

  #redactAll(value: unknown): unknown {
    if (typeof value === "string") return this.#mask(value);
    if (Array.isArray(value)) return value.map((item) => this.#redactAll(item));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.#mask(key), this.#redactAll(item)]));
  }
}

function isDelta(event: NewEvent): event is Delta {
  return event.type === "thinking.delta" || event.type === "text.delta" || event.type === "tool.output";
}

function streamOf(event: Delta): string {
  if (event.type === "tool.output") return `${event.type} ${event.callId}`;
  return event.type === "text.delta" ? `${event.type} ${event.of} ${event.runId}` : `${event.type} ${event.runId}`;
}
