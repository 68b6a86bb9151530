import type { Readable } from "node:stream";
import { plainText } from "../../core/plain-text.ts";

const LONGEST = 4000;
const MOST_LINES = 8;
/** What a program notes for those who work on it. */
const isDebug = (line: string) => /^\W*(?:\d[\d:.TZ -]*\W*)?(?:debug|trace)\b/i.test(line);

/** The last of what a program writes for people to read: on stderr or, where it has said nothing there, instead of its protocol. */
export class LastWords {
  #printed = "";
  #strays = "";

  constructor(stderr: Readable) {
    const decoder = new TextDecoder();
    stderr.on("data", (chunk: Buffer) => {
      this.#printed = (this.#printed + decoder.decode(chunk, { stream: true })).slice(-LONGEST);
    });
  }

  addStray(line: string): void {
    this.#strays = `${this.#strays}${line}\n`.slice(-LONGEST);
  }

  get text(): string {
    const lines = linesOf(this.#printed).length > 0 ? linesOf(this.#printed) : linesOf(this.#strays);
    const meant = lines.filter((line) => !isDebug(line));
    return (meant.length > 0 ? meant : lines).slice(-MOST_LINES).join("\n").trim();
  }
}

function linesOf(text: string): string[] {
  const shown = plainText(text.toWellFormed()).trim();
  return shown === "" ? [] : shown.split("\n");
}
