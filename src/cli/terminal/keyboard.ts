import { emitKeypressEvents, type Interface } from "node:readline";
import type { ReadStream } from "node:tty";

/** A key, or text that was pasted, which is never a command. */
export interface Key {
  /** `return`, `escape`, `up` ...; of a letter the letter; `paste` of what was pasted. */
  name: string;
  /** What it writes; nothing, for keys that write nothing. */
  text: string;
  ctrl: boolean;
  /** It came with other letters: words that were written ahead, or pasted where the terminal does not say so. */
  inWords: boolean;
}

interface Keypress {
  name?: string;
  ctrl?: boolean;
  meta?: boolean;
  sequence?: string;
}

/** How long a lone Escape waits for the rest of a sequence. */
const ESCAPE_MS = 50;
const ESC = "\u001b";
const LONGEST_PASTE = 1024 * 1024;

const control = /\p{Cc}/u;
/** What is pasted, keys that write nothing, and controls. */
const notWritten = new RegExp(`${ESC}\\[200~[\\s\\S]*?(?:${ESC}\\[201~|$)|${ESC}[O[][0-?]*[ -/]*[@-~]|\\p{Cc}`, "gu");

/** The keys of a terminal, each as it is hit. */
export class Keyboard {
  readonly #stdin: ReadStream;
  readonly #onKey: (key: Key) => void;
  #pasted: string | undefined;
  #inWords = false;

  constructor(stdin: ReadStream, onKey: (key: Key) => void) {
    this.#stdin = stdin;
    this.#onKey = onKey;
    stdin.setEncoding("utf8");
    stdin.on("data", this.#look); // before the keys of it are told
    emitKeypressEvents(stdin, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
    stdin.on("keypress", this.#take);
    stdin.setRawMode(true);
    stdin.resume();
  }

  close(): void {
    this.#stdin.off("data", this.#look);
    this.#stdin.off("keypress", this.#take);
    this.#stdin.setRawMode(false);
    this.#stdin.pause();
  }

  #look = (written: string | Buffer) => {
    const letters = String(written).replace(notWritten, (found) => (found.startsWith(ESC) ? ESC : "")); // a key parts them
    this.#inWords = letters.split(ESC).some((together) => together.length > 1);
  };

  #take = (written: string | undefined, { name = "", ctrl = false, meta = false, sequence }: Keypress) => {
    if (name === "paste-start") this.#pasted = "";
    else if (name === "paste-end") this.#endPaste();
    else if (this.#pasted !== undefined) {
      if (this.#pasted.length < LONGEST_PASTE) this.#pasted += sequence ?? written ?? "";
    } else {
      const text = written && !ctrl && !meta && !control.test(written) ? written : "";
      this.#onKey({ name: name || text, text, ctrl, inWords: this.#inWords });
    }
  };

  #endPaste(): void {
    const text = (this.#pasted ?? "").replace(/\r\n?/g, "\n");
    this.#pasted = undefined;
    this.#onKey({ name: "paste", text, ctrl: false, inWords: true });
  }
}

/** Has the terminal say what is pasted; a terminal that cannot ignores it. */
export const PASTES_MARKED = "\u001b[?2004h";
export const PASTES_UNMARKED = "\u001b[?2004l";
