import { plainText } from "../../core/plain-text.ts";
import type { Key } from "./keyboard.ts";
import { graphemes, widthOf } from "./text-width.ts";

/** Controls but for the tab and the end of a line. */
const controls = /[^\P{Cc}\t\n]/gu;

/** One line of text that is being typed. Made anew by every key. */
export class LineEditor {
  readonly #before: string;
  readonly #after: string;

  constructor(before = "", after = "") {
    this.#before = before;
    this.#after = after;
  }

  get text(): string {
    return this.#before + this.#after;
  }

  press({ name, text, ctrl }: Key): LineEditor {
    const [before, after] = [this.#before, this.#after];
    if (name === "left" || (ctrl && name === "b")) return this.#moved(-1);
    if (name === "right" || (ctrl && name === "f")) return this.#moved(1);
    if (name === "home" || (ctrl && name === "a")) return new LineEditor("", before + after);
    if (name === "end" || (ctrl && name === "e")) return new LineEditor(before + after, "");
    if (name === "backspace") return new LineEditor(graphemes(before).slice(0, -1).join(""), after);
    if (name === "delete" || (ctrl && name === "d")) return new LineEditor(before, graphemes(after).slice(1).join(""));
    if (ctrl && name === "u") return new LineEditor("", after);
    if (ctrl && name === "k") return new LineEditor(before, "");
    if (ctrl && name === "w") return new LineEditor(before.replace(/\S+\s*$/, ""), after);
    const typed = name === "enter" ? "\n" : text.replace(controls, ""); // Ctrl-J is a new line
    return typed === "" ? this : new LineEditor(before + typed, after);
  }

  /** The part of the text around the cursor that fits, and where in it the cursor is. */
  view(width: number): { text: string; cursor: number } {
    const shown = (text: string) => graphemes(plainText(text).replaceAll("\n", "↵").replaceAll("\t", " "));
    const before = shown(this.#before);
    let room = width - 1; // for the cursor behind the last character
    let from = before.length;
    while (from > 0 && widthOf(before[from - 1] ?? "") <= room) room -= widthOf(before[--from] ?? "");
    const left = before.slice(from).join("");
    const right: string[] = [];
    for (const grapheme of shown(this.#after)) {
      room -= widthOf(grapheme);
      if (room < 0) break;
      right.push(grapheme);
    }
    return { text: left + right.join(""), cursor: widthOf(left) };
  }

  #moved(by: number): LineEditor {
    const all = graphemes(this.text);
    const at = graphemes(this.#before).length + by;
    return new LineEditor(all.slice(0, Math.max(0, at)).join(""), all.slice(Math.max(0, at)).join(""));
  }
}
