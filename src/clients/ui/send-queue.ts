import { UiError } from "./ui-error.ts";

const MOST_MESSAGES = 1000;
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** A character is at most so many bytes of UTF-8. */
const BYTES_OF_CHARACTER = 3;

interface Waiting {
  text: string;
  id: string | undefined;
}

/** Lines that wait while the pipe to the runtime is full, so many and no more. */
export class SendQueue {
  readonly #write: (text: string) => boolean;
  readonly #mostBytes: number;
  #waiting: Waiting[] = [];
  #characters = 0;
  #full = false;

  constructor(write: (text: string) => boolean, mostBytes = Number.POSITIVE_INFINITY) {
    this.#write = write;
    this.#mostBytes = mostBytes;
  }

  /** Throws when there is no room; an answer that is `owed` always has some. With an `id` it can be withdrawn. */
  send(text: string, { id, owed = false }: { id?: string; owed?: boolean } = {}): void {
    this.#checkSize(text);
    if (!this.#full) {
      this.#full = !this.#write(text);
      return;
    }
    const room = this.#waiting.length < MOST_MESSAGES && this.#characters + text.length <= MOST_CHARACTERS;
    if (!room && !owed) {
      throw new UiError(
        "overflow",
        `The runtime does not read: ${this.#waiting.length} messages (${this.#characters} characters) wait to be sent. Wait for answers before calling again.`,
      );
    }
    this.#waiting.push({ text, id });
    this.#characters += text.length;
  }

  /** Takes back what was not sent yet; false when it was. */
  withdraw(id: string): boolean {
    const at = this.#waiting.findIndex((one) => one.id === id);
    const [taken] = at < 0 ? [] : this.#waiting.splice(at, 1);
    this.#characters -= taken?.text.length ?? 0;
    return taken !== undefined;
  }

  drained(): void {
    this.#full = false;
    let sent = 0;
    for (const { text } of this.#waiting) {
      if (this.#full) break;
      this.#characters -= text.length;
      this.#full = !this.#write(text);
      sent++;
    }
    this.#waiting.splice(0, sent);
  }

  #checkSize(text: string): void {
    if (text.length > MOST_CHARACTERS) {
      throw new UiError("overflow", `A message of ${text.length} characters is too large: at most ${MOST_CHARACTERS}`);
    }
    if (text.length * BYTES_OF_CHARACTER <= this.#mostBytes) return;
    const bytes = new TextEncoder().encode(text).length;
    if (bytes <= this.#mostBytes) return;
    throw new UiError("overflow", `A message of ${bytes} bytes is too large: at most ${this.#mostBytes}`);
  }
}
