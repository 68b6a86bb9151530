import { isTerminal, type NewEvent, type NewEventOf } from "./events.ts";

const MASK = "[redacted]";

/** Shorter ones occur in any text by chance, and masking them would hide the text instead. */
const SHORTEST_SECRET = 4;

/** What the log itself stands on: a secret that happens to look like one of these values must not break it. */
const structural = new Set([
  ...["type", "runId", "askId", "callId", "stepId", "planId", "artifactId", "sha256", "id"],
  ...["kind", "status", "level", "of", "outcome", "action", "workspace", "engine", "model"],
  ...["dialect", "requestId", "connection"],
]);

/** Below these the names of fields are an agent's own, too. */
const free = new Set(["args", "data", "answer"]);

type Delta = NewEventOf<"thinking.delta" | "text.delta" | "tool.output">;

/**
 * Keeps known secrets out of the log, also one that comes in pieces: of each stream of text it holds back what may be the
 * beginning of a secret until the stream goes on or ends. Half a character, which some parsers refuse, is held back alike.
 */
export class Redactor {
  /** The longest first, so that none is masked in part because a shorter one is in it. */
  #secrets: string[] = [];
  readonly #held = new Map<string, Delta>();

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret);
  }

  add(secret: string): void {
    const forms = [secret, secret.trim()].flatMap((form) => [
      form,
      JSON.stringify(form).slice(1, -1), // as it looks inside of JSON that is itself a string
    ]);
    const known = new Set([...this.#secrets, ...forms.filter((form) => form.length >= SHORTEST_SECRET)]);
    this.#secrets = [...known].sort((a, b) => b.length - a.length);
  }

  /** The events to be logged in place of this one. */
  redact(event: NewEvent): NewEvent[] {
    if (isDelta(event)) {
      const asItIs = this.#secrets.length === 0 && this.#held.size === 0 && !endsInHalf(event.text);
      return asItIs ? [event] : this.#continue(event);
    }
    const redacted = this.#secrets.length === 0 ? event : (this.#redactFields(event, event.type) as NewEvent);
    return [...this.#release(event), redacted];
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
    return released.map(([, held]) => ({ ...held, text: this.#mask(held.text).toWellFormed() }));
  }

  /** The text with every secret masked, and its end that may yet become one, or a longer one. */
  #split(text: string): [safe: string, held: string] {
    let safe = "";
    let rest = text;
    for (let match = this.#first(rest); match; match = this.#first(rest)) {
      safe += rest.slice(0, match.at);
      rest = rest.slice(match.at);
      if (this.#secrets.some((secret) => secret.length > rest.length && secret.startsWith(rest))) return [safe, rest];
      safe += MASK;
      rest = rest.slice(match.length);
    }
    const held = this.#beginning(rest) || (endsInHalf(rest) ? 1 : 0);
    return [safe + rest.slice(0, rest.length - held), rest.slice(rest.length - held)];
  }

  #first(text: string): { at: number; length: number } | undefined {
    let first: { at: number; length: number } | undefined;
    for (const secret of this.#secrets) {
      const at = text.indexOf(secret);
      if (at >= 0 && (!first || at < first.at)) first = { at, length: secret.length };
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

  /** The fields that the schema of events names: their names stay, and so do the values that everything else refers to. */
  #redactFields(value: unknown, parent: string): unknown {
    if (typeof value === "string") return this.#mask(value);
    if (Array.isArray(value)) return value.map((item) => this.#redactFields(item, parent));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (structural.has(key) || (parent === "error" && key === "code")) return [key, inner];
        const isFree = free.has(key) || (parent === "tool.finished" && key === "result");
        return [key, isFree ? this.#redactAll(inner) : this.#redactFields(inner, key)];
      }),
    );
  }

  /** What an agent or a client made up: any of it may be the secret. */
  #redactAll(value: unknown): unknown {
    if (typeof value === "string") return this.#mask(value);
    if (typeof value === "number") return this.#mask(String(value)) === String(value) ? value : MASK;
    if (Array.isArray(value)) return value.map((item) => this.#redactAll(item));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.#mask(key), this.#redactAll(item)]));
  }
}

/** Whether the last character is the first half of one. */
function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

function isDelta(event: NewEvent): event is Delta {
  return event.type === "thinking.delta" || event.type === "text.delta" || event.type === "tool.output";
}

function streamOf(event: Delta): string {
  if (event.type === "tool.output") return `${event.type} ${event.callId}`;
  return event.type === "text.delta" ? `${event.type} ${event.of} ${event.runId}` : `${event.type} ${event.runId}`;
}
