import { isTerminal, runIdOf } from "./event-facts.ts";
import type { NewEvent, NewEventOf } from "./events.ts";

export const MASK = "[redacted]";

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

/** The end of a stream of text that may be the beginning of a secret: what of it is in the log, and what is not yet. */
interface Stream {
  event: Delta;
  said: string;
  held: string;
}

/**
 * Keeps known secrets out of the log, also one that comes in pieces: of each stream of text it holds back what may be the
 * beginning of a secret until the stream goes on, or something else is said. Half a character, which some parsers refuse, is held
 * back alike.
 */
export class Redactor {
  /** The longest first, so that none is masked in part because a shorter one is in it. */
  #secrets: string[] = [];
  readonly #streams = new Map<string, Stream>();

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret);
  }

  add(secret: string): void {
    const known = new Set([...this.#secrets, ...formsOf(secret)]);
    this.#secrets = [...known].sort((a, b) => b.length - a.length);
  }

  /** It is none any more. */
  forget(secret: string): void {
    const forms = formsOf(secret);
    this.#secrets = this.#secrets.filter((known) => !forms.includes(known));
  }

  /** The events to be logged in place of this one. */
  redact(event: NewEvent): NewEvent[] {
    const redacted = isDelta(event) ? this.#continue(event) : [this.#redactEvent(event)];
    return this.#streams.size === 0 ? redacted : [...this.#release(event), ...redacted];
  }

  #redactEvent(event: NewEvent): NewEvent {
    return this.#secrets.length === 0 ? event : (this.#redactFields(event, event.type) as NewEvent);
  }

  #continue(event: Delta): NewEvent[] {
    const key = streamOf(event);
    const stream = this.#streams.get(key);
    if (!stream && this.#secrets.length === 0 && event.text.isWellFormed()) return [event];
    const { said, held } = stream ?? { said: "", held: "" };
    const { safe, ...rest } = this.#split(said + held + event.text, said.length);
    if (rest.said || rest.held) this.#streams.set(key, { event, ...rest });
    else this.#streams.delete(key);
    return safe ? [{ ...event, text: safe.toWellFormed() }] : [];
  }

  /**
   * What is held of the other streams of the run: a person may be about to read it. It stays in mind, so that only the rest of a
   * secret can follow, and that is masked. The end of a stream clears it.
   */
  #release(event: NewEvent): NewEvent[] {
    const own = isDelta(event) ? streamOf(event) : undefined;
    const released: NewEvent[] = [];
    for (const [key, stream] of this.#streams) {
      if (key === own || stream.event.runId !== runIdOf(event)) continue;
      const { said, held } = stream;
      if (held)
        released.push({ ...stream.event, text: this.#split(said + held, said.length, "all").safe.toWellFormed() });
      if (endsStream(event, stream.event)) this.#streams.delete(key);
      else this.#streams.set(key, { ...stream, said: stream.said + stream.held, held: "" });
    }
    return released;
  }

  /**
   * Of a text whose first `logged` characters are in the log already: the rest with every secret masked, and its end that may yet
   * become one, or a longer one, as far as it was logged and as far as it is held. Nothing is held if all is wanted now.
   */
  #split(text: string, logged: number, now?: "all"): { safe: string; said: string; held: string } {
    let safe = "";
    let at = 0;
    const keep = (from: number) => ({
      safe: safe + text.slice(Math.max(at, logged), Math.max(from, logged)),
      said: text.slice(from, Math.max(from, logged)),
      held: text.slice(Math.max(from, logged)),
    });
    for (let match = this.#first(text, at); match; match = this.#first(text, at)) {
      const rest = text.slice(match.at);
      const mayGrow = this.#secrets.some((secret) => secret.length > rest.length && secret.startsWith(rest));
      if (mayGrow && !now) return keep(match.at);
      const end = match.at + match.length;
      safe += text.slice(Math.max(at, logged), Math.max(match.at, logged)) + (end > logged ? MASK : "");
      at = end;
    }
    const tail = text.slice(at);
    if (now) return keep(text.length);
    return keep(text.length - (this.#beginning(tail) || (endsInHalf(tail) ? 1 : 0)));
  }

  #first(text: string, from: number): { at: number; length: number } | undefined {
    let first: { at: number; length: number } | undefined;
    for (const secret of this.#secrets) {
      const at = text.indexOf(secret, from);
      if (at >= 0 && (!first || at < first.at)) first = { at, length: secret.length };
    }
    return first;
  }

  /** How many of the last characters are the beginning of a secret. */
  #beginning(text: string): number {
    let longest = 0;
    for (const secret of this.#secrets) {
      const first = secret.charAt(0);
      const until = text.length - longest; // a shorter one is of no interest
      for (let at = text.indexOf(first, text.length - secret.length + 1); at >= 0 && at < until; ) {
        if (secret.startsWith(text.slice(at))) {
          longest = text.length - at;
          break;
        }
        at = text.indexOf(first, at + 1);
      }
    }
    return longest;
  }

  mask(text: string): string {
    let masked = text;
    for (const secret of this.#secrets) if (masked.includes(secret)) masked = masked.replaceAll(secret, MASK);
    return masked;
  }

  /** The fields that the schema of events names: their names stay, and so do the values that everything else refers to. */
  #redactFields(value: unknown, parent: string): unknown {
    if (typeof value === "string") return this.mask(value);
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
    if (typeof value === "string") return this.mask(value);
    if (typeof value === "number") return this.mask(String(value)) === String(value) ? value : MASK;
    if (Array.isArray(value)) return value.map((item) => this.#redactAll(item));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.mask(key), this.#redactAll(item)]));
  }
}

function formsOf(secret: string): string[] {
  const forms = [secret, secret.trim()].flatMap((form) => [
    form,
    JSON.stringify(form).slice(1, -1), // as it looks inside of JSON that is itself a string
  ]);
  return forms.filter((form) => form.length >= SHORTEST_SECRET);
}

/** Whether the last character is the first half of one. */
function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

function isDelta(event: NewEvent): event is Delta {
  return event.type === "thinking.delta" || event.type === "text.delta" || event.type === "tool.output";
}

function endsStream(event: NewEvent, { type, ...delta }: Delta): boolean {
  if (isTerminal(event)) return true;
  return event.type === "tool.finished" && type === "tool.output" && "callId" in delta && delta.callId === event.callId;
}

function streamOf(event: Delta): string {
  if (event.type === "tool.output") return `${event.type} ${event.callId}`;
  return event.type === "text.delta" ? `${event.type} ${event.of} ${event.runId}` : `${event.type} ${event.runId}`;
}

export function isMasked(value: unknown): boolean {
  return JSON.stringify(value)?.includes(MASK) ?? false;
}
